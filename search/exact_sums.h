// Sums of evaluations over any number of visits a search can make, without rounding.
#pragma once

#include <cstddef>
#include <cstdint>

#include "search/evaluation.h"

namespace faultline {

/// An evaluation in fixed point, rounded once, so that sums of it are exact, whatever their order,
/// and a part can be subtracted again. (A float's sum of plies loses the fractions of what is added
/// after 10^5 visits, and a float's count stops at 2^24.)
struct FixedEvaluation {
  static constexpr double kUnits = 0x1p24;      // of value and draw in 1
  static constexpr double kPlyUnits = 0x1p12;   // of moves_left in a ply
  static constexpr float kMostPlies = 0x1p18F;  // moves_left above it counts as this

  std::int64_t value = 0;  // win - loss
  std::int64_t draw = 0;
  std::int64_t moves_left = 0;

  FixedEvaluation() = default;
  explicit FixedEvaluation(const Evaluation& evaluation)
      : value(fixed(evaluation.value(), -1, 1, kUnits)),
        draw(fixed(evaluation.draw, 0, 1, kUnits)),
        moves_left(fixed(evaluation.moves_left, 0, kMostPlies, kPlyUnits)) {}

  /// Turns it into what was seen so many plies earlier, by the side whose turn it was.
  void step_back(std::size_t plies = 1) {
    if (plies % 2 != 0) value = -value;
    moves_left += static_cast<std::int64_t>(plies) * static_cast<std::int64_t>(kPlyUnits);
  }
  /// Turns it into what is seen one ply later, by the other side.
  void step_forward() {
    value = -value;
    moves_left -= static_cast<std::int64_t>(kPlyUnits);
  }

 private:
  /// NaN counts as the lowest.
  static std::int64_t fixed(float number, float lowest, float highest, double units) {
    const float inside = number > highest ? highest : number >= lowest ? number : lowest;
    const double scaled = static_cast<double>(inside) * units;
    return static_cast<std::int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
  }
};

/// The sum over up to 2^31 visits.
struct EvaluationSum {
  std::int64_t value = 0;
  std::int64_t draw = 0;
  std::int64_t moves_left = 0;

  void add(const FixedEvaluation& visit, std::uint32_t times = 1) {
    value += visit.value * times;
    draw += visit.draw * times;
    moves_left += visit.moves_left * times;
  }
  /// The sum of win - loss, rounded.
  float value_sum() const { return rounded(value, FixedEvaluation::kUnits); }
  /// The mean over `visits`, at least 1.
  Evaluation mean(std::uint32_t visits) const {
    return mean_evaluation(mean_of(value, visits, FixedEvaluation::kUnits),
                           mean_of(draw, visits, FixedEvaluation::kUnits),
                           mean_of(moves_left, visits, FixedEvaluation::kPlyUnits));
  }

 private:
  static float rounded(std::int64_t sum, double units) {
    return static_cast<float>(sum) * static_cast<float>(1 / units);
  }
  static float mean_of(std::int64_t sum, std::uint32_t visits, double units) {
    return static_cast<float>(static_cast<double>(sum) / (units * static_cast<double>(visits)));
  }
};

}  // namespace faultline
