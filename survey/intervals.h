// Ratios of sums over games, with intervals that hold though what happens within a game is not
// independent.
#pragma once

#include <span>

#include "lab/elo.h"

namespace faultline {

/// What one cluster adds to a ratio of two sums. A cluster is a game, or the two games from one
/// opening.
struct ClusterSum {
  double numerator = 0;
  double denominator = 0;
};

struct RatioEstimate {
  double value = 0;
  Interval interval;   // 95 %
  bool known = false;  // false: the sum of the denominators is 0
};

/// The sum of the numerators over that of the denominators. The interval is that of linearisation
/// (Cochran 1977, Sampling Techniques, section 6.3) with Student's quantile for clusters - 1
/// degrees of freedom; of one cluster it is unbounded.
RatioEstimate ratio_of_sums(std::span<const ClusterSum> clusters);

/// A share, whose numerators are not below 0 and not above their denominators: Wilson's interval
/// (1927) at the effective number of observations that the linearised variance stands for (Korn and
/// Graubard 1998), at most the number of observations; at 0 and 1, the number of clusters.
RatioEstimate share_of_sums(std::span<const ClusterSum> clusters);

/// t with P(|T| <= t) = 95 % for Student's T with `freedom` degrees, at least 1.
double student_quantile_95(int freedom);

}  // namespace faultline
