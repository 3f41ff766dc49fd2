// `faultline match`: two players, paired openings, and the estimated difference in strength.
#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <fstream>
#include <ios>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/game_options.h"
#include "app/input_errors.h"
#include "app/match_options.h"
#include "app/match_progress.h"
#include "app/net_players.h"
#include "app/output_file.h"
#include "base/json_text.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "lab/match_game_text.h"
#include "lab/match_report.h"
#include "lab/run_match.h"
#include "play/game.h"
#include "play/game_text.h"

namespace faultline {
namespace match_command {
namespace {

/// The files that games are written to.
class GameFiles {
 public:
  GameFiles(const MatchOptions& options, const MatchSetup& setup)
      : variant_(setup.variant),
        names_{setup.players[0].name, setup.players[1].name},
        event_(fmt::format("faultline match, seed {}", setup.config.seed)),
        cut_(setup.config.cut) {
    refuse_same(options.record, options.pgn);
    refuse_same(options.record, setup.config.openings.file);
    refuse_same(options.pgn, setup.config.openings.file);
    require_games(options.pgn);
    record_ = OutputFile(options.record, std::ios::trunc);
    pgn_ = OutputFile(options.pgn, std::ios::app);
  }

  void write(const MatchGame& game) {
    if (record_.wanted()) {
      record_.stream() << json_text(to_json(game, names_[0], names_[1])) << '\n';
      record_.flush();
    }
    if (pgn_.wanted()) {
      write_game(pgn_.stream(), text_of(game, variant_, names_, event_, cut_));
      pgn_.flush();
    }
  }

 private:
  /// An output must not be another file that is read or written.
  static void refuse_same(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code ignored;
    if (!a.empty() && (a == b || std::filesystem::equivalent(a, b, ignored)))
      throw UsageError(a.string() + ": is given twice; write to another file");
  }
  /// Games are appended to files of games only, perhaps with a byte order mark.
  static void require_games(const std::string& name) {
    std::error_code ignored;
    if (name.empty() || !std::filesystem::is_regular_file(name, ignored)) return;
    std::ifstream in(name, std::ios::binary);
    if (in.peek() == std::ifstream::traits_type::eof() || holds_games(in, "")) return;
    throw UsageError(name +
                     ": exists and does not begin as a file of games does, with a tag in "
                     "[brackets]; give --pgn another file");
  }

