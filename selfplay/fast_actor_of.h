// The actor of a run that trains a fast network alone: games of two alpha-beta searches with it,
// one after another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "model/fast/fast_encoder.h"
#include "model/inference/network_evaluator.h"
#include "play/game_driver.h"
#include "record/config.h"
#include "record/game_record.h"
#include "rules/history.h"
#include "search/material.h"
#include "search/searcher.h"
#include "selfplay/actor_of.h"
#include "selfplay/linked_actor.h"

namespace faultline {

/// Also without a mate in sight.
template <Position P>
bool is_quiet(const P& position, const SearchResult& result) {
  return is_quiet(position, result.move) && !result.mate_plies;
}

/// Finds positions off the played line and what they are worth, as a fast network must know the
/// moves that are not played: a random move, the best answers until the position is quiet, and the
/// value that a small search finds there (in the manner of TreeStrap, Veness et al. 2009, which
/// learns from all positions of a search tree).
template <Position P>
class AsideSearch {
 public:
  AsideSearch(int nodes, std::shared_ptr<const PositionEvaluation<P>> evaluation)
      : searcher_(make_alpha_beta_searcher<P>({.table_mb = 1}, false, std::move(evaluation))) {
    limits_.nodes = static_cast<std::uint64_t>(nodes);
  }

  /// Nothing if the line ends, or is not quiet soon. `position`: the game must not be over in it.
  std::optional<Aside> find(const P& position, std::mt19937_64& rng) {
    typename P::MoveList moves;
    position.legal_moves(moves);
    Aside aside;
    P at = position;
    Move next = moves[std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(rng)];
    for (int answers = 0; answers < kMostAnswers; ++answers) {
      at.play(next);
      aside.moves.push_back(next);
      if (is_over(at.outcome(at.count_legal_moves() > 0))) return std::nullopt;
      searcher_->start(PositionHistory<P>(at), limits_, rng);
      while (searcher_->gather(no_leaves_)) {
      }
      const SearchResult result = searcher_->decide();
      if (is_quiet(at, result)) {
        aside.win = pack_probability(result.value.win);
        aside.draw = std::min(pack_probability(result.value.draw),
                              static_cast<std::uint16_t>(65535 - aside.win));
        return aside;
      }
      next = result.move;
    }
    return std::nullopt;
  }

 private:
  static constexpr int kMostAnswers = 4;
  std::unique_ptr<Searcher<P>> searcher_;
  SearchLimits limits_;
  EvalBatch<P> no_leaves_;
};

template <Position P>
class FastActorOf final : public LinkedActor {
 public:
  /// See make_actor().
  FastActorOf(const typename P::Variant& variant, const Config& config, const ActorLinks& links,
              ActorCounts& counts)
      : LinkedActor(links), variant_(&variant), config_(&config), counts_(&counts) {}

  void run() override {
    use_newest_net();
    while (follow_orders()) {
      const std::optional<std::uint64_t> number = next_number();
      if (!number) return;
      play(*number);
    }
  }

 private:
  /// Records a game's quiet positions, with some off its line, as training targets.
  class Recorder final : public GameObserver<P> {
   public:
    Recorder(FastActorOf& actor, GameRecorder<P>& game, std::uint64_t seed)
        : actor_(&actor), game_(&game), rng_(seed) {}

    void on_ply(const PlayedPly<P>& played) override {
      const P& position = played.history.position();
      PlayedPly<P> recorded = played;
      recorded.full_search = is_quiet(position, *played.result);
      game_->on_ply(recorded);
      actor_->links().games->goes_on(game_->record());
      if (actor_->teacher_) teach(position, std::min(played.history.repetitions(), 1));
      ActorCounts& counts = *actor_->counts_;
      counts.evaluations.fetch_add(played.result->evaluations, std::memory_order_relaxed);
      if (!actor_->asides_) return;
      if (auto aside = actor_->asides_->find(position, rng_)) {
        if (actor_->teacher_) {
          P end = position;
          for (const Move move : aside->moves)
            end.play(move);
          teach(end, 0);
        }
        game_->last_ply().asides.push_back(std::move(*aside));
        counts.targets.fetch_add(1, std::memory_order_relaxed);
      }
    }
    std::optional<Outcome> adjudicate() override {
      if (!actor_->links().orders->current().ended) return std::nullopt;
      dropped_ = true;
      return Outcome::Adjudicated;
    }
    void on_end(const PositionHistory<P>& history, const GameEnd& end) override {
      if (!dropped_) game_->on_end(history, end);
    }
    bool dropped() const { return dropped_; }

