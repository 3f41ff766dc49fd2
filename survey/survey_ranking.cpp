// Variants in order.
#include "survey/survey_ranking.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/normal.hpp>

namespace faultline {
namespace {

Ranking ranking_by(const SurveyResults& results, const auto& value_of, const auto& interval_of) {
  std::vector<double> values;
  std::vector<Interval> intervals;
  for (const VariantResult& variant : results.variants) {
    values.push_back(value_of(variant.visits.back()));
    intervals.push_back(interval_of(variant.visits.back()));
  }
  return ranking_of(values, intervals);
}

}  // namespace

Ranking ranking_of(const std::vector<double>& values, const std::vector<Interval>& intervals) {
  constexpr double kQuantile = 1.96;
  Ranking ranking;
  ranking.order.resize(values.size());
  std::iota(ranking.order.begin(), ranking.order.end(), std::size_t{0});
  std::ranges::stable_sort(ranking.order, {}, [&](std::size_t i) { return values[i]; });
  const auto deviation = [&](std::size_t i) {
    return (intervals[i].high - intervals[i].low) / 2 / kQuantile;
  };
  const std::size_t comparisons = std::max<std::size_t>(values.size(), 2) - 1;
  const double needed =
      boost::math::quantile(boost::math::normal(), 1 - 0.025 / static_cast<double>(comparisons));
  for (const std::size_t i : ranking.order) {
    const std::size_t best = ranking.order.front();
    const double spread = std::hypot(deviation(i), deviation(best));
    ranking.differs.push_back(i != best && values[i] - values[best] > needed * spread);
  }
  return ranking;
}

bool can_be_ranked(const SurveyResults& results) {
  return results.variants.size() >= 2 &&
         std::ranges::all_of(results.variants, [](const VariantResult& variant) {
           return variant.visits.back().games > variant.visits.back().cut;
         });
}

Ranking by_fairness(const SurveyResults& results) {
  return ranking_by(
      results,
      [](const VisitResult& at) {
        return at.games > at.cut ? std::abs(at.first_mover.score - 0.5) : 0.5;
      },
      [](const VisitResult& at) { return at.first_mover.score_95; });
}

Ranking by_decisiveness(const SurveyResults& results) {
  return ranking_by(
      results, [](const VisitResult& at) { return at.decided.known ? 1 - at.decided.value : 1; },
      [](const VisitResult& at) {
        return at.decided.known ? at.decided.interval : Interval{0, 1};
      });
}

}  // namespace faultline
