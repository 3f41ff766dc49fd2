// Wilson's interval at the effective number of games, Student's quantiles, Elo.
#include "lab/elo.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>
#include <fmt/core.h>

namespace faultline {
namespace {

/// Weight of the prior (independent decisive games) in the design effect, in clusters: elo_test.cpp
/// checks by simulation that it gives the nominal coverage, from three pairs on.
constexpr double kPriorClusters = 1;

/// t with P(|T| <= t) = 95 % for Student's T with `freedom` degrees.
double student_quantile(int freedom) {
  return boost::math::quantile(boost::math::students_t(freedom), 0.975);
}

/// The variance of the score over that of independent decisive games with the same score.
double design_effect(const PairTally& tally, double score) {
  const int games = tally.games();
  const int clusters = games - std::accumulate(tally.pairs.begin(), tally.pairs.end(), 0);
  const double decisive = score * (1 - score) / games;
  double effect = 1;
  if (clusters > 1 && decisive > 0) {
    double squares = 0;  // of points beyond what the score predicts
    for (std::size_t i = 0; i < tally.pairs.size(); ++i)
      squares += tally.pairs[i] * std::pow(0.5 * static_cast<double>(i) - 2 * score, 2);
    for (std::size_t i = 0; i < tally.singles.size(); ++i)
      squares += tally.singles[i] * std::pow(0.5 * static_cast<double>(i) - score, 2);
    const double variance = squares * clusters / (clusters - 1) / games / games;
    effect = variance / decisive;
  }
  return ((clusters - 1) * effect + kPriorClusters) / (clusters - 1 + kPriorClusters);
}

}  // namespace

int PairTally::games() const {
  return 2 * std::accumulate(pairs.begin(), pairs.end(), 0) +
         std::accumulate(singles.begin(), singles.end(), 0);
}

double PairTally::points() const {
  double twice = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    twice += static_cast<double>(i) * pairs[i];
  for (std::size_t i = 0; i < singles.size(); ++i)
    twice += static_cast<double>(i) * singles[i];
  return twice / 2;
}

PairTally tally_of(const Score& score) {
  PairTally tally;
  tally.singles = {score.losses, score.draws, score.wins};
  return tally;
}

Estimate estimate(const PairTally& tally) {
  Estimate result;
  const int games = tally.games();
  if (games == 0) {
    result.elo_95 = {elo_of_score(0), elo_of_score(1)};
    return result;
  }
  const double score = tally.points() / games;
  const int clusters = games - std::accumulate(tally.pairs.begin(), tally.pairs.end(), 0);
  const double effective = games / design_effect(tally, score);

  // One degree of freedom per cluster: the prior's weight replaces the one that the mean costs.
  const double z = student_quantile(clusters);
  const double spread = z * z / effective;
  const double centre = (score + spread / 2) / (1 + spread);
  const double half = std::sqrt(score * (1 - score) * spread + spread * spread / 4) / (1 + spread);
  result.score = score;
  result.score_95 = {std::clamp(centre - half, 0.0, 1.0), std::clamp(centre + half, 0.0, 1.0)};
  // Rounding must not move an end that is exact.
  if (score == 0) result.score_95.low = 0;
  if (score == 1) result.score_95.high = 1;
  result.elo = elo_of_score(score);
  result.elo_95 = {elo_of_score(result.score_95.low), elo_of_score(result.score_95.high)};
  // Above 97.5 % exactly where the interval is above one half: Wilson's takes the variance at the
  // tested score, here 1/4.
  result.superiority =
      boost::math::cdf(boost::math::students_t(clusters), (score - 0.5) * 2 * std::sqrt(effective));
  result.effective_games = effective;
  return result;
}

double elo_of_score(double score) {
  if (score <= 0) return -std::numeric_limits<double>::infinity();
  if (score >= 1) return std::numeric_limits<double>::infinity();
  return 400 * std::log10(score / (1 - score));
}

double score_of_elo(double elo) {
  return 1 / (1 + std::pow(10, -elo / 400));
}

std::string score_text(const Score& score) {
  return fmt::format("+{} ={} -{}", score.wins, score.draws, score.losses);
}

}  // namespace faultline
