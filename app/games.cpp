// `faultline games`: the recorded games of a run, as lists, move by move, as PGN, and as NumPy
// arrays.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/training_arrays.h"
#include "app/whole_number.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "base/text.h"
#include "model/encoding/attack_planes.h"
#include "model/encoding/encoders.h"
#include "play/game_position_of.h"
#include "play/game_text.h"
#include "play/san.h"
#include "record/config.h"
#include "record/run_folder.h"
#include "record/stored_games.h"
#include "rules/families.h"

namespace faultline {
namespace games_command {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string run;
  std::optional<std::uint64_t> number;
  std::optional<std::uint64_t> from;
  std::optional<std::uint64_t> last;
  std::string result;
  std::string npz;
  bool json = false;
  bool pgn = false;
};

/// Reports a game that cannot be used; the others are still usable.
void skip(const std::string& reason) {
  std::fflush(stdout);
  fmt::print(stderr, "faultline games: {}; skipped\n", reason);
}

struct RunGames {
  std::filesystem::path folder;
  std::string variant;            // canonical name
  std::uint64_t run_id = 0;       // 0: unknown
  std::vector<StoredGame> games;  // by number, without duplicates
};

/// The variant in the first chunk with an intact header; nullopt if there is none.
std::optional<std::string> variant_of(const std::vector<std::filesystem::path>& chunks) {
  for (const std::filesystem::path& file : chunks) {
    try {
      if (auto header = read_chunk_header_of(file)) return header->variant;
    } catch (const ReplayError&) {  // reported when the chunk is scanned
    }
  }
  return std::nullopt;
}

/// The id in the run's state.json; 0 if there is none, or none that can be read.
std::uint64_t run_id_of(const std::filesystem::path& folder) {
  try {
    return RunFolder::state_in(folder).value_or(RunState{}).run_id;
  } catch (const RunError&) {
    return 0;  // the run's own problem: its games can be read all the same
  }
}

RunGames find_games(const std::string& run) {
  RunGames found;
  const auto folder = find_run(run);
  if (!folder)
    throw UsageError(
        fmt::format("{}: there is no such folder, here or below runs/; RUN is a run's folder",
                    quote(run, 200)));
  found.folder = *folder;
  const auto chunks = chunks_in(*folder / "games");
  if (chunks.empty())
    throw UsageError(fmt::format("{}: contains no games; a run keeps them as games/000000.chunk",
                                 folder->string()));
  const auto variant = variant_of(chunks);
  const GamesOnDisk on_disk =
      scan_games(*folder / "games", variant.value_or(""), run_id_of(*folder));
  for (const auto& messages : {on_disk.messages, on_disk.refused})
    for (const std::string& message : messages)
      skip(message);
  found.run_id = on_disk.run_id;
  found.games = all_games(on_disk);
  found.variant = variant.value_or("");
  std::ranges::sort(found.games, {}, &StoredGame::number);
  return found;
}

/// Calls `use(record)` for the game, unless it is damaged. Returns false if it is, or if `use`
/// finds that it is inconsistent with the rules.
template <class F>
bool with_game(const StoredGame& stored, F&& use) {
  try {
    use(read_game(stored));
    return true;
  } catch (const ReplayError& error) {
    skip(fmt::format("game {}: {}", stored.number, error.what()));
    return false;
  }
}

bool has_result(Outcome outcome, const std::string& wanted) {
  return wanted.empty() || name(outcome) == wanted || (wanted == "draw" && is_draw(outcome));
}

/// The games that the options select, by number.
std::vector<StoredGame> select(const RunGames& run, const Options& options) {
  std::vector<StoredGame> games = run.games;
  if (options.number) {
    std::erase_if(games, [&](const StoredGame& g) { return g.number != *options.number; });
    if (games.empty())
      throw UsageError(fmt::format(
          "{}: has no game {}; it has {} games{}", run.folder.string(), *options.number,
          run.games.size(),
          run.games.empty()
              ? ""
              : fmt::format(", {} to {}", run.games.front().number, run.games.back().number)));
  }
  if (options.from)
    std::erase_if(games, [&](const StoredGame& g) { return g.number < *options.from; });
  if (!options.result.empty())
    std::erase_if(games, [&](const StoredGame& g) {
      bool fits = false;
      with_game(
          g, [&](const GameRecord& record) { fits = has_result(record.outcome, options.result); });
      return !fits;
    });
  if (options.last && games.size() > *options.last)
    games.erase(games.begin(), games.end() - static_cast<std::ptrdiff_t>(*options.last));
  return games;
}

std::array<double, 3> root_value(const PlyRecord& ply) {
  const double win = ply.win / 65535.0;
  const double draw = ply.draw / 65535.0;
  return {win, draw, std::max(0.0, 1 - win - draw)};
}

/// Rounded to four digits, which exceeds the accuracy of a search.
double rounded(double value) {
  return std::round(value * 1e4) / 1e4;
}

/// The legal moves with a nonzero weight in the policy target and their shares, best first.
template <class MoveList>
std::vector<std::pair<Move, double>> policy_shares(const MoveList& moves, const PlyRecord& ply) {
  const double sum = std::accumulate(ply.policy.begin(), ply.policy.end(), 0.0);
  std::vector<std::pair<Move, double>> shares;
  for (std::size_t i = 0; i < ply.policy.size(); ++i)
    if (ply.policy[i] > 0) shares.emplace_back(moves[i], ply.policy[i] / sum);
  std::ranges::stable_sort(shares, std::greater<>(), &std::pair<Move, double>::second);
  return shares;
}

std::string result_text(const GameRecord& game) {
  return std::string(name(game.outcome)) + (game.resigned ? " (resigned)" : "");
}

template <Position P>
Json to_json(const typename P::Variant& variant, const GameRecord& game, std::uint64_t run_id) {
  Json plies = Json::array();
  replay_game<P>(variant, game,
                 [&](const PositionHistory<P>& history, const typename P::MoveList& moves,
                     const PlyRecord& ply) {
                   const P& position = history.position();
                   Json one = {{"move", position.move_text(ply.move)}, {"value", nullptr}};
                   if (ply.searched) {
                     const auto value = root_value(ply);
                     one["value"] = {rounded(value[0]), rounded(value[1]), rounded(value[2])};
                   }
                   if (ply.target) {
                     for (const auto& [move, share] : policy_shares(moves, ply))
                       one["policy"][position.move_text(move)] = rounded(share);
                     one["surprise"] = rounded(unpack_surprise(ply.surprise));
                   }
                   plies.push_back(std::move(one));
                 });
  Json json = {{"game", game.number},
               {"variant", variant.canonical_name()},
               {"run_id", fmt::format("{:016x}", run_id)},
               {"net_steps", game.net.steps},
               {"net_hash", fmt::format("{:016x}", game.net.hash)},
               {"start", game.start_fen.empty() ? P::start(variant).fen() : game.start_fen},
               {"outcome", name(game.outcome)},
               {"resigned", game.resigned}};
  json["plies"] = std::move(plies);
  return json;
}

/// The game as text (play/game_text.h), with the root values as comments.
template <Position P>
TextGame to_text(const typename P::Variant& variant, const GameRecord& game, const RunGames& run) {
  TextGame text;
  text.variant = variant.canonical_name();
  text.white = text.black = fmt::format("net after {} steps", game.net.steps);
  text.start_fen = game.start_fen;
  text.result = result_of(game.outcome);
  text.termination = game.resigned                          ? Termination::Resigned
                     : game.outcome == Outcome::Adjudicated ? Termination::Cut
                                                            : Termination::Normal;
  text.reason = game.resigned ? "resignation" : reason_of(game.outcome);
  text.tags = {{"Event", "self-play"},
               {"Site", (run.folder / ".").lexically_normal().parent_path().filename().string()},
               {"Round", std::to_string(game.number)},
               {"NetSteps", std::to_string(game.net.steps)},
               {"NetHash", fmt::format("{:016x}", game.net.hash)},
               {"RunId", fmt::format("{:016x}", run.run_id)}};
  bool searched = false;  // some ply so far
  replay_game<P>(variant, game,
                 [&](const PositionHistory<P>& history, const auto&, const PlyRecord& ply) {
                   text.moves.push_back(history.position().move_text(ply.move));
                   text.comments.emplace_back();
                   searched = searched || ply.searched;
                   if (!searched) ++text.opening_plies;
                   if (!ply.searched) return;
                   const auto value = root_value(ply);
                   text.comments.back().value = Evaluation{.win = static_cast<float>(value[0]),
                                                           .draw = static_cast<float>(value[1]),
                                                           .loss = static_cast<float>(value[2])};
                 });
  return text;
}

/// The first moves as people write them (play/san.h), then "..." if there are more.
template <Position P>
std::vector<std::string> first_moves(const typename P::Variant& variant, const GameRecord& game) {
  constexpr std::size_t kMoves = 6;
  std::vector<std::string> texts;
  replay_game<P>(variant, game,
                 [&](const PositionHistory<P>& history, const auto&, const PlyRecord& ply) {
                   if (texts.size() < kMoves)
                     texts.push_back(san_text(GamePositionOf<P>(history), ply.move));
                 });
  if (game.plies.size() > kMoves) texts.emplace_back("...");
  return texts;
}

template <Position P>
void print_list(const typename P::Variant& variant, const RunGames& run,
                const std::vector<StoredGame>& games) {
  fmt::print("{:>7}  {:<16} {:>6} {:>10}  {}\n", "game", "result", "plies", "net steps",
             "first moves");
  std::size_t listed = 0;
  std::array<std::size_t, 3> ends{};  // white wins, draws, black wins
  for (const StoredGame& stored : games)
    with_game(stored, [&](const GameRecord& game) {
      const std::vector<std::string> moves = first_moves<P>(variant, game);
      fmt::print("{:>7}  {:<16} {:>6} {:>10}  {}\n", game.number, result_text(game),
                 game.plies.size(), game.net.steps, fmt::join(moves, " "));
      ++listed;
      ++ends[static_cast<std::size_t>(1 - score_for(game.outcome, Colour::White))];
    });
  fmt::print("{} of {}: white won {}, black {}, {} drawn\n", counted(listed, "game"), run.variant,
             ends[0], ends[2], ends[1]);
}

/// "   3  white  e4        45.0  30.0  25.0   e4 60%, d4 30%", and what the board
/// did in a line of its own, if that is more than the move's text says.
template <Position P>
void print_ply(const PositionHistory<P>& history, const typename P::MoveList& moves,
               const PlyRecord& ply) {
  constexpr std::size_t kShown = 4;
  const GamePositionOf<P> position(history);
  std::string line = fmt::format("{:>5}  {:<5}  {:<12}", history.plies() + 1,
                                 name(position.side_to_move()), san_text(position, ply.move));
  if (ply.searched) {
    const auto value = root_value(ply);
    line +=
        fmt::format("  {:>5.1f} {:>5.1f} {:>5.1f}", 100 * value[0], 100 * value[1], 100 * value[2]);
  } else {
    line += fmt::format("  {:>5} {:>5} {:>5}", "-", "-", "-");
  }
  if (ply.target) {
    std::vector<std::string> best;
    for (const auto& [move, share] : policy_shares(moves, ply))
      if (best.size() < kShown)
        best.push_back(fmt::format("{} {:.0f}%", san_text(position, move), 100 * share));
    line += fmt::format("   {}", fmt::join(best, ", "));
  }
  fmt::print("{}\n", line);
  const std::string announcement = position.board_effects(ply.move).announcement;
  if (!announcement.empty()) fmt::print("{:>12}  {}\n", "", announcement);
}

template <Position P>
void print_game(const typename P::Variant& variant, const RunGames& run, const GameRecord& game) {
  replay_game<P>(variant, game, [](auto&&...) {});  // print nothing of an inconsistent game
  fmt::print("game      {} of {}\n", game.number, run.folder.string());
  fmt::print("variant   {}\n", run.variant);
  fmt::print("start     {}\n", game.start_fen.empty() ? P::start(variant).fen() : game.start_fen);
  fmt::print("network   {} steps, weights {}\n", game.net.steps,
             game.net.hash != 0 ? fmt::format("{:016x}", game.net.hash) : "not recorded");
  fmt::print("result    {} after {} plies\n\n", result_text(game), game.plies.size());
  fmt::print("{:>5}  {:<5}  {:<12}  {:>5} {:>5} {:>5}   {}\n", "ply", "side", "move", "win%",
             "draw%", "loss%", "policy target");
  replay_game<P>(variant, game,
                 [](const PositionHistory<P>& history, const typename P::MoveList& moves,
                    const PlyRecord& ply) { print_ply<P>(history, moves, ply); });
}

/// Whether the run's network sees planes of attacks; not if its configuration is missing.
bool sees_attacks(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "config.toml";
  if (!std::filesystem::exists(file)) return false;
  Config config = load_config(file);
  settle_older_run(config);
  return config.net.attack_planes;
}

template <Position P>
void write_arrays(const typename P::Variant& variant, const std::vector<StoredGame>& games,
                  const std::string& file, bool attack_planes) {
  const EncodingInfo& family = Encoder<P>::info(variant);
  TrainingArrays arrays(file, attack_planes ? with_attack_planes(family) : family);
  std::size_t written = 0;
  for (const StoredGame& stored : games)
    if (with_game(stored, [&](const GameRecord& game) { arrays.add<P>(variant, game); })) ++written;
  arrays.finish();
  fmt::print("{}: {} training positions of {} games\n", file, arrays.positions(), written);
}

void run_games(const Options& options) {
  const RunGames run = find_games(options.run);
  if (run.games.empty()) {
    if (!options.json && !options.pgn) fmt::print("{}: no game is intact\n", run.folder.string());
    return;
  }
  const std::vector<StoredGame> games = select(run, options);
  with_family(parse_variant_name(run.variant),
              [&]<Position P>(std::type_identity<P>, const typename P::Variant& variant) {
                if (!options.npz.empty())
                  return write_arrays<P>(variant, games, options.npz, sees_attacks(run.folder));
                if (options.pgn) {
                  for (const StoredGame& stored : games)
                    with_game(stored, [&](const GameRecord& game) {
                      write_game(std::cout, to_text<P>(variant, game, run));
                    });
                  std::cout.flush();
                  return;
                }
                if (options.json) {
                  for (const StoredGame& stored : games)
                    with_game(stored, [&](const GameRecord& game) {
                      fmt::print("{}\n", json_text(to_json<P>(variant, game, run.run_id)));
                    });
                  return;
                }
                if (!options.number) return print_list<P>(variant, run, games);
                if (!with_game(games.front(),
                               [&](const GameRecord& game) { print_game<P>(variant, run, game); }))
                  throw CLI::RuntimeError(1);
              });
}

}  // namespace
}  // namespace games_command

