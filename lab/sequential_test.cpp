// Capital of mixed bets, and where it reaches its limit.
#include "lab/sequential_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

namespace faultline {
namespace {

constexpr std::size_t kNodes = 64;
constexpr int kBisections = 40;
constexpr double kLeastScore = 1e-9;  // hypothetical scores are not 0 or 1

/// The shares of capital that are staked: Gauss and Chebyshev's nodes within 0 and 1, which have
/// equal weights.
std::array<double, kNodes> shares() {
  std::array<double, kNodes> nodes{};
  for (std::size_t i = 0; i < kNodes; ++i)
    nodes[i] =
        std::pow(std::sin(std::numbers::pi * (static_cast<double>(i) + 0.5) / (2.0 * kNodes)), 2);
  return nodes;
}

/// The logarithm of the capital of who bets that the score is above `score`. Falls in `score`.
double log_capital(const PairCounts& pairs, double score) {
  static const std::array<double, kNodes> kShares = shares();
  std::array<double, kNodes> logs{};
  for (std::size_t i = 0; i < kNodes; ++i)
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (pairs[k] > 0) {
        const double points = static_cast<double>(k) / 4;  // per game
        logs[i] += pairs[k] * std::log1p(kShares[i] * (points / score - 1));
      }
  const double most = std::ranges::max(logs);
  double sum = 0;
  for (const double log : logs)
    sum += std::exp(log - most);
  return most + std::log(sum / kNodes);
}

/// The opponent's results.
PairCounts turned(PairCounts pairs) {
  std::ranges::reverse(pairs);
  return pairs;
}

double lower_end(const PairCounts& pairs, double alpha) {
  const double limit = std::log(2 / alpha);
  double low = kLeastScore;
  double high = 1;
  if (log_capital(pairs, low) < limit) return 0;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = (low + high) / 2;
    (log_capital(pairs, middle) >= limit ? low : high) = middle;
  }
  return low;
}

}  // namespace

Interval anytime_score(const PairCounts& pairs, double alpha) {
  return {lower_end(pairs, alpha), 1 - lower_end(turned(pairs), alpha)};
}

double anytime_p(const PairCounts& pairs) {
  const double most = std::max(log_capital(pairs, 0.5), log_capital(turned(pairs), 0.5));
  return std::min(1.0, 2 * std::exp(-most));
}

const char* name(SequentialDecision decision) {
  constexpr std::array kNames = {"undecided", "better", "worse", "equivalent"};
  return kNames.at(static_cast<std::size_t>(decision));
}

SequentialDecision decision(const SequentialTest& test, const PairCounts& pairs) {
  using enum SequentialDecision;
  if (std::accumulate(pairs.begin(), pairs.end(), 0) == 0) return None;
  if (anytime_p(pairs) <= test.alpha)
    return log_capital(pairs, 0.5) > log_capital(turned(pairs), 0.5) ? FirstBetter : SecondBetter;
  if (test.indifference > 0) {
    const Interval score = anytime_score(pairs, test.alpha);
    if (score.low > score_of_elo(-test.indifference) &&
        score.high < score_of_elo(test.indifference))
      return Equivalent;
  }
  return None;
}

}  // namespace faultline
