// Declares the options of `match`, and turns them into a match's setup.
#include "app/match_options.h"

#include <limits>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/net_players.h"

namespace faultline {
namespace {

constexpr int kMostVisits = 10'000'000;
constexpr int kMostTime = 3'600'000;
constexpr std::int64_t kDefaultVisits = 100;
/// With an SPRT, which ends matches that are not hopeless long before.
constexpr int kSprtGames = 100'000;

void add_limits(CLI::App& command, LimitOptions& limits, const std::string& suffix) {
  const bool is_b = !suffix.empty();
  const auto help = [&](const std::string& text) {
    return is_b ? "the same for B, which then has only its own limits" : text;
  };
  command
      .add_option("--visits" + suffix, limits.visits,
                  help("root visits per move, with those of a reused subtree (default 100 if no "
                       "limit is given)"))
      ->check(CLI::Range(1, kMostVisits));
  command
      .add_option("--nodes" + suffix, limits.nodes,
                  help("visits that each search makes; positions in alpha-beta searches and "
                       "engines"))
      ->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max()));
  command
      .add_option("--evaluations" + suffix, limits.evaluations,
                  help("positions evaluated per move"))
      ->check(CLI::Range(1, kMostVisits));
  command
      .add_option("--time-ms" + suffix, limits.time_ms,
                  help("milliseconds per move; a thread then plays one game at a time"))
      ->check(CLI::Range(1, kMostTime));
}

MoveLimits move_limits(const LimitOptions& options) {
  MoveLimits limits{.visits = options.visits.value_or(0),
                    .nodes = options.nodes.value_or(0),
                    .evaluations = options.evaluations.value_or(0),
                    .time_ms = options.time_ms.value_or(0)};
  if (!options.any()) limits.visits = kDefaultVisits;
  return limits;
}

}  // namespace

void add_match_options(CLI::App& command, MatchOptions& options) {
  MatchConfig& config = options.config;
  command
      .add_option("PLAYERS", options.names,
                  "[VARIANT] A B. The variant may be omitted if A or B is a net. A player is " +
                      std::string(kPlayerHelp))
      ->required();
  command
      .add_option("--games", options.games,
                  "number of games; even: two from each opening (default 100; with --sprt at "
                  "most 100000)")
      ->check(CLI::Range(2, 1'000'000));
  add_limits(command, options.limits, "");
  add_limits(command, options.limits_b, "-b");
  command.add_option("--openings", options.openings, kOpeningsHelp)->default_str("random:6");
  command.add_option("--sprt", options.sprt,
                     "stop when this test is decided: elo0=0,elo1=10,alpha=0.05,beta=0.05,"
                     "model=logistic (or normalised)");
  command.add_option("--adjudicate-win", options.adjudicate_win,
                     "end games whose players agree who wins: score=0.95,moves=5");
  command.add_option("--adjudicate-draw", options.adjudicate_draw,
                     "end games whose players agree on a draw: score=0.05,moves=10,after=80");
  command.add_option("--max-plies", config.max_plies, "longer games are cut; 0: by the family")
      ->capture_default_str()
      ->check(CLI::Range(0, 100'000));
  command
      .add_option("--cut", options.cut,
                  "games that are cut are counted apart, or as draws (apart, draws)")
      ->capture_default_str()
      ->check(CLI::IsMember({"apart", "draws", "draw"}));
  command
      .add_option("--temperature", config.temperature,
                  "of move selection until --temperature-plies; 0: always the best move")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 100.0));
  command
      .add_option("--temperature-plies", config.temperature_plies,
                  "counted from the start of the game; 0: the whole game")
      ->capture_default_str();
  command.add_flag("--search-defaults", options.search_defaults,
                   "search with the default settings instead of those of the nets' runs");
  command.add_option("--set", options.search_settings,
                     "a setting of both players' searches, as in search.cpuct=2");
  command.add_option("--seed", config.seed, "for openings and temperature")->capture_default_str();
  command.add_option("--threads", config.threads, "0: one per core")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  add_device_options(command, options.device);
  command.add_flag("--json", options.json, "print one JSON object");
  command
      .add_option("--record", options.record, "write the games to this file, one JSON line each")
      ->type_name("FILE");
  command.add_option("--pgn", options.pgn, "append the games to this file, as PGN")
      ->type_name("FILE");
}

MatchSetup setup_of(const MatchOptions& options) {
  if (options.names.size() < 2 || options.names.size() > 3)
    throw UsageError(
        "match takes [VARIANT] A B: two players, and the variant unless one of them is a net");
  const std::size_t first = options.names.size() - 2;
  MatchSetup setup{
      .variant = {},
      .players = {find_named_player(options.names[first]),
                  find_named_player(options.names[first + 1])},
      .config = options.config,
      .limits = {move_limits(options.limits),
                 move_limits(options.limits_b.any() ? options.limits_b : options.limits)},
      .search_defaults = options.search_defaults,
      .search_settings = options.search_settings};
  setup.variant =
      variant_of(first == 1 ? options.names[0] : "", {setup.players[0], setup.players[1]});
  MatchConfig& config = setup.config;
  config.games = options.games.value_or(options.sprt.empty() ? config.games : kSprtGames);
  config.cut = options.cut == "apart" ? CutGames::Apart : CutGames::Draws;
  try {
    if (!options.openings.empty()) config.openings = parse_opening_source(options.openings);
    if (!options.sprt.empty()) config.sprt = parse_sprt(options.sprt);
    if (options.adjudicate_win)
      parse_win_adjudication(*options.adjudicate_win, config.adjudication);
    if (options.adjudicate_draw)
      parse_draw_adjudication(*options.adjudicate_draw, config.adjudication);
  } catch (const std::exception& error) {
    throw UsageError(error.what());
  }
  return setup;
}

}  // namespace faultline
