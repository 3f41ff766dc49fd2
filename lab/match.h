// Matches: two players, paired openings with colours swapped, many concurrent games.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "base/run_threads.h"
#include "lab/adjudication.h"
#include "lab/match_config.h"
#include "lab/match_result.h"
#include "lab/openings.h"
#include "lab/stop_flag.h"
#include "play/game_driver.h"
#include "play/game_pool.h"
#include "rules/history.h"
#include "search/evaluator.h"
#include "search/params.h"
#include "search/searcher.h"

namespace faultline {

/// A player of a match, in any number of concurrent games.
template <Position P>
struct MatchPlayer {
  std::function<std::unique_ptr<Searcher<P>>()> make_searcher;  // one per game
  std::shared_ptr<Evaluator<P>> evaluator = nullptr;            // null where searchers need none
  SearchLimits limits = {};                                     // of each move
  std::optional<float> temperature = std::nullopt;              // instead of the match's
  /// Whether its values are more than a constant: without them games are not adjudicated.
  bool has_opinion = true;
  bool follows_strategy = false;  // its searchers are biased
};

/// Searches each move up to `visits` root visits, including those of a reused subtree.
template <Position P>
MatchPlayer<P> puct_player(std::shared_ptr<Evaluator<P>> evaluator, int visits,
                           const SearchParams& params = {}) {
  return {.make_searcher = [params] { return make_puct_searcher<P>(params); },
          .evaluator = std::move(evaluator),
          .limits = {.visits = static_cast<std::uint32_t>(visits)}};
}
template <Position P>
MatchPlayer<P> random_player() {
  return {.make_searcher = make_random_searcher<P>, .has_opinion = false};
}

/// Two independent streams of seeds: for openings, and for random choices within a game.
std::uint64_t opening_seed(std::uint64_t seed);
std::uint64_t game_seed(std::uint64_t seed, int number);

/// Thrown by a game's observer where a match is stopped in the middle of a game.
struct MatchStopped {};

/// One game of a match, recorded as it is played. `stop_search` ends the searches of players that
/// evaluate positions themselves, as other engines do, which no batch interrupts.
template <Position P>
class GameOfMatch final : public GameObserver<P> {
 public:
  GameOfMatch(const MatchConfig& config, const std::array<MatchPlayer<P>, 2>& players,
              const Opening<P>& opening, int number, const MatchHooks& hooks,
              const std::atomic<bool>& stop_search)
      : driver(opening.history, sides(config, players, number, stop_search),
               {.max_plies = config.max_plies}, std::mt19937_64(game_seed(config.seed, number)),
               this),
        hooks_(&hooks),
        adjudicator_(config.adjudication) {
    record_.number = number;
    record_.start_fen = opening.start_fen;
    record_.opening = opening.moves;
    record_.opening_key = opening.history.position().key();
    record_.first_colour = first_colour(number);
    for (const Colour colour : {Colour::White, Colour::Black}) {
      const MatchPlayer<P>& player = players[colour == record_.first_colour ? 0 : 1];
      const auto side = static_cast<std::size_t>(index(colour));
      has_opinion_[side] = player.has_opinion;
      is_timed_[side] = player.limits.time.has_value();
    }
    for (std::size_t i = 0; i < 2; ++i)
      record_.strategies.at(i).follows = players[i].follows_strategy;
  }

  void on_ply(const PlayedPly<P>& ply) override {
    // Searchers that add no leaves play whole games between two batches.
    if (hooks_->stop && hooks_->stop()) throw MatchStopped{};
    const Colour mover = ply.history.position().side_to_move();
    const auto side = static_cast<std::size_t>(index(mover));
    record_.moves.push_back(ply.history.position().move_text(ply.move));
    record_.comments.push_back(comment(*ply.result, side));
    StrategyUse& use = record_.strategies.at(mover == record_.first_colour ? 0 : 1);
    if (use.follows)
      use += {.follows = true,
              .moves = 1,
              .lifted = ply.result->limits_lifted ? 1 : 0,
              .lifted_below = ply.result->lifted_below};
    verdict_ = adjudicator_.after_move(
        mover, has_opinion_[side] ? std::optional(ply.result->value) : std::nullopt,
        ply.history.plies() + 1);
  }
  std::optional<Outcome> adjudicate() override {
    is_adjudicated_ = verdict_.has_value();
    return verdict_;
  }
  void on_end(const PositionHistory<P>&, const GameEnd& end) override {
    // An engine that does not stop when it is told to has not lost its game.
    if (!end.failure.empty() && hooks_->stop && hooks_->stop()) throw MatchStopped{};
    record_.outcome = end.outcome;
    record_.failure = end.failure;
    record_.ending = !end.failure.empty()                  ? MatchEnding::Forfeit
                     : is_adjudicated_                     ? MatchEnding::Adjudicated
                     : end.outcome == Outcome::Adjudicated ? MatchEnding::Cut
                                                           : MatchEnding::Rules;
  }

  /// The finished game; call once.
  MatchGame take_record() { return std::move(record_); }

  GameDriver<P> driver;

