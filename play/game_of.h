// Implements the interface of play/game.h for one family. For play/games.cpp only, which
// instantiates it.
#pragma once

#include <array>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/fast/fast_encoder.h"
#include "model/inference/network_evaluator.h"
#include "play/alpha_beta_analyser.h"
#include "play/game.h"
#include "play/game_driver.h"
#include "play/game_position_of.h"
#include "play/puct_analyser.h"
#include "search/material_evaluator.h"
#include "strategy/strategy.h"

namespace faultline {

/// The WebAssembly build, for one thread of a browser, is kept small: there, only analysers search.
#ifdef __EMSCRIPTEN__
inline constexpr bool kInBrowser = true;
#else
inline constexpr bool kInBrowser = false;
#endif
[[noreturn]] inline void throw_not_in_browser() {
  throw std::logic_error("the build for browsers searches by analysers alone");
}

template <Position P>
class GameSearcherOf final : public GameSearcher {
 public:
  /// `evaluator`: null if the searcher needs none.
  GameSearcherOf(std::unique_ptr<Searcher<P>> searcher, std::shared_ptr<GameEvaluator> evaluator)
      : searcher_(std::move(searcher)),
        evaluator_(std::dynamic_pointer_cast<GameEvaluatorOf<P>>(std::move(evaluator))) {}

  const std::shared_ptr<Searcher<P>>& searcher() const { return searcher_; }
  Evaluator<P>* evaluator() const { return evaluator_ ? &evaluator_->evaluator() : nullptr; }

  void start(const GamePosition& position, const SearchLimits& limits,
             std::mt19937_64& rng) override {
    answer_leaves();
    searcher_->start(history_of<P>(position), limits, rng);
  }
  bool step() override {
    if (searcher_->done()) return false;
    while (searcher_->gather(batch_)) {
    }
    answer_leaves();
    return !searcher_->done();
  }
  SearchResult decide() const override { return searcher_->decide(); }

 private:
  /// Evaluates the gathered leaves.
  void answer_leaves() {
    if (batch_.empty()) return;
    evaluator()->evaluate(batch_);
    searcher_->apply(batch_);
    batch_.clear();
  }

  std::shared_ptr<Searcher<P>> searcher_;
  std::shared_ptr<GameEvaluatorOf<P>> evaluator_;
  EvalBatch<P> batch_;
};

template <Position P>
class GameSessionOf final : public GameSession, private GameObserver<P> {
 public:
  GameSessionOf(const PositionHistory<P>& start, const std::array<GamePlayer, 2>& players,
                const GameRules& rules, std::mt19937_64 rng, GameWatcher* watcher)
      : players_(players),
        watcher_(watcher),
        position_(start),
        driver_(start, {side(players[0]), side(players[1])}, rules, rng, this) {}

  const GamePosition& position() const override { return position_; }
  bool is_over() const override { return driver_.is_over(); }
  const GameEnd& end() const override { return driver_.end(); }
  bool awaits_move() const override { return driver_.awaits_move(); }
  bool step() override {
    Evaluator<P>* const evaluator = driver_.mover().evaluator;  // of all leaves gathered now
    while (driver_.gather(batch_)) {
    }
    if (!batch_.empty()) {
      evaluator->evaluate(batch_);
      driver_.apply(batch_);
      batch_.clear();
    }
    position_ = GamePositionOf<P>(driver_.history());
    return !driver_.is_over() && !driver_.awaits_move();
  }
  void play(Move move) override {
    driver_.play(move);
    position_ = GamePositionOf<P>(driver_.history());
  }
  void resign(Colour loser) override { driver_.resign(loser); }

 private:
  static Player<P> side(const GamePlayer& player) {
    Player<P> result{
        .budget = player.budget, .choice = player.choice, .resignation = player.resignation};
    if (!player.searcher) return result;
    auto& searcher = dynamic_cast<GameSearcherOf<P>&>(*player.searcher);
    result.searcher = searcher.searcher();
    result.evaluator = searcher.evaluator();
    return result;
  }
  void on_ply(const PlayedPly<P>& ply) override {
    if (watcher_ != nullptr) watcher_->on_ply(GamePositionOf<P>(ply.history), ply.move, ply.result);
  }
  void on_end(const PositionHistory<P>& history, const GameEnd& end) override {
    if (watcher_ != nullptr) watcher_->on_end(GamePositionOf<P>(history), end);
  }

