// A searcher that evaluates itself, by material to a fixed depth: stands in for an alpha-beta
// search behind the Searcher interface.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>

#include "search/searcher.h"

namespace faultline::test {

template <Position P>
class MinimaxSearcher final : public Searcher<P> {
 public:
  explicit MinimaxSearcher(int depth) : depth_(depth) {}

  void start(const PositionHistory<P>& history, const SearchLimits& limits,
             std::mt19937_64&) override {
    position_ = history.position();
    limits_ = limits;
    result_ = {};
  }
  bool gather(EvalBatch<P>&) override {
    if (done()) return false;
    typename P::MoveList moves;
    position_.legal_moves(moves);
    float best = -2;
    for (const Move move : moves) {
      const bool may = limits_.search_moves.empty() ||
                       std::ranges::find(limits_.search_moves, move) != limits_.search_moves.end();
      P next = position_;
      next.play(move);
      const float value = may ? -value_of(next, depth_ - 1) : -2;
      if (value > best) {
        best = value;
        result_.move = move;
      }
      result_.root_moves.push_back({.move = move,
                                    .visits = 0,
                                    .prior = 0,
                                    .value = value,
                                    .draw = 0,
                                    .moves_left = 0,
                                    .mate_plies = value >= 1 ? 1 : 0});
    }
    for (const RootMove& move : result_.root_moves)
      result_.policy.push_back(move.move == result_.move ? 1 : 0);
    result_.value = {.win = (1 + best) / 2, .draw = 0, .loss = (1 - best) / 2, .moves_left = 0};
    return false;
  }
  void apply(const EvalBatch<P>&) override {}
  bool done() override { return !result_.policy.empty(); }
  SearchResult decide() const override { return result_; }
  std::size_t waiting() const override { return 0; }

 private:
  float value_of(const P& position, int depth) {
    ++result_.evaluations;
    typename P::MoveList moves;
    position.legal_moves(moves);
    const Outcome outcome = position.outcome(!moves.empty());
    if (is_over(outcome)) return static_cast<float>(score_for(outcome, position.side_to_move()));
    if (depth == 0) return material(position);
    float best = -2;
    for (const Move move : moves) {
      P next = position;
      next.play(move);
      best = std::max(best, -value_of(next, depth - 1));
    }
    return best;
  }
  static float material(const P& position) {
    constexpr std::array kWorth = {1.0F, 3.0F, 3.0F, 5.0F, 9.0F};
    const Colour us = position.side_to_move();
    float lead = 0;
    for (std::size_t t = 0; t < kWorth.size(); ++t)
      lead +=
          kWorth[t] * static_cast<float>(count(position.pieces(us, static_cast<PieceType>(t))) -
                                         count(position.pieces(~us, static_cast<PieceType>(t))));
    return lead / 200;
  }

  int depth_;
  P position_{};
  SearchLimits limits_;
  SearchResult result_;
};

}  // namespace faultline::test
