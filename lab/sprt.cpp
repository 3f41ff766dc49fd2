// Maximum likelihood under a given score or normalised Elo, and Wald's bounds.
#include "lab/sprt.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <boost/math/distributions/students_t.hpp>
#include <fmt/format.h>

#include "base/options.h"
#include "base/settings_text.h"

namespace faultline {
namespace {

constexpr std::size_t kResults = std::tuple_size_v<PairCounts>;
/// A probability per result of a pair.
using Distribution = std::array<double, kResults>;

/// The points per game of each result.
constexpr Distribution kScores = {0, 0.25, 0.5, 0.75, 1};
constexpr double kMostNormalisedElo = 200;

/// A result that never occurred counts so many times, so that no likelihood is 0.
constexpr double kUnseen = 1e-3;

/// Normalised Elo per standard deviation of a game.
const double kNormalisedScale = 800 / std::log(10.0);

double mean_of(const Distribution& p) {
  return std::inner_product(p.begin(), p.end(), kScores.begin(), 0.0);
}
double central_moment(const Distribution& p, double mean, int order) {
  double sum = 0;
  for (std::size_t i = 0; i < kResults; ++i)
    sum += p[i] * std::pow(kScores[i] - mean, order);
  return sum;
}

struct Sample {
  double pairs = 0;
  Distribution frequencies{};
};
Sample sample_of(const PairCounts& counts) {
  Sample sample;
  for (std::size_t i = 0; i < kResults; ++i) {
    sample.frequencies[i] = counts[i] > 0 ? counts[i] : kUnseen;
    sample.pairs += sample.frequencies[i];
  }
  for (double& share : sample.frequencies)
    share /= sample.pairs;
  return sample;
}

/// The distribution nearest to `frequencies` in likelihood under which the mean of `values` is 0:
/// p_i = f_i / (1 + x v_i), where x solves sum p_i v_i = 0 (Owen 2001, Empirical Likelihood, 2.9).
/// `values` must have both signs.
Distribution most_likely(const Distribution& frequencies, const Distribution& values) {
  const auto [least, most] = std::ranges::minmax(values);
  // All p_i are positive within these limits; the sum falls from +infinity to -infinity.
  double low = -1 / most;
  double high = -1 / least;
  double x = 0;
  for (int i = 0; i < 200 && high - low > 1e-15 * (std::abs(low) + std::abs(high)); ++i) {
    x = (low + high) / 2;
    double sum = 0;
    for (std::size_t k = 0; k < kResults; ++k)
      sum += frequencies[k] * values[k] / (1 + x * values[k]);
    (sum > 0 ? low : high) = x;
  }
  Distribution p;
  for (std::size_t k = 0; k < kResults; ++k)
    p[k] = frequencies[k] / (1 + x * values[k]);
  return p;
}

Distribution most_likely_with_score(const Distribution& frequencies, double score) {
  Distribution values;
  for (std::size_t i = 0; i < kResults; ++i)
    values[i] = kScores[i] - score;
  return most_likely(frequencies, values);
}

/// Under which (mean - 1/2) / standard deviation is `t`. The constraint is not linear in the
/// probabilities: it is replaced by its tangent at the last solution until that stays the same.
Distribution most_likely_with_t(const Distribution& frequencies, double t) {
  constexpr double kPrecision = 1e-12;
  Distribution p;
  p.fill(1.0 / kResults);
  for (int round = 0; round < 100; ++round) {
    const double mean = mean_of(p);
    const double deviation = std::sqrt(central_moment(p, mean, 2));
    Distribution values;
    for (std::size_t i = 0; i < kResults; ++i) {
      const double distance = (kScores[i] - mean) / deviation;
      values[i] = kScores[i] - 0.5 - t * deviation * (1 + distance * distance) / 2;
    }
    const Distribution next = most_likely(frequencies, values);
    double change = 0;
    for (std::size_t i = 0; i < kResults; ++i)
      change = std::max(change, std::abs(next[i] - p[i]));
    p = next;
    if (change < kPrecision) break;
  }
  return p;
}

Distribution most_likely_with_elo(const Distribution& frequencies, double elo, EloModel model) {
  if (model == EloModel::Logistic) return most_likely_with_score(frequencies, score_of_elo(elo));
  // The mean of a pair has half a game's variance.
  return most_likely_with_t(frequencies, elo / kNormalisedScale * std::sqrt(2.0));
}

std::vector<Option> options(SprtConfig& c) {
  return {
      {"elo0", &c.elo0, Range{-1000, 1000}, "The null hypothesis."},
      {"elo1", &c.elo1, Range{-1000, 1000}, "The alternative; above elo0."},
      {"alpha", &c.alpha, Range{1e-6, 0.5}, "Probability of accepting elo1 where elo0 is true."},
      {"beta", &c.beta, Range{1e-6, 0.5}, "Probability of accepting elo0 where elo1 is true."},
      {"model", EnumField(&c.model), Choices{{"logistic", "normalised"}}, "The kind of Elo."}};
}

}  // namespace

SprtConfig parse_sprt(std::string_view text) {
  SprtConfig config;
  const auto keys = assign_settings(options(config), text, ',', "--sprt");
  for (const char* needed : {"elo0", "elo1"})
    if (std::ranges::find(keys, needed) == keys.end())
      throw std::invalid_argument(fmt::format(
          "--sprt: {} is missing; give it as in elo0=0,elo1=10,alpha=0.05,beta=0.05", needed));
  check(config);
  return config;
}

std::string text(const SprtConfig& config) {
  return fmt::format("elo0={:g},elo1={:g},alpha={:g},beta={:g},model={}", config.elo0, config.elo1,
                     config.alpha, config.beta,
                     config.model == EloModel::Logistic ? "logistic" : "normalised");
}

void check(const SprtConfig& config) {
  SprtConfig copy = config;
  check_options(options(copy), "sprt");
  if (config.elo0 >= config.elo1)
    throw std::invalid_argument(
        fmt::format("--sprt: elo0 = {:g} must be below elo1 = {:g}", config.elo0, config.elo1));
  // Beyond, no distribution of pair results near the uniform one has so large a mean in units of
  // its deviation, and the search for the likeliest one has no place to start from.
  if (config.model == EloModel::Normalised &&
      std::max(std::abs(config.elo0), std::abs(config.elo1)) > kMostNormalisedElo)
    throw std::invalid_argument(
        fmt::format("--sprt: with model=normalised, elo0 and elo1 must be from -{0:g} to {0:g}",
                    kMostNormalisedElo));
}

double gsprt_llr(const PairCounts& pairs, double elo0, double elo1, EloModel model) {
  const Sample sample = sample_of(pairs);
  const Distribution p0 = most_likely_with_elo(sample.frequencies, elo0, model);
  const Distribution p1 = most_likely_with_elo(sample.frequencies, elo1, model);
  double sum = 0;
  for (std::size_t i = 0; i < kResults; ++i)
    sum += sample.frequencies[i] * std::log(p1[i] / p0[i]);
  return sample.pairs * sum;
}

SprtState sprt_state(const SprtConfig& config, const PairCounts& pairs) {
  SprtState state;
  state.lower = std::log(config.beta / (1 - config.alpha));
  state.upper = std::log((1 - config.beta) / config.alpha);
  state.pairs = std::accumulate(pairs.begin(), pairs.end(), 0);
  if (state.pairs == 0) return state;
  state.llr = gsprt_llr(pairs, config.elo0, config.elo1, config.model);
  if (state.llr <= state.lower) state.decision = SprtDecision::AcceptElo0;
  if (state.llr >= state.upper) state.decision = SprtDecision::AcceptElo1;
  return state;
}

std::optional<NormalisedElo> normalised_elo(const PairCounts& pairs) {
  const int count = std::accumulate(pairs.begin(), pairs.end(), 0);
  if (count < 2) return std::nullopt;
  Distribution p;
  for (std::size_t i = 0; i < kResults; ++i)
    p[i] = static_cast<double>(pairs[i]) / count;
  const double mean = mean_of(p);
  const double variance = central_moment(p, mean, 2);
  if (variance <= 0) return std::nullopt;
  const double deviation = std::sqrt(variance);
  const double t = (mean - 0.5) / deviation;
  // Of t as a function of the sample's mean and variance.
  const double skewness = central_moment(p, mean, 3) / (variance * deviation);
  const double kurtosis = central_moment(p, mean, 4) / (variance * variance);
  const double t_variance = std::max(0.0, 1 - t * skewness + t * t * (kurtosis - 1) / 4) / count;
  const double quantile =
      boost::math::quantile(boost::math::students_t(count - 1), 0.975) * std::sqrt(t_variance);
  const double scale = kNormalisedScale / std::sqrt(2.0);  // a game's deviation is sqrt(2) a pair's
  return NormalisedElo{.elo = scale * t,
                       .elo_95 = {scale * (t - quantile), scale * (t + quantile)}};
}

}  // namespace faultline
