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
#include "app/print_document.h"
#include "base/json_text.h"
#include "base/stop_signals.h"
#include "lab/match_document.h"
#include "lab/match_game_text.h"
#include "lab/match_json.h"
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

bool uses_nets(const MatchSetup& setup) {
  return std::ranges::any_of(setup.players, &PlayerSpec::uses_net);
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
  const auto print_result = [&](const MatchResult& result) {
    print(match_document(
              setup, result,
              uses_nets(setup) ? describe_backend(playing_choice(options.game.device)) : "",
              progress.seconds()),
          options.game.json);
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
    if (progress.result().finished > 0) print_result(progress.result());
    throw;
  }
  print_result(result);
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
