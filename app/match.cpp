// `faultline match`: two players, paired openings, and the estimated difference in strength.
#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/game_options.h"
#include "app/games_progress.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "app/output_file.h"
#include "app/print_document.h"
#include "base/json_text.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "lab/game_settings.h"
#include "lab/match_document.h"
#include "lab/match_game_text.h"
#include "lab/match_json.h"
#include "lab/run_match.h"
#include "play/game.h"
#include "play/game_text.h"

namespace faultline {
namespace match_command {
namespace {

/// The default of --games with an SPRT, which ends nearly all matches long before.
constexpr int kSprtGames = 100'000;

struct Settings : GameSettings {
  int games = 100;
  std::string sprt;
  MoveLimits limits_b;  // of B, if any is set
};

std::vector<Option> limit_options_of_b(Settings& s) {
  std::vector<Option> options = move_limit_options(s.limits_b);
  for (Option& option : options) {
    option.name += "_b";
    option.help = "This limit for B, which then has only its own limits";
  }
  return options;
}

std::vector<Option> options(Settings& s) {
  std::vector<Option> all = {
      games_option(s.games, "Number of games (with --sprt at most, 100000 by default)"),
      {"sprt", &s.sprt, Anything{},
       "Stop when this test is decided: elo0=0,elo1=10,alpha=0.05,beta=0.05,model=logistic (or "
       "normalised)"}};
  std::ranges::copy(faultline::options(static_cast<GameSettings&>(s)), std::back_inserter(all));
  std::ranges::copy(limit_options_of_b(s), std::back_inserter(all));
  return all;
}

struct Options {
  std::vector<std::string> names;  // [VARIANT] A B
  Settings defaults;
  GameOptions game;
  std::string record;
  std::string pgn;
};

MatchSetup setup_of(const Options& options) {
  if (options.names.size() < 2 || options.names.size() > 3)
    throw UsageError(
        "match takes [VARIANT] A B: two players, and the variant unless one of them is a net");
  const std::size_t first = options.names.size() - 2;
  const std::array<PlayerSpec, 2> players = {find_named_player(options.names[first]),
                                             find_named_player(options.names[first + 1])};
  const std::string variant =
      variant_of(first == 1 ? options.names[0] : "", {players[0], players[1]});
  Settings settings;
  const GivenValues& given = options.game.given;
  assign_given(settings, match_command::options(settings), given, options.game.strict);
  if (!settings.sprt.empty() && !given.contains("games")) settings.games = kSprtGames;
  MatchSetup setup = match_setup(settings, find_game(variant).variant(), players);
  if (settings.limits_b.any()) setup.limits[1] = settings.limits_b;
  setup.config.games = settings.games;
  setup.config.threads = options.game.threads;
  if (!settings.sprt.empty()) setup.config.sprt = parse_sprt(settings.sprt);
  return setup;
}

/// The files that games are written to.
class GameFiles {
 public:
  GameFiles(const Options& options, const MatchSetup& setup)
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

void match(const Options& options) {
  PlayerResources resources(program_backends(), options.game.device);
  const MatchSetup setup = resolved(setup_of(options), resources);
  warn_of_openings("match", setup.config.openings, setup.variant);
  GameFiles files(options, setup);
  prepare_nets({setup.players[0].name, setup.players[1].name}, options.game, setup.search_defaults);
  GamesProgress progress(0, 0, plan_of(setup.config));
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
    result =
        run_match(setup, resources, progress,
                  {.on_game = [&](const MatchGame& game, const MatchResult&) { files.write(game); },
                   .on_progress = [&](const MatchResult& so_far) { result = so_far; }});
  } catch (const std::exception&) {
    progress.clear();
    if (result.finished > 0) print_result(result);
    throw;
  }
  print_result(result);
  if (!result.complete()) throw CLI::RuntimeError(kInterrupted);
}

}  // namespace
}  // namespace match_command

void add_match(CLI::App& app) {
  using namespace match_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("match", kMatchSummary);
  command
      ->add_option("PLAYERS", options->names,
                   "[VARIANT] A B. The variant may be omitted if A or B is a net. A player is " +
                       std::string(kPlayerHelp))
      ->required();
  add_setting_flags(*command, match_command::options(options->defaults), options->game.given);
  add_strict_option(*command, options->game);
  command
      ->add_option("--record", options->record, "write the games to this file, one JSON line each")
      ->type_name("FILE");
  command->add_option("--pgn", options->pgn, "append the games to this file, as PGN")
      ->type_name("FILE");
  add_game_options(*command, options->game);
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