 private:
  static Colour first_colour(int number) { return number % 2 == 0 ? Colour::White : Colour::Black; }
  static Player<P> side(const MatchConfig& config, const MatchPlayer<P>& player,
                        const std::atomic<bool>& stop_search) {
    SearchLimits limits = player.limits;
    if (!player.evaluator) limits.stop = &stop_search;
    const int plies = config.temperature_plies;
    return {.searcher = player.make_searcher(),
            .evaluator = player.evaluator.get(),
            .budget = {.full = limits},
            .choice = {.temperature = player.temperature.value_or(config.temperature),
                       .temperature_plies = plies > 0 ? plies : std::numeric_limits<int>::max()}};
  }
  static std::array<Player<P>, 2> sides(const MatchConfig& config,
                                        const std::array<MatchPlayer<P>, 2>& players, int number,
                                        const std::atomic<bool>& stop_search) {
    const std::size_t white = first_colour(number) == Colour::White ? 0 : 1;
    return {side(config, players[white], stop_search),
            side(config, players[1 - white], stop_search)};
  }
  /// A comment about the search, without times unless the player's searches are timed, so that
  /// games that are reproducible have reproducible texts.
  MoveComment comment(const SearchResult& result, std::size_t side) const {
    MoveComment comment;
    if (has_opinion_[side]) comment.value = result.value;
    comment.visits = result.visits;
    comment.nodes = result.nodes;
    comment.depth = result.depth;
    if (is_timed_[side]) comment.seconds = result.seconds;
    return comment;
  }

  const MatchHooks* hooks_;
  Adjudicator adjudicator_;
  std::array<bool, 2> has_opinion_{};  // by colour
  std::array<bool, 2> is_timed_{};
  std::optional<Outcome> verdict_;  // of the adjudicator on the last move
  bool is_adjudicated_ = false;
  MatchGame record_;
};

/// One thread's share of a match: every `step`-th of its pairs from the one at place `first`, until
/// all their games are played or `hooks.stop` returns true; passes finished games to `report`.
template <Position P, class Report>
void play_share(const MatchConfig& config, const std::array<MatchPlayer<P>, 2>& players,
                OpeningBook<P>& book, int first, int step, const MatchHooks& hooks,
                const std::atomic<bool>& stop_search, const Report& report) {
  int next = 2 * first;  // the place of the game to be started next
  PoolHooks<P, GameOfMatch<P>> pool;
  pool.next_game = [&]() -> std::unique_ptr<GameOfMatch<P>> {
    if (next >= config.games) return nullptr;
    const int number = config.game_at(next);
    next += next % 2 == 0 ? 1 : 2 * step - 1;
    return std::make_unique<GameOfMatch<P>>(config, players, book.at(config.opening_of(number)),
                                            number, hooks, stop_search);
  };
  pool.finished = [&](GameOfMatch<P>& game) { report(game.take_record()); };
  pool.go_on = [&] { return !hooks.stop(); };
  std::vector<Evaluator<P>*> evaluators;
  for (const MatchPlayer<P>& player : players)
    if (player.evaluator &&
        std::ranges::find(evaluators, player.evaluator.get()) == evaluators.end())
      evaluators.push_back(player.evaluator.get());
  const auto games = static_cast<std::size_t>(config.games_at_once);
  try {
    GamePool<P, GameOfMatch<P>>(evaluators, {.games = games, .batch = games}, std::move(pool))
        .run();
  } catch (const MatchStopped&) {  // by hooks.stop
  }
}

/// Plays the match with openings of `book`, whose source and seed must be those of `config`. The
/// same seed, players and number of threads give the same games, and so does any number of threads
/// if the evaluators evaluate each position independently. Throws std::invalid_argument for a
/// configuration that check() refuses and OpeningError for openings that cannot be made; passes on
/// what an evaluator or a hook throws.
template <Position P>
MatchResult play_match(MatchConfig config, const std::array<MatchPlayer<P>, 2>& players,
                       OpeningBook<P>& book, const MatchHooks& hooks = {}) {
  constexpr int kGamesAtOnce = 256;
  check(config);
  if (config.games_at_once == 0) config.games_at_once = kGamesAtOnce;
  if (config.max_plies == 0) config.max_plies = family_of<P>(book.variant()).most_plies;

  MatchLedger ledger(config, hooks);
  std::atomic<bool> failed{false};
  const auto report = [&](MatchGame game) { ledger.add(std::move(game)); };
  MatchHooks inner = hooks;
  inner.stop = [&] { return failed || ledger.decided() || (hooks.stop && hooks.stop()); };

  const bool is_without_batches = std::ranges::any_of(
      players, [](const MatchPlayer<P>& player) { return player.evaluator == nullptr; });
  const StopFlag stop_search(is_without_batches ? inner.stop : nullptr);
  const int threads = std::clamp(config.threads, 1, config.games / 2);
  try {
    run_threads(static_cast<std::size_t>(threads), failed, [&](std::size_t thread) {
      play_share<P>(config, players, book, static_cast<int>(thread), threads, inner,
                    stop_search.is_set(), report);
    });
  } catch (...) {
    ledger.finish();  // games that have ended are passed on all the same
    throw;
  }
  return ledger.finish();
}

/// Plays a match with openings of its own; `policy` is for those that are drawn from one.
template <Position P>
MatchResult play_match(const typename P::Variant& variant, const MatchConfig& config,
                       const std::array<MatchPlayer<P>, 2>& players, const MatchHooks& hooks = {},
                       std::shared_ptr<Evaluator<P>> policy = nullptr) {
  check(config);
  OpeningBook<P> book(variant, config.openings, opening_seed(config.seed), std::move(policy));
  return play_match<P>(config, players, book, hooks);
}

}  // namespace faultline
