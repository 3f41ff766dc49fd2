// Self-play: games between two equal players (one may follow a strategy), recorded, many of them on
// each actor thread.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/seeds.h"
#include "play/game_driver.h"
#include "play/game_pool.h"
#include "rules/history.h"
#include "search/evaluator.h"
#include "search/searcher.h"
#include "selfplay/config.h"
#include "selfplay/followed_strategy.h"
#include "selfplay/game_numbers.h"
#include "selfplay/game_record.h"
#include "selfplay/levels.h"
#include "selfplay/odds_start.h"
#include "selfplay/resign_threshold.h"
#include "selfplay/schedule.h"
#include "selfplay/start_archive.h"
#include "selfplay/timed_evaluator.h"
#include "selfplay/tree_memory.h"

namespace faultline {

/// Counters of all actors, for reports; they never decrease.
struct ActorCounts {
  std::atomic<std::uint64_t> games{0};        // finished
  std::atomic<std::uint64_t> moves{0};        // played after a search
  std::atomic<std::uint64_t> targets{0};      // of those, after a full search
  std::atomic<std::uint64_t> visits{0};       // evaluated leaves and terminal positions
  std::atomic<std::uint64_t> evaluations{0};  // positions sent to the evaluator
  std::atomic<std::uint64_t> batches{0};
  std::atomic<std::uint64_t> evaluator_nanoseconds{0};  // of all threads; see TimedEvaluator
  std::atomic<std::uint64_t> searches_cut{0};           // ended early: no room for their trees
  // Games played without resignation in which a side would have resigned; and of those, the ones
  // that this side did not lose.
  std::atomic<std::uint64_t> resign_tests{0};
  std::atomic<std::uint64_t> resign_errors{0};
};

/// What changes from game to game of a run.
template <Position P>
struct GameConditions {
  float resign_below = 0;                 // see Resignation
  const StartArchive* archive = nullptr;  // where selfplay.archive_share of the games start
  std::shared_ptr<const MoveBias<P>> strategy = nullptr;  // see selfplay/followed_strategy.h
  double done = 0;                                        // the fraction of the run, 0 to 1
};

/// A player of a self-play game, without its searcher.
template <Position P>
Player<P> self_player(const Config& config, Evaluator<P>& evaluator,
                      const GameConditions<P>& conditions = {}) {
  const SearchConfig search = search_at(config.search, conditions.done);
  const auto leaves = static_cast<std::uint32_t>(search.leaves_per_tree);
  return {.searcher = nullptr,
          .evaluator = &evaluator,
          .budget = {.full = {.visits = static_cast<std::uint32_t>(search.visits),
                              .least_new_visits = static_cast<std::uint32_t>(
                                  search.least_new_share * search.visits),
                              .leaves = leaves,
                              .root_noise = true},
                     // Without reduced searches but for forced moves, nothing checks that key.
                     .reduced = {.visits = static_cast<std::uint32_t>(
                                     std::min(search.reduced_visits, search.visits)),
                                 .leaves = leaves},
                     .full_probability = search.full_search_probability,
                     .forced_reduced = true},
          .choice = {.temperature = search.temperature,
                     .temperature_plies = search.temperature_plies,
                     .final_temperature = search.final_temperature},
          .resignation = {.below = conditions.resign_below, .moves = config.selfplay.resign_plies}};
}

/// White and Black. They are the same player with one searcher, unless one follows a strategy.
template <Position P>
std::array<Player<P>, 2> self_players(const Config& config, Evaluator<P>& evaluator,
                                      std::uint64_t number, const GameConditions<P>& conditions) {
  const SearchConfig& search = config.search;
  const std::size_t bytes = tree_memory(config).tree_bytes;
  Player<P> plain = self_player<P>(config, evaluator, conditions);
  plain.searcher = make_puct_searcher<P>(search.params, search.tree_reuse, bytes);
  if (!conditions.strategy) return {plain, plain};
  Player<P> follower = plain;
  follower.searcher =
      make_biased_puct_searcher<P>(search.params, conditions.strategy, search.tree_reuse, bytes);
  if (follower_in(number) == Colour::White) return {follower, plain};
  return {plain, follower};
}

/// Plays 0 to `most` random legal moves in `history` and returns them; none of them ends the game.
template <Position P>
std::vector<Move> random_plies(PositionHistory<P>& history, int most, std::mt19937_64& rng) {
  std::vector<Move> played;
  const int wanted = std::uniform_int_distribution<int>(0, most)(rng);
  typename P::MoveList moves;
  for (int i = 0; i < wanted; ++i) {
    history.position().legal_moves(moves);
    const Move move = moves[std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(rng)];
    PositionHistory<P> next = history;
    next.play(move);
    if (is_over(next.outcome())) break;  // the opening must not end the game
    history = std::move(next);
    played.push_back(move);
  }
  return played;
}

/// "" if the game is to start as usual.
inline std::string archived_start(double share, const StartArchive* archive, std::mt19937_64& rng) {
  if (archive == nullptr || share <= 0) return {};
  if (std::uniform_real_distribution<double>(0, 1)(rng) >= share) return {};
  return archive->draw(rng);
}

/// Records a game as it is played.
template <Position P>
class GameRecorder final : public GameObserver<P> {
 public:
  /// `start_fen`: empty for the variant's start position. `opening`: the plies before the players'
  /// first.
  GameRecorder(std::uint64_t number, std::string start_fen, std::span<const Move> opening,
               ActorCounts& counts)
      : counts_(&counts) {
    record_.number = number;
    record_.start_fen = std::move(start_fen);
    for (const Move move : opening)
      record_.plies.push_back({.move = move});
  }