  std::array<GamePlayer, 2> players_;  // keeps the evaluators alive
  GameWatcher* watcher_;
  GamePositionOf<P> position_;
  EvalBatch<P> batch_;
  GameDriver<P> driver_;
};

template <Position P>
class GameOf final : public Game {
 public:
  explicit GameOf(const typename P::Variant& of) : variant_(&of), name_(of.canonical_name()) {}

  const FamilyInfo& family() const override { return family_of<P>(*variant_); }
  VariantDescription description() const override { return P::describe(*variant_); }
  const std::string& variant() const override { return name_; }
  const EncodingInfo& encoding() const override { return Encoder<P>::info(*variant_); }

  std::unique_ptr<GamePosition> start() const override {
    return std::make_unique<GamePositionOf<P>>(PositionHistory<P>(P::start(*variant_)));
  }
  std::unique_ptr<GamePosition> from_fen(std::string_view fen) const override {
    return std::make_unique<GamePositionOf<P>>(PositionHistory<P>(P::from_fen(*variant_, fen)));
  }

  std::shared_ptr<GameEvaluator> uniform_evaluator() const override {
    return std::make_shared<GameEvaluatorOf<P>>(std::make_unique<UniformEvaluator<P>>());
  }
  std::shared_ptr<GameEvaluator> material_evaluator() const override {
    return std::make_shared<GameEvaluatorOf<P>>(std::make_unique<MaterialEvaluator<P>>());
  }
  std::shared_ptr<GameEvaluator> network_evaluator(
      std::shared_ptr<Backend> backend) const override {
    return std::make_shared<GameEvaluatorOf<P>>(
        std::make_unique<NetworkEvaluator<P>>(*variant_, std::move(backend)));
  }
  std::unique_ptr<GameSearcher> puct_searcher(const TreeSearchSettings& settings,
                                              std::shared_ptr<GameEvaluator> evaluator,
                                              const StrategyText* strategy) const override {
    if constexpr (kInBrowser)
      throw_not_in_browser();
    else
      return std::make_unique<GameSearcherOf<P>>(
          strategy
              ? make_biased_puct_searcher<P>(
                    settings.params, make_strategy<P>(*variant_, *strategy), settings.tree_reuse)
              : make_puct_searcher<P>(settings.params, settings.tree_reuse),
          std::move(evaluator));
  }
  std::unique_ptr<GameSearcher> policy_searcher(
      std::shared_ptr<GameEvaluator> evaluator) const override {
    return std::make_unique<GameSearcherOf<P>>(make_policy_searcher<P>(), std::move(evaluator));
  }
  std::unique_ptr<GameSearcher> random_searcher() const override {
    return std::make_unique<GameSearcherOf<P>>(make_random_searcher<P>(), nullptr);
  }
  std::unique_ptr<Analyser> analyser(const AnalyserOptions& options,
                                     std::shared_ptr<GameEvaluator> evaluator) const override {
    return std::make_unique<PuctAnalyser<P>>(options, std::move(evaluator));
  }
  std::unique_ptr<Analyser> alpha_beta_analyser(const AnalyserOptions& options) const override {
    return std::make_unique<AlphaBetaAnalyser<P>>(options, evaluation(options.fast));
  }
  std::unique_ptr<GameSearcher> alpha_beta_searcher(const AlphaBetaParams& params,
                                                    std::shared_ptr<const FastNetwork> fast,
                                                    const StrategyText* strategy) const override {
    std::shared_ptr<const MoveBias<P>> bias;
    if constexpr (!kInBrowser)
      if (strategy) bias = make_strategy<P>(*variant_, *strategy);
    return std::make_unique<GameSearcherOf<P>>(
        make_alpha_beta_searcher<P>(params, false, evaluation(std::move(fast)), std::move(bias)),
        nullptr);
  }
  std::unique_ptr<GameSession> begin(const GamePosition& start, std::array<GamePlayer, 2> players,
                                     const GameRules& rules, std::mt19937_64 rng,
                                     GameWatcher* watcher) const override {
    if constexpr (kInBrowser)
      throw_not_in_browser();
    else
      return std::make_unique<GameSessionOf<P>>(history_of<P>(start), players, rules, rng, watcher);
  }

 private:
  std::shared_ptr<const PositionEvaluation<P>> evaluation(
      std::shared_ptr<const FastNetwork> fast) const {
    return fast ? FastEncoder<P>::evaluation(*variant_, std::move(fast)) : nullptr;
  }

  const typename P::Variant* variant_;
  std::string name_;
};

}  // namespace faultline
