// `faultline perft`: counts the legal move sequences of a position, on all cores.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/position_options.h"
#include "app/whole_number.h"
#include "base/run_threads.h"

namespace faultline {
namespace perft_command {
namespace {

struct Options {
  PositionOptions position;
  int depth = 1;
  bool divide = false;
  int threads = 0;
};

/// A position some plies below the root, for one thread to count.
struct Subtree {
  std::unique_ptr<GamePosition> position;
  std::size_t root_move;
  std::uint64_t nodes = 0;
};

std::unique_ptr<GamePosition> after(const GamePosition& position, Move move) {
  std::unique_ptr<GamePosition> next = position.clone();
  next->play(move);
  return next;
}

/// perft(`depth` - 1) after each legal move, in legal_moves() order. Work is distributed by
/// two-ply subtrees: root moves alone are too few and too uneven for many cores.
std::vector<std::uint64_t> divide(const GamePosition& root, int depth, int threads) {
  const std::vector<Move> moves = root.legal_moves();
  std::vector<std::uint64_t> counts(moves.size(), 0);
  if (depth < 3) {
    for (std::size_t i = 0; i < moves.size(); ++i)
      counts[i] = after(root, moves[i])->perft(depth - 1);
    return counts;
  }
  std::vector<Subtree> subtrees;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const std::unique_ptr<GamePosition> child = after(root, moves[i]);
    for (const Move reply : child->legal_moves())
      subtrees.push_back({.position = after(*child, reply), .root_move = i});
  }
  for_each_index(subtrees.size(), threads, [&](std::size_t i) {
    subtrees[i].nodes = subtrees[i].position->perft(depth - 2);
  });
  for (const Subtree& subtree : subtrees)
    counts[subtree.root_move] += subtree.nodes;
  return counts;
}

void run_perft(const GamePosition& root, const Options& options) {
  const std::vector<Move> moves = root.legal_moves();
  std::vector<std::uint64_t> counts;
  fmt::print("{:>5}  {:>16}  {:>10}  {:>9}\n", "depth", "nodes", "seconds", "Mnodes/s");
  for (int depth = 1; depth <= options.depth; ++depth) {
    const auto begin = std::chrono::steady_clock::now();
    counts = divide(root, depth, options.threads);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    std::uint64_t nodes = 0;
    for (const std::uint64_t count : counts)
      nodes += count;
    const double seconds = std::max(taken.count(), 1e-9);
    fmt::print("{:>5}  {:>16}  {:>10.3f}  {:>9.1f}\n", depth, nodes, seconds,
               static_cast<double>(nodes) / seconds / 1e6);
    std::fflush(stdout);
  }
  if (!options.divide) return;

  std::vector<std::pair<std::string, std::uint64_t>> rows;
  for (std::size_t i = 0; i < moves.size(); ++i)
    rows.emplace_back(root.move_text(moves[i]), counts[i]);
  std::ranges::sort(rows);
  fmt::print("\n");
  for (const auto& [text, count] : rows)
    fmt::print("{}: {}\n", text, count);
}

}  // namespace
}  // namespace perft_command

void add_perft(CLI::App& app) {
  using namespace perft_command;
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("perft", "count legal move sequences, to check rules and measure speed");
  command->add_option("VARIANT", options->position.variant, kVariantHelp)->required();
  command->add_option("DEPTH", options->depth, "plies to count, from 1")
      ->required()
      ->transform(whole_number(1, 30));
  command->add_option("--fen", options->position.fen,
                      "the position, in quotes (default: the start)");
  command->add_flag("--divide", options->divide, "also print the count below each root move");
  command->add_option("--threads", options->threads, "threads to use (default: all cores)")
      ->transform(whole_number(1, 1024));
  command->footer(
      "The last ply is counted without playing its moves where the rules allow it.\n\n"
      "Examples:\n"
      "  faultline perft chess 6\n"
      "  faultline perft escher 5 --threads 1\n"
      "  faultline perft chess 3 --divide --fen \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\"");
  command->callback([options] {
    const NamedPosition named = find_position(options->position);
    run_perft(*named.position, *options);
  });
}

}  // namespace faultline