  void on_ply(const PlayedPly<P>& played) override {
    const SearchResult& result = *played.result;
    PlyRecord ply;
    ply.move = played.move;
    ply.searched = true;
    ply.win = pack_probability(result.value.win);
    ply.draw =
        std::min(pack_probability(result.value.draw), static_cast<std::uint16_t>(65535 - ply.win));
    ply.target = played.full_search;
    if (ply.target) {
      ply.policy = result.policy;
      ply.surprise = pack_surprise(policy_surprise(result));
    }
    record_.plies.push_back(std::move(ply));
    counts_->moves.fetch_add(1, std::memory_order_relaxed);
    counts_->visits.fetch_add(result.new_visits, std::memory_order_relaxed);
    if (result.out_of_memory) counts_->searches_cut.fetch_add(1, std::memory_order_relaxed);
    if (played.full_search) counts_->targets.fetch_add(1, std::memory_order_relaxed);
  }
  void on_end(const PositionHistory<P>&, const GameEnd& end) override {
    record_.outcome = end.outcome;
    record_.resigned = end.resigned;
    counts_->games.fetch_add(1, std::memory_order_relaxed);
    if (!end.would_have_resigned) return;
    counts_->resign_tests.fetch_add(1, std::memory_order_relaxed);
    if (score_for(end.outcome, *end.would_have_resigned) >= 0)
      counts_->resign_errors.fetch_add(1, std::memory_order_relaxed);
  }

  /// Keeps the newest network that took part in the game.
  void saw_network(const NetworkIdentity& network) {
    if (network.steps >= record_.net.steps) record_.net = network;
  }
  /// The finished game; call once.
  GameRecord take_record() {
    assert(is_over(record_.outcome));
    return std::move(record_);
  }
  /// The game so far.
  const GameRecord& record() const { return record_; }

 private:
  GameRecord record_;
  ActorCounts* counts_;
};

/// One self-play game. Its random choices depend only on (seed, number) and the conditions; with
/// search.leaves_per_tree = 1 and an evaluator that evaluates each position independently, so does
/// the whole game.
template <Position P>
struct SelfPlayGame {
  SelfPlayGame(const typename P::Variant& variant, const Config& config, Evaluator<P>& evaluator,
               std::uint64_t number, ActorCounts& counts, const GameConditions<P>& conditions = {})
      : SelfPlayGame(Beginning(variant, config, number, conditions.archive), config,
                     self_players<P>(config, evaluator, number, conditions), number, counts) {}

  GameRecorder<P> recorder;  // outlives the driver, which notifies it
  GameDriver<P> driver;