void add_games(CLI::App& app) {
  using namespace games_command;
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("games", "list, print and export the recorded games of a run");
  command->add_option("RUN", options->run, "a run's folder; runs/ may be omitted")->required();
  CLI::Option* number =
      command->add_option("NUMBER", options->number, "print this game move by move")
          ->transform(whole_number(0));
  command->add_option("--from", options->from, "skip games before this number")
      ->transform(whole_number(0))
      ->type_name("NUMBER")
      ->excludes(number);
  command
      ->add_option("--last", options->last, "only this many games, those with the highest numbers")
      ->transform(whole_number(0))
      ->type_name("COUNT")
      ->excludes(number);
  command
      ->add_option(
          "--result", options->result,
          "only games with this result: white, black, draw, or one kind of draw as shown in "
          "the list")
      ->check(CLI::IsMember({"white", "black", "draw", "draw:stalemate", "draw:kings",
                             "draw:100plies", "draw:repetition", "draw:cut"}))
      ->type_name("RESULT")
      ->excludes(number);
  CLI::Option* json =
      command->add_flag("--json", options->json, "print one line of JSON per game, with all moves");
  command
      ->add_option("--npz", options->npz,
                   "write the training positions of these games as NumPy arrays")
      ->type_name("FILE")
      ->excludes(json);
  command->add_flag("--pgn", options->pgn, "print the games as PGN, with root values as comments")
      ->excludes(json)
      ->excludes("--npz");
  command->footer(
      "The list shows for each game its result, its length, and the optimiser steps of the newest\n"
      "network that played in it. Printed move by move, a game shows the results of its searches:\n"
      "the root's win, draw and loss for the side to move, and, where the ply is a training\n"
      "target, the policy target. Plies of a random opening have neither, and games of earlier\n"
      "versions have values for training targets only.\n\n"
      "The run may still be in progress. Damaged games are reported on stderr and skipped.\n"
      "docs/games.md describes the JSON and the arrays, and how to read them in Python;\n"
      "docs/game_format.md the PGN.\n\n"
      "Examples:\n"
      "  faultline games runs/quickstart --last 20\n"
      "  faultline games quickstart 137\n"
      "  faultline games quickstart --result draw:cut\n"
      "  faultline games quickstart --json > games.jsonl\n"
      "  faultline games quickstart --last 100 --pgn > games.pgn\n"
      "  faultline games quickstart --from 1000 --npz positions.npz");
  command->callback([options] { run_games(*options); });
}

}  // namespace faultline
