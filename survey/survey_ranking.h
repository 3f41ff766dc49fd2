// A survey's variants in the order of how fair and how decisive they are.
#pragma once

#include <cstddef>
#include <vector>

#include "survey/intervals.h"
#include "survey/survey_results.h"

namespace faultline {

/// Variants in the order of an estimate, the least first.
struct Ranking {
  std::vector<std::size_t> order;
  /// Whether the variant at a place in `order` can be told from the first at 95 %, corrected for
  /// the number of comparisons (Bonferroni).
  std::vector<bool> differs;
};
/// `intervals`: 95 % intervals of the estimates; half of one stands for 1.96 standard errors.
Ranking ranking_of(const std::vector<double>& values, const std::vector<Interval>& intervals);
/// Whether there is an order to name: two variants or more, all with results at the most visits.
bool can_be_ranked(const SurveyResults& results);
/// Ranks variants by the distance of the first mover's score from one half, at the most visits.
/// Variants without results come last, here and below.
Ranking by_fairness(const SurveyResults& results);
/// Ranks variants by the share of games that are not decided, at the most visits.
Ranking by_decisiveness(const SurveyResults& results);

}  // namespace faultline