 private:
  /// The random choices made before the first search.
  struct Beginning {
    Beginning(const typename P::Variant& variant, const Config& config, std::uint64_t number,
              const StartArchive* archive)
        : rng(mix_seed(static_cast<std::uint64_t>(config.run.seed), number)),
          may_resign(!is_played_out(config, number)),
          start(start_of(config.selfplay, variant, number, archive, rng)),
          history(start.fen.empty() ? P::start(variant) : P::from_fen(variant, start.fen)),
          opening(random_plies(history, start.random_plies, rng)) {}
    struct Start {
      std::string fen{};     // empty: the variant's
      int random_plies = 0;  // the most that follow
    };
    /// Apart from the first games, with few levels, the archive is asked first, so that its share
    /// is what it says; the other shares are of what the ones before leave.
    static Start start_of(const SelfPlayConfig& config, const typename P::Variant& variant,
                          std::uint64_t number, const StartArchive* archive, std::mt19937_64& rng) {
      if (const int levels = scheduled_levels<P>(variant, number, config.one_level_games,
                                                 config.rising_level_games);
          levels > 0)
        return start_of_levels(config, variant, levels);
      if (std::string fen = archived_start(config.archive_share, archive, rng); !fen.empty())
        return {.fen = std::move(fen)};
      if (std::string fen = odds_start<P>(variant, config.odds_share, rng); !fen.empty())
        return {.fen = std::move(fen)};
      if (const int levels = fewer_levels<P>(variant, config.fewer_levels_share, rng); levels > 0)
        return start_of_levels(config, variant, levels);
      return {.random_plies = config.random_plies};
    }
    static Start start_of_levels(const SelfPlayConfig& config, const typename P::Variant& variant,
                                 int levels) {
      return {.fen = start_with_levels<P>(variant, levels),
              .random_plies = config.random_plies * levels / all_levels<P>(variant)};
    }
    std::mt19937_64 rng;
    bool may_resign;
    Start start;
    PositionHistory<P> history;
    std::vector<Move> opening;
  };
  SelfPlayGame(const Beginning& beginning, const Config& config,
               const std::array<Player<P>, 2>& players, std::uint64_t number, ActorCounts& counts)
      : recorder(number, beginning.start.fen, beginning.opening, counts),
        driver(beginning.history, players,
               {.max_plies = most_plies(config.selfplay, P::info()),
                .may_resign = beginning.may_resign},
               beginning.rng, &recorder) {}
};

/// The actor's environment. The functions are called from all actor threads.
template <Position P>
struct ActorWorld {
  const typename P::Variant* variant = nullptr;
  const Config* config = nullptr;
  Evaluator<P>* evaluator = nullptr;
  std::size_t batch = 0;  // positions; 0: config->selfplay.batch, which then must not be 0
  GameNumbers* numbers = nullptr;
  const StartArchive* archive = nullptr;                  // see GameConditions
  const ResignThreshold* resign_below = nullptr;          // null: nobody resigns
  std::shared_ptr<const MoveBias<P>> strategy = nullptr;  // that one side follows, if any
  ActorCounts* counts = nullptr;
  /// Receives each finished game.
  std::function<void(GameRecord&&)> sink;
  /// May be null: receives the games that are dropped, as far as they were played.
  std::function<void(const GameRecord&)> dropped = nullptr;
  /// Called between batches: may block to let the learner catch up; false ends the actor.
  std::function<bool()> go_on;
  /// The network that evaluates now.
  std::function<NetworkIdentity()> network;
  /// The fraction of the run that is done now, 0 to 1; null: 0.
  std::function<double()> done = nullptr;
};

/// The games of one thread, in one group (the evaluator computes in submit(), as on a CPU) or two
/// (a device computes one group's batch while the other group searches).
template <Position P>
class Actor {
 public:
  Actor(ActorWorld<P> world, int groups)
      : world_(std::move(world)), groups_(static_cast<std::size_t>(groups)) {}

  /// Plays until go_on() returns false or no game is left to start. Games in progress are then
  /// dropped.
  void run() {
    using Game = SelfPlayGame<P>;
    const SelfPlayConfig& config = world_.config->selfplay;
    NetworkIdentity network;
    TimedEvaluator<P> evaluator(*world_.evaluator, world_.counts->evaluator_nanoseconds);
    PoolHooks<P, Game> hooks;
    hooks.next_game = [&]() -> std::unique_ptr<Game> {
      const auto number = world_.numbers->take();
      if (!number) return nullptr;
      const GameConditions<P> conditions = {
          .resign_below = world_.resign_below ? world_.resign_below->value() : 0,
          .archive = world_.archive,
          .strategy = world_.strategy,
          .done = world_.done ? world_.done() : 0};
      return std::make_unique<Game>(*world_.variant, *world_.config, evaluator, *number,
                                    *world_.counts, conditions);
    };
    hooks.leaf_added = [&](Game& game) { game.recorder.saw_network(network); };
    hooks.finished = [&](Game& game) { world_.sink(game.recorder.take_record()); };
    if (world_.dropped) hooks.dropped = [&](Game& game) { world_.dropped(game.recorder.record()); };
    hooks.submitting = [&](std::size_t leaves) {
      world_.counts->evaluations.fetch_add(leaves, std::memory_order_relaxed);
      world_.counts->batches.fetch_add(1, std::memory_order_relaxed);
    };
    hooks.go_on = [&] {
      if (!world_.go_on()) return false;
      network = world_.network();
      return true;
    };
    GamePool<P, Game>(
        {&evaluator},
        {.games = static_cast<std::size_t>(config.games_per_thread),
         .batch = world_.batch > 0 ? world_.batch : static_cast<std::size_t>(config.batch),
         .groups = groups_},
        std::move(hooks))
        .run();
  }

 private:
  ActorWorld<P> world_;
  std::size_t groups_;
};

}  // namespace faultline