    /// Replaces the values of the searched plies and of the asides by the teacher's.
    void take_teachers_values(GameRecord& game) {
      actor_->teacher_->evaluate(positions_);
      std::size_t next = 0;
      const auto take = [&](auto& to) {
        const Evaluation& value = positions_.evaluation(next++);
        to.win = pack_probability(value.win);
        to.draw =
            std::min(pack_probability(value.draw), static_cast<std::uint16_t>(65535 - to.win));
      };
      for (PlyRecord& ply : game.plies) {
        if (ply.searched) take(ply);
        for (Aside& aside : ply.asides)
          take(aside);
      }
    }

   private:
    /// `position`: not over.
    void teach(const P& position, int repetitions) {
      moves_.clear();
      position.legal_moves(moves_);
      positions_.add(position, repetitions, moves_);
    }

    FastActorOf* actor_;
    GameRecorder<P>* game_;
    std::mt19937_64 rng_;  // apart from the game's own choices
    typename P::MoveList moves_;
    EvalBatch<P> positions_;  // of the teacher, in the order of the record
    bool dropped_ = false;
  };

  void play(std::uint64_t number) {
    if (config_->run.deterministic) net_changed();  // a table knows nothing of other games
    const GameBeginning<P> beginning(*variant_, *config_, number);
    const SelfPlayConfig& config = config_->selfplay;
    Player<P> player;
    player.searcher = searcher_;
    player.budget.full.nodes = static_cast<std::uint64_t>(config_->fast.nodes);
    player.choice.temperature = player.choice.final_temperature = 0;
    player.resignation = {.below = static_cast<float>(config.resign_below),
                          .moves = config.resign_plies};
    constexpr std::uint64_t kStream = 0x617369646573U;
    GameRecorder<P> game(number, beginning.start.fen, beginning.opening, *counts_);
    game.saw_network(net().identity);
    Recorder recorder(*this, game,
                      mix_seed(static_cast<std::uint64_t>(config_->run.seed) ^ kStream, number));
    GameDriver<P> driver(beginning.history, {player, player},
                         {.max_plies = most_plies(config, family_of(beginning.history.start())),
                          .may_resign = beginning.may_resign},
                         beginning.rng, &recorder);
    EvalBatch<P> no_leaves;
    driver.gather(no_leaves);
    if (recorder.dropped()) {
      links().games->drop(game.record());
    } else {
      GameRecord record = game.take_record();
      if (teacher_) recorder.take_teachers_values(record);
      links().games->put(std::move(record));
    }
  }

  void net_changed() override {
    std::shared_ptr<const PositionEvaluation<P>> evaluation;
    if (net().identity.steps > 0 || config_->fast.start == FastStart::Nothing)
      evaluation = FastEncoder<P>::evaluation(*variant_, net().fast);
    searcher_ = make_alpha_beta_searcher<P>({.table_mb = 1}, false, evaluation);
    asides_.reset();
    if (config_->fast.aside_nodes > 0) asides_.emplace(config_->fast.aside_nodes, evaluation);
    if (net().backend && !teacher_)
      teacher_ = std::make_unique<NetworkEvaluator<P>>(*variant_, net().backend);
  }

  const typename P::Variant* variant_;
  const Config* config_;
  ActorCounts* counts_;
  std::shared_ptr<Searcher<P>> searcher_;
  std::optional<AsideSearch<P>> asides_;
  std::unique_ptr<NetworkEvaluator<P>> teacher_;  // fast.teacher; null: none
};

template <Position P>
std::unique_ptr<Actor> make_family_actor(const typename P::Variant& variant, const Config& config,
                                         const std::optional<StrategyText>& strategy,
                                         const ActorLinks& links, ActorCounts& counts) {
  if (config.fast.network == FastRun::Alone)
    return std::make_unique<FastActorOf<P>>(variant, config, links, counts);
  return std::make_unique<ActorOf<P>>(
      variant, config, strategy ? make_strategy<P>(variant, *strategy) : nullptr, links, counts);
}

}  // namespace faultline
