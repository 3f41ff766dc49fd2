// The actor of one family.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/seeds.h"
#include "model/inference/network_evaluator.h"
#include "play/game_driver.h"
#include "play/game_pool.h"
#include "record/config.h"
#include "record/game_record.h"
#include "record/levels.h"
#include "record/tree_memory.h"
#include "rules/history.h"
#include "search/evaluator.h"
#include "search/searcher.h"
#include "selfplay/family.h"
#include "selfplay/followed_strategy.h"
#include "selfplay/linked_actor.h"
#include "selfplay/timed_evaluator.h"
#include "strategy/strategy.h"

namespace faultline {

/// A player of a self-play game, without its searcher.
template <Position P>
Player<P> self_player(const Config& config, Evaluator<P>& evaluator) {
  const SearchConfig& search = config.search;
  const auto leaves = static_cast<std::uint32_t>(search.leaves_per_tree);
  return {.searcher = nullptr,
          .evaluator = &evaluator,
          .budget = {.full = {.visits = static_cast<std::uint32_t>(search.visits),
                              .least_new_visits = static_cast<std::uint32_t>(search.visits),
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
          .resignation = {.below = static_cast<float>(config.selfplay.resign_below),
                          .moves = config.selfplay.resign_plies}};
}

/// White and Black. They are the same player with one searcher, unless one follows a strategy.
template <Position P>
std::array<Player<P>, 2> self_players(const Config& config, Evaluator<P>& evaluator,
                                      std::uint64_t number,
                                      const std::shared_ptr<const MoveBias<P>>& strategy) {
  const SearchConfig& search = config.search;
  const std::size_t bytes = tree_memory(config).tree_bytes;
  Player<P> plain = self_player<P>(config, evaluator);
  plain.searcher = make_puct_searcher<P>(search.params, search.tree_reuse, bytes);
  if (!strategy) return {plain, plain};
  Player<P> follower = plain;
  follower.searcher =
      make_biased_puct_searcher<P>(search.params, strategy, search.tree_reuse, bytes);
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

/// Whether nobody may resign in the run's game of this number, which is a matter of chance.
inline bool is_played_out(const Config& config, std::uint64_t number) {
  constexpr std::uint64_t kStream = 0x706c617965646f75U;  // apart from the game's own choices
  std::mt19937_64 rng(mix_seed(static_cast<std::uint64_t>(config.run.seed) ^ kStream, number));
  return std::uniform_real_distribution<double>(0, 1)(rng) < config.selfplay.resign_playthrough;
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
  /// The last ply that was recorded; there must be one.
  PlyRecord& last_ply() { return record_.plies.back(); }
  /// The game so far.
  const GameRecord& record() const { return record_; }

 private:
  GameRecord record_;
  ActorCounts* counts_;
};

/// The random choices of a self-play game before its first search. They depend only on (seed,
/// number).
template <Position P>
struct GameBeginning {
  struct Start {
    std::string fen{};     // empty: the variant's
    int random_plies = 0;  // the most that follow
  };

  GameBeginning(const typename P::Variant& variant, const Config& config, std::uint64_t number)
      : rng(mix_seed(static_cast<std::uint64_t>(config.run.seed), number)),
        may_resign(!is_played_out(config, number)),
        start(start_of(config.selfplay, variant, number)),
        history(start.fen.empty() ? P::start(variant) : P::from_fen(variant, start.fen)),
        opening(random_plies(history, start.random_plies, rng)) {}

  std::mt19937_64 rng;
  bool may_resign;
  Start start;
  PositionHistory<P> history;
  std::vector<Move> opening;

 private:
  static Start start_of(const SelfPlayConfig& config, const typename P::Variant& variant,
                        std::uint64_t number) {
    const int levels =
        scheduled_levels<P>(variant, number, config.one_level_games, config.rising_level_games);
    if (levels == 0) return {.random_plies = config.random_plies};
    return {.fen = start_with_levels<P>(variant, levels),
            .random_plies = config.random_plies * levels / all_levels<P>(variant)};
  }
};

/// One self-play game. Its random choices depend only on (seed, number); with
/// search.leaves_per_tree = 1 and an evaluator that evaluates each position independently, so does
/// the whole game.
template <Position P>
struct SelfPlayGame {
  SelfPlayGame(const typename P::Variant& variant, const Config& config, Evaluator<P>& evaluator,
               std::uint64_t number, ActorCounts& counts,
               const std::shared_ptr<const MoveBias<P>>& strategy = nullptr)
      : SelfPlayGame(GameBeginning<P>(variant, config, number), config,
                     self_players<P>(config, evaluator, number, strategy), number, counts) {}

  GameRecorder<P> recorder;  // outlives the driver, which notifies it
  GameDriver<P> driver;

 private:
  /// The temperature's plies are those that are searched.
  static std::array<Player<P>, 2> from_first_search(std::array<Player<P>, 2> players,
                                                    std::size_t opening) {
    for (Player<P>& player : players)
      player.choice.temperature_plies += static_cast<int>(opening);
    return players;
  }
  SelfPlayGame(const GameBeginning<P>& beginning, const Config& config,
               const std::array<Player<P>, 2>& players, std::uint64_t number, ActorCounts& counts)
      : recorder(number, beginning.start.fen, beginning.opening, counts),
        driver(beginning.history, from_first_search(players, beginning.opening.size()),
               {.max_plies = most_plies(config.selfplay, family_of(beginning.history.start())),
                .may_resign = beginning.may_resign},
               beginning.rng, &recorder) {}
};

/// The games of one thread, in one group (the evaluator computes in submit(), as on a CPU) or
/// several (a device computes some groups' batches while another group searches).
template <Position P>
class ActorOf final : public LinkedActor {
 public:
  /// `config`, `links` and `counts`: see make_actor(). `strategy`: null for none. `evaluator`:
  /// plays in place of the networks of `links`, for tests and measurements; null: these play.
  /// `groups`: 0: as many as the network needs.
  ActorOf(const typename P::Variant& variant, const Config& config,
          std::shared_ptr<const MoveBias<P>> strategy, const ActorLinks& links, ActorCounts& counts,
          Evaluator<P>* evaluator = nullptr, std::size_t groups = 0)
      : LinkedActor(links),
        variant_(&variant),
        config_(&config),
        strategy_(std::move(strategy)),
        counts_(&counts),
        evaluator_(evaluator),
        groups_(groups),
        network_(variant, nullptr) {}

  void run() override {
    using Game = SelfPlayGame<P>;
    const SelfPlayConfig& config = config_->selfplay;
    use_newest_net();
    UniformEvaluator<P> uniform;
    Evaluator<P>* plays = evaluator_;
    if (plays == nullptr) plays = net().backend ? static_cast<Evaluator<P>*>(&network_) : &uniform;
    TimedEvaluator<P> evaluator(*plays, counts_->evaluator_nanoseconds);
    PoolHooks<P, Game> hooks;
    hooks.next_game = [&]() -> std::unique_ptr<Game> {
      const std::optional<std::uint64_t> number = next_number();
      if (!number) return nullptr;
      return std::make_unique<Game>(*variant_, *config_, evaluator, *number, *counts_, strategy_);
    };
    hooks.evaluated = [&](Game& game, const EvalBatch<P>& batch) {
      const bool known = batch.workspace && batch.workspace->network != NetworkIdentity{};
      game.recorder.saw_network(known ? batch.workspace->network : net().identity);
      links().games->goes_on(game.recorder.record());
    };
    hooks.finished = [&](Game& game) { links().games->put(game.recorder.take_record()); };
    hooks.dropped = [&](Game& game) { links().games->drop(game.recorder.record()); };
    hooks.submitting = [&](std::size_t leaves) {
      counts_->evaluations.fetch_add(leaves, std::memory_order_relaxed);
      counts_->batches.fetch_add(1, std::memory_order_relaxed);
    };
    hooks.go_on = [&] { return follow_orders(); };
    const std::size_t needed = net().backend ? net().backend->attributes().in_flight : 1;
    GamePool<P, Game>(
        {&evaluator},
        {.games = static_cast<std::size_t>(config.games_per_thread),
         .batch = net().batch > 0 ? net().batch : static_cast<std::size_t>(config.batch),
         .groups = groups_ > 0 ? groups_ : needed},
        std::move(hooks))
        .run();
  }

 private:
  void net_changed() override { network_.set_backend(net().backend, net().identity); }

  const typename P::Variant* variant_;
  const Config* config_;
  std::shared_ptr<const MoveBias<P>> strategy_;  // null: none
  ActorCounts* counts_;
  Evaluator<P>* evaluator_;  // null: network_, or a uniform one if there is none
  std::size_t groups_;
  NetworkEvaluator<P> network_;
};

}  // namespace faultline
