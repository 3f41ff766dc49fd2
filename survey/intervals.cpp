// Linearisation, Wilson's interval, Student's quantiles.
#include "survey/intervals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/distributions/students_t.hpp>

namespace faultline {
namespace {

struct Sums {
  int clusters = 0;  // with a denominator above 0
  double numerator = 0;
  double denominator = 0;
  double variance = 0;  // of the ratio
};

Sums sums_of(std::span<const ClusterSum> clusters) {
  Sums sums;
  for (const ClusterSum& cluster : clusters) {
    if (cluster.denominator <= 0) continue;
    ++sums.clusters;
    sums.numerator += cluster.numerator;
    sums.denominator += cluster.denominator;
  }
  if (sums.clusters < 2) return sums;
  const double ratio = sums.numerator / sums.denominator;
  double squares = 0;
  for (const ClusterSum& cluster : clusters)
    if (cluster.denominator > 0)
      squares += std::pow(cluster.numerator - ratio * cluster.denominator, 2);
  sums.variance = squares * sums.clusters / (sums.clusters - 1) / std::pow(sums.denominator, 2);
  return sums;
}

}  // namespace

double student_quantile_95(int freedom) {
  return boost::math::quantile(boost::math::students_t(std::max(1, freedom)), 0.975);
}

RatioEstimate ratio_of_sums(std::span<const ClusterSum> clusters) {
  const Sums sums = sums_of(clusters);
  if (sums.clusters == 0) return {};
  const double ratio = sums.numerator / sums.denominator;
  const double half = sums.clusters < 2
                          ? std::numeric_limits<double>::infinity()
                          : student_quantile_95(sums.clusters - 1) * std::sqrt(sums.variance);
  return {.value = ratio, .interval = {ratio - half, ratio + half}, .known = true};
}

RatioEstimate share_of_sums(std::span<const ClusterSum> clusters) {
  const Sums sums = sums_of(clusters);
  if (sums.clusters == 0) return {};
  const double share = sums.numerator / sums.denominator;
  double effective = sums.clusters;
  if (sums.variance > 0)
    effective = std::min(sums.denominator, share * (1 - share) / sums.variance);
  const double t = student_quantile_95(sums.clusters - 1);
  const double spread = t * t / effective;
  const double centre = (share + spread / 2) / (1 + spread);
  const double half = std::sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread);
  // Rounding must not move an end that is exact.
  return {.value = share,
          .interval = {share <= 0 ? 0 : std::max(0.0, centre - half),
                       share >= 1 ? 1 : std::min(1.0, centre + half)},
          .known = true};
}

}  // namespace faultline
