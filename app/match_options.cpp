// Declares the options of `match`, and turns them into a match's setup.
#include "app/match_options.h"

#include <cstddef>

#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/net_players.h"
#include "app/whole_number.h"

namespace faultline {
namespace {

constexpr std::int64_t kDefaultVisits = 100;
/// The default of --games with an SPRT, which ends nearly all matches long before.
constexpr int kSprtGames = 100'000;

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
  command
      .add_option("PLAYERS", options.names,
                  "[VARIANT] A B. The variant may be omitted if A or B is a net. A player is " +
                      std::string(kPlayerHelp))
      ->required();
  command
      .add_option("--games", options.games,
                  "number of games; even: two from each opening (default 100; with --sprt at "
                  "most 100000)")
      ->transform(whole_number(2, 1'000'000));
  command.add_option("--sprt", options.sprt,
                     "stop when this test is decided: elo0=0,elo1=10,alpha=0.05,beta=0.05,"
                     "model=logistic (or normalised)");
  add_game_options(command, options.game);
  add_limit_options(command, options.limits_b, "-b");
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
  const GameOptions& game = options.game;
  const LimitOptions& limits_b = options.limits_b.any() ? options.limits_b : game.limits;
  MatchSetup setup{.variant = {},
                   .players = {find_named_player(options.names[first]),
                               find_named_player(options.names[first + 1])},
                   .config = {},
                   .limits = {move_limits(game.limits), move_limits(limits_b)},
                   .search_defaults = game.search_defaults,
                   .search_settings = game.search_settings};
  setup.variant =
      variant_of(first == 1 ? options.names[0] : "", {setup.players[0], setup.players[1]});
  MatchConfig& config = setup.config;
  config.games = options.games.value_or(options.sprt ? kSprtGames : config.games);
  config.seed = static_cast<std::uint64_t>(game.seed.value_or(1));
  config.threads = game.threads;
  config.max_plies = game.max_plies.value_or(config.max_plies);
  config.cut = game.cut == "draws" ? CutGames::Draws : CutGames::Apart;
  config.temperature = static_cast<float>(game.temperature.value_or(config.temperature));
  config.temperature_plies = game.temperature_plies.value_or(config.temperature_plies);
  if (game.openings) config.openings = parse_opening_source(*game.openings);
  if (game.strict) config.openings.strict = true;
  if (options.sprt) config.sprt = parse_sprt(*options.sprt);
  if (game.adjudicate_win) parse_win_adjudication(*game.adjudicate_win, config.adjudication);
  if (game.adjudicate_draw) parse_draw_adjudication(*game.adjudicate_draw, config.adjudication);
  return setup;
}

}  // namespace faultline
