// `faultline moves`: the legal moves of a position.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/position_options.h"
#include "base/json_text.h"

namespace faultline {
namespace moves_command {
namespace {

struct Options {
  PositionOptions position;
  bool json = false;
};

void print_moves(const GamePosition& position, const std::string& variant, bool as_json) {
  const std::vector<std::string> moves = sorted_move_texts(position);
  const Outcome outcome = position.outcome();
  if (as_json) {
    nlohmann::ordered_json json;
    json["variant"] = variant;
    json["fen"] = position.fen();
    json["moves"] = moves;
    json["check"] = position.in_check();
    json["outcome"] = nullptr;
    if (is_over(outcome)) json["outcome"] = name(outcome);
    fmt::print("{}\n", json_text(json));
    return;
  }
  fmt::print("fen      {}\n", position.fen());
  fmt::print("to move  {}\n", name(position.side_to_move()));
  fmt::print("check    {}\n", position.in_check() ? "yes" : "no");
  fmt::print("outcome  {}\n", is_over(outcome) ? name(outcome) : "ongoing");
  fmt::print("moves    {}\n", moves.size());
  if (!moves.empty()) fmt::print("{}\n", fmt::join(moves, " "));
}

}  // namespace
}  // namespace moves_command

void add_moves(CLI::App& app) {
  using namespace moves_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("moves", "list the legal moves of a position");
  add_position_options(*command, options->position);
  command->add_flag("--json", options->json, "print one JSON line, in the form of docs/vectors.md");
  command->footer(
      "Moves are sorted by byte value. A drawn position still lists its legal moves.\n\n"
      "Examples:\n"
      "  faultline moves escher\n"
      "  faultline moves escher --moves \"e2e4 e7e5\"\n"
      "  faultline moves chess --fen \"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1\" --json");
  command->callback([options] {
    const NamedPosition named = find_position(options->position);
    print_moves(*named.position, named.game->variant(), options->json);
  });
}

}  // namespace faultline