  std::string variant_;
  std::array<std::string, 2> names_;
  std::string event_;
  CutGames cut_;
  OutputFile record_;
  OutputFile pgn_;
};

/// "runs/a/nets/000500.pt, 100 visits per move; [search] of runs/a/config.toml".
std::string player_text(const MatchSetup& setup, std::size_t i) {
  const PlayerSpec& player = setup.players[i];
  std::string text = player.name;
  const MoveLimits limits = limits_of(player, setup.limits[i]);
  if (limits.any()) text += fmt::format(", {} per move", limits_text(limits));
  if (!player.uses_tree_search()) return text;
  const std::string source = search_of(player, setup).source;
  if (player.uses_net() || source.find(',') != std::string::npos) text += "; " + source;
  return text;
}

nlohmann::ordered_json to_json(const MoveLimits& limits) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (limits.visits > 0) json["visits"] = limits.visits;
  if (limits.nodes > 0) json["nodes"] = limits.nodes;
  if (limits.evaluations > 0) json["evaluations"] = limits.evaluations;
  if (limits.time_ms > 0) json["time_ms"] = limits.time_ms;
  if (limits.depth > 0) json["depth"] = limits.depth;
  return json;
}

bool uses_nets(const MatchSetup& setup) {
  return std::ranges::any_of(setup.players, &PlayerSpec::uses_net);
}

/// `inference`: what computed the nets; empty if there were none.
void print_json(const MatchSetup& setup, const MatchResult& result, const std::string& inference,
                double seconds) {
  const MatchConfig& config = setup.config;
  nlohmann::ordered_json json;
  json["variant"] = setup.variant;
  json["first"] = setup.players[0].name;
  json["second"] = setup.players[1].name;
  json["limits"] = nlohmann::ordered_json::array();
  json["search"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < 2; ++i) {
    const PlayerSpec& player = setup.players[i];
    json["limits"].push_back(to_json(limits_of(player, setup.limits[i])));
    json["search"].push_back(nullptr);
    if (player.uses_tree_search()) json["search"].back() = search_of(player, setup).source;
  }
  json["inference"] = nullptr;
  if (!inference.empty()) json["inference"] = inference;
  json["opening_source"] = text(config.openings);
  json["max_plies"] = config.max_plies;
  json["cut_games"] = config.cut == CutGames::Draws ? "draws" : "apart";
  json["adjudication"] = adjudication_text(config.adjudication);
  json["seed"] = config.seed;
  json["threads"] = config.threads;
  json["seconds"] = seconds;
  json.update(to_json(result));
  json["sprt"] = nullptr;
  if (config.sprt && result.sprt) json["sprt"] = to_json(*config.sprt, *result.sprt);
  fmt::print("{}\n", json_text(json));
}

void print_result(const MatchSetup& setup, const MatchResult& result, double seconds) {
  const MatchConfig& config = setup.config;
  fmt::print("{}: {} from {} {}\n", setup.variant, counted(result.finished, "game"),
             result.openings, describe(config.openings));
  fmt::print("A  {}\n", player_text(setup, 0));
  fmt::print("B  {}\n", player_text(setup, 1));
  if (config.adjudication.any())
    fmt::print("Adjudication: {}.\n", adjudication_text(config.adjudication));
  if (!result.complete())
    fmt::print(
        "Stopped after {} of {} games. The games in progress, the longer ones, are not counted.\n",
        result.finished, result.planned_games);
  const int pairs = (result.finished + 1) / 2;
  const bool may_repeat =
      config.temperature == 0 && !setup.players[0].temperature && !setup.players[1].temperature;
  if (result.complete() && result.openings < pairs && may_repeat)
    fmt::print(
        "Only {} of {} openings are different, and the same opening gives the same games: the\n"
        "interval is narrower than it should be. Use longer openings or a --temperature.\n",
        result.openings, pairs);
  fmt::print("A {}\n", result_text(result));
  fmt::print("{}", details_text(result));
  if (config.sprt && result.sprt) fmt::print("SPRT: {}.\n", sprt_text(*config.sprt, *result.sprt));
  fmt::print("Took {}.\n", clock_text(seconds));
}

void match(const MatchOptions& options) {
  MatchSetup setup = setup_of(options);
  setup.variant = find_game(setup.variant).variant();
  PlayerResources resources(program_backends(), options.game.device);
  setup = resolved(setup, resources);
  warn_of_openings("match", setup.config.openings, setup.variant);
  GameFiles files(options, setup);
  if (uses_nets(setup)) require_choice(options.game.device);
  if (!setup.search_defaults) print_search_notices({setup.players[0].name, setup.players[1].name});
  MatchProgress progress(setup.config);
  const auto print = [&](const MatchResult& result) {
    if (options.game.json)
      print_json(setup, result,
                 uses_nets(setup) ? describe_backend(playing_choice(options.game.device)) : "",
                 progress.seconds());
    else
      print_result(setup, result, progress.seconds());
  };
  MatchResult result;
  try {
    const StopSignals signals;
    const ClosedPipesIgnored pipes;
    result = run_match(
        setup, resources, progress,
        {.on_game = [&](const MatchGame& game, const MatchResult&) { files.write(game); }});
  } catch (const std::exception&) {
    progress.clear();
    if (progress.result().finished > 0) print(progress.result());
    throw;
  }
  print(result);
  if (!result.complete()) throw CLI::RuntimeError(kInterrupted);
}

}  // namespace
}  // namespace match_command

void add_match(CLI::App& app) {
  using namespace match_command;
  auto options = std::make_shared<MatchOptions>();
  CLI::App* command = app.add_subcommand("match", kMatchSummary);
  add_match_options(*command, *options);
  command->footer(
      "Each opening is played twice with colours swapped; the interval counts such a pair as one\n"
      "observation. Wins, draws and losses are A's. Ctrl-C prints what was played so far.\n"
      "docs/matches.md explains everything.\n\n"
      "Examples:\n"
      "  faultline match runs/quickstart untrained:runs/quickstart --visits 50\n"
      "  faultline match runs/a/nets/000500.pt runs/a/nets/001000.pt --games 400 --json\n"
      "  faultline match runs/a 'runs/a?cpuct=2.5' --sprt elo0=0,elo1=10 --openings balanced:8\n"
      "  faultline match runs/b 'alphabeta?depth=4' --evaluations 400 --pgn games.pgn\n"
      "  faultline match chess runs/c 'uci:stockfish?nodes=1000&Skill Level=3' --time-ms 100\n"
      "  faultline match escher uniform random --visits 400");
  command->callback([options] { reporting_input_errors([&] { match(*options); }); });
}

}  // namespace faultline
