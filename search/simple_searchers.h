// Searchers without search: the network's move, and a random move.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

#include "search/searcher.h"

namespace faultline {

/// The legal moves of a position as root moves without visits. Unless `allowed` is empty, moves not
/// in it get weight 0.
template <Position P>
SearchResult unsearched(const P& position, std::span<const Move> allowed,
                        std::span<const float> priors, const Evaluation& value) {
  typename P::MoveList moves;
  position.legal_moves(moves);
  SearchResult result;
  result.value = value;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const bool may = allowed.empty() || std::ranges::find(allowed, moves[i]) != allowed.end();
    const float prior = may ? priors[i] : 0.0F;
    result.policy.push_back(may ? 1 + static_cast<std::uint32_t>(65535.0F * prior) : 0);
    result.root_moves.push_back({.move = moves[i],
                                 .visits = 0,
                                 .prior = prior,
                                 .value = value.value(),
                                 .draw = value.draw,
                                 .moves_left = value.moves_left});
  }
  return result;
}

template <Position P>
class PolicySearcher final : public Searcher<P> {
 public:
  void start(const PositionHistory<P>& history, const SearchLimits& limits,
             std::mt19937_64&) override {
    begin_ = Clock::now();
    position_ = history.position();
    repetitions_ = history.repetitions();
    allowed_ = limits.search_moves;
    state_ = State::Fresh;
  }
  bool gather(EvalBatch<P>& batch) override {
    if (state_ != State::Fresh) return false;
    typename P::MoveList moves;
    position_.legal_moves(moves);
    index_ = batch.add(position_, repetitions_, {moves.begin(), moves.end()});
    state_ = State::Waiting;
    return true;
  }
  void apply(const EvalBatch<P>& batch) override {
    if (state_ != State::Waiting) return;
    result_ = unsearched(position_, allowed_, batch.priors(index_), batch.evaluation(index_));
    result_.move = result_
                       .root_moves[static_cast<std::size_t>(
                           std::ranges::max_element(result_.policy) - result_.policy.begin())]
                       .move;
    result_.variation = {result_.move};
    result_.evaluations = 1;
    state_ = State::Done;
  }
  bool done() override { return state_ == State::Done; }
  SearchResult decide() const override {
    SearchResult result = result_;
    result.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    return result;
  }
  std::size_t waiting() const override { return state_ == State::Waiting ? 1 : 0; }

 private:
  using Clock = std::chrono::steady_clock;
  enum class State : std::uint8_t { Fresh, Waiting, Done };

  P position_{};
  int repetitions_ = 0;
  std::vector<Move> allowed_;
  State state_ = State::Done;
  std::size_t index_ = 0;  // of the root in the batch
  SearchResult result_;
  Clock::time_point begin_;
};

template <Position P>
class RandomSearcher final : public Searcher<P> {
 public:
  void start(const PositionHistory<P>& history, const SearchLimits& limits,
             std::mt19937_64& rng) override {
    const std::vector<float> priors(history.position().count_legal_moves(), 1.0F);
    result_ = unsearched(history.position(), limits.search_moves, priors, Evaluation{});
    std::vector<Move> choices;
    for (std::size_t i = 0; i < result_.policy.size(); ++i)
      if (result_.policy[i] > 0) choices.push_back(result_.root_moves[i].move);
    for (RootMove& move : result_.root_moves)
      move.prior /= static_cast<float>(choices.size());
    // The bias of the remainder is below 2^-55.
    result_.move = choices[static_cast<std::size_t>(rng() % choices.size())];
  }
  bool gather(EvalBatch<P>&) override { return false; }
  void apply(const EvalBatch<P>&) override {}
  bool done() override { return true; }
  SearchResult decide() const override { return result_; }
  std::size_t waiting() const override { return 0; }

 private:
  SearchResult result_;
};

}  // namespace faultline
