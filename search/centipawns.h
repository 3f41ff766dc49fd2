// Scores in centipawns, mate scores, and evaluations made from them.
#pragma once

#include <algorithm>
#include <cmath>

#include "search/evaluation.h"

namespace faultline {

/// Scores are centipawns for the side to move, within ±kMaxScore; beyond kMinMate they are mates:
/// kMateScore - n for a mate in n plies, the mating move included.
inline constexpr int kMateScore = 32000;
inline constexpr int kMinMate = 31000;
inline constexpr int kMaxScore = 30000;
/// Larger than every score; fits into 16 bits, as every score does.
inline constexpr int kInfiniteScore = 32500;

constexpr bool is_mate(int score) {
  return score >= kMinMate || score <= -kMinMate;
}
/// Plies to the mate: positive if the side to move mates, negative if it is mated. `score` must be
/// a mate.
constexpr int mate_plies_of(int score) {
  return score > 0 ? kMateScore - score : -(kMateScore + score);
}

/// Win and loss are logistic in the score, with the midpoint at ±150 centipawns and a slope of 100
/// centipawns; the rest is the probability of a draw: an even position is drawn in 64 % of games, a
/// lead of a pawn and a half wins in 50 %, of four pawns in 92 %.
inline Evaluation evaluation_of_centipawns(int score) {
  constexpr float kMidpoint = 150;
  constexpr float kSlope = 100;
  const auto logistic = [](float x) { return 1 / (1 + std::exp(-x)); };
  Evaluation e;
  e.win = logistic((static_cast<float>(score) - kMidpoint) / kSlope);
  e.loss = logistic((-static_cast<float>(score) - kMidpoint) / kSlope);
  e.draw = 1 - e.win - e.loss;
  return e;
}
/// A bonus of a strategy, win - loss, in centipawns: what it would be worth in an even position.
/// More than the whole range of values counts as that, so that no score with it is a mate.
inline int centipawns_of_bonus(float bonus) {
  constexpr float kMost = 2;
  bonus = std::clamp(bonus, -kMost, kMost);
  const float slope = evaluation_of_centipawns(1).value() - evaluation_of_centipawns(0).value();
  return static_cast<int>(std::lround(bonus / slope));
}
/// The evaluation for a score that may be a mate.
inline Evaluation evaluation_of_score(int score) {
  if (!is_mate(score)) return evaluation_of_centipawns(score);
  const int plies = mate_plies_of(score);
  return {.win = plies > 0 ? 1.0F : 0.0F,
          .draw = 0,
          .loss = plies > 0 ? 0.0F : 1.0F,
          .moves_left = static_cast<float>(plies > 0 ? plies : -plies)};
}

}  // namespace faultline
