// The sequential test: its likelihood ratios, its bounds, its errors in simulated matches, and
// normalised Elo.
#include "lab/sprt.h"

#include <array>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(Sprt, LikelihoodRatiosAgreeWithAnIndependentMaximisation) {
  // By another route: Newton's method on the dual of the likelihood under constraints on the mean
  // and the second moment, and golden-section search over the standard deviation.
  struct Case {
    PairCounts pairs;
    double logistic_0_10, logistic_3_1, normalised_0_10, normalised_3_1;  // elo0 0 or -3
  };
  const std::vector<Case> cases = {
      {{10, 100, 200, 150, 20}, 4.210410, 2.158801, 2.844800, 1.326585},
      {{24, 189, 446, 203, 18}, -2.112349, 0.255208, -0.626127, 0.099160},
      {{1, 2, 7, 9, 11}, 0.729302, 0.299251, 0.737784, 0.306204},
      {{0, 3, 20, 4, 0}, 0.049650, 0.102153, 0.057614, 0.033741},
      {{500, 9000, 20000, 9400, 560}, -61.668048, 29.973894, -4.739628, 13.792588}};
  for (const Case& c : cases) {
    EXPECT_NEAR(gsprt_llr(c.pairs, 0, 10, EloModel::Logistic), c.logistic_0_10, 2e-5);
    EXPECT_NEAR(gsprt_llr(c.pairs, -3, 1, EloModel::Logistic), c.logistic_3_1, 2e-5);
    EXPECT_NEAR(gsprt_llr(c.pairs, 0, 10, EloModel::Normalised), c.normalised_0_10, 2e-5);
    EXPECT_NEAR(gsprt_llr(c.pairs, -3, 1, EloModel::Normalised), c.normalised_3_1, 2e-5);
  }
}

TEST(Sprt, SwappingPlayersAndHypothesesChangesTheSign) {
  for (const EloModel model : {EloModel::Logistic, EloModel::Normalised})
    EXPECT_NEAR(gsprt_llr({3, 20, 50, 30, 9}, 0, 8, model),
                -gsprt_llr({9, 30, 50, 20, 3}, -8, 0, model), 1e-7);
}

TEST(Sprt, DecidesAtWaldsBounds) {
  const SprtConfig config{.elo0 = 0, .elo1 = 10, .alpha = 0.05, .beta = 0.1};
  const SprtState state = sprt_state(config, {});
  EXPECT_NEAR(state.lower, std::log(0.1 / 0.95), 1e-12);
  EXPECT_NEAR(state.upper, std::log(0.9 / 0.05), 1e-12);
  EXPECT_EQ(state.llr, 0);
  EXPECT_EQ(state.decision, SprtDecision::None);
  EXPECT_EQ(sprt_state(config, {10, 100, 200, 150, 20}).decision, SprtDecision::AcceptElo1);
  EXPECT_EQ(sprt_state(config, {20, 150, 200, 100, 10}).decision, SprtDecision::AcceptElo0);
  EXPECT_EQ(sprt_state(config, {20, 150, 200, 100, 10}).pairs, 480);
}

TEST(Sprt, ReadsItsHypothesesAndNamesWhatIsWrong) {
  const SprtConfig config = parse_sprt("elo0=-1.5, elo1=3,alpha=0.01,beta=0.1,model=normalised");
  EXPECT_EQ(config.elo0, -1.5);
  EXPECT_EQ(config.elo1, 3);
  EXPECT_EQ(config.alpha, 0.01);
  EXPECT_EQ(config.model, EloModel::Normalised);
  EXPECT_EQ(text(parse_sprt("elo0=0,elo1=5")), "elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic");
  const auto refusal = [](const char* text) -> std::string {
    try {
      parse_sprt(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("elo0=0").find("elo1 is missing"), std::string::npos);
  EXPECT_NE(refusal("elo0=5,elo1=5").find("must be below elo1"), std::string::npos);
  EXPECT_NE(refusal("elo0=0,elo1=5,aplha=0.1").find("did you mean 'alpha'?"), std::string::npos);
  EXPECT_NE(refusal("elo0=0,elo1=5,alpha=2").find("'alpha' is '2'"), std::string::npos);
  EXPECT_NE(refusal("elo0=0,elo1=5,model=bayes").find("logistic, normalised"), std::string::npos);
  EXPECT_NE(refusal("fast").find("not of the form key=value"), std::string::npos);
}

/// Probabilities of the results of pairs whose two games are independent of each other.
/// `score`: of a game; `draws`: their share.
std::array<double, 5> pair_probabilities(double score, double draws) {
  const double win = score - draws / 2, loss = 1 - draws - win;
  return {loss * loss, 2 * loss * draws, draws * draws + 2 * win * loss, 2 * win * draws,
          win * win};
}

/// The share of simulated matches that accept elo1, at most `most` pairs long.
double share_of_elo1(const SprtConfig& config, const std::array<double, 5>& probabilities,
                     int matches, int most) {
  std::mt19937_64 rng(11);
  int accepted = 0;
  for (int match = 0; match < matches; ++match) {
    PairCounts pairs{};
    for (int i = 0; i < most; ++i) {
      double u = static_cast<double>(rng() >> 11) * 0x1p-53;
      std::size_t result = 0;
      while (result < 4 && u >= probabilities[result])
        u -= probabilities[result++];
      ++pairs[result];
      const SprtDecision decision = sprt_state(config, pairs).decision;
      if (decision == SprtDecision::None) continue;
      accepted += decision == SprtDecision::AcceptElo1 ? 1 : 0;
      break;
    }
  }
  return static_cast<double>(accepted) / matches;
}

TEST(Sprt, ErrsAsOftenAsStatedWithLogisticElo) {
  // Wide hypotheses keep the simulation short. Three standard errors of 1000 matches are 0.02.
  const SprtConfig config{.elo0 = 0, .elo1 = 60, .alpha = 0.05, .beta = 0.05};
  const double elo0 = share_of_elo1(config, pair_probabilities(score_of_elo(0), 0.4), 1000, 4000);
  const double elo1 = share_of_elo1(config, pair_probabilities(score_of_elo(60), 0.4), 1000, 4000);
  EXPECT_LT(elo0, 0.05 + 0.02);
  EXPECT_GT(elo0, 0.01);
  EXPECT_GT(elo1, 0.95 - 0.02);
  EXPECT_LT(elo1, 0.99);
}

TEST(Sprt, ErrsAsOftenAsStatedWithNormalisedElo) {
  const SprtConfig config{
      .elo0 = 0, .elo1 = 80, .alpha = 0.05, .beta = 0.1, .model = EloModel::Normalised};
  const double draws = 0.5;
  // With win - loss = 2 d: the variance of a game is (1 - draws) / 4 - d²; d over its root is the
  // normalised Elo in units of 800 / ln 10.
  const double t = 80 * std::log(10.0) / 800;
  const double d = std::sqrt(t * t * (1 - draws) / 4 / (1 + t * t));
  const double elo0 = share_of_elo1(config, pair_probabilities(0.5, draws), 600, 4000);
  const double elo1 = share_of_elo1(config, pair_probabilities(0.5 + d, draws), 600, 4000);
  EXPECT_LT(elo0, 0.05 + 0.03);
  EXPECT_GT(elo1, 0.9 - 0.04);
}

TEST(NormalisedElo, IsTheScoreInStandardDeviationsOfAGame) {
  // Nine pairs in ten are even, one is won by half a point: the mean is 0.525.
  const auto estimate = normalised_elo({0, 0, 90, 10, 0});
  ASSERT_TRUE(estimate);
  const double deviation = std::sqrt(0.9 * 0.1) * 0.25;  // of a pair's mean
  EXPECT_NEAR(estimate->elo, 0.025 / (deviation * std::sqrt(2.0)) * 800 / std::log(10.0), 1e-9);
  EXPECT_LT(estimate->elo_95.low, estimate->elo);
  EXPECT_GT(estimate->elo_95.high, estimate->elo);
}

TEST(NormalisedElo, EqualsEloBetweenNearEqualPlayersThatNeverDraw) {
  const double score = score_of_elo(5);
  const auto p = pair_probabilities(score, 0);
  PairCounts pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] = static_cast<int>(std::lround(p[i] * 1e8));
  EXPECT_NEAR(normalised_elo(pairs)->elo, 5, 0.01);
}

TEST(NormalisedElo, NeedsTwoPairsThatEndedDifferently) {
  EXPECT_FALSE(normalised_elo({0, 0, 0, 0, 1}));
  EXPECT_FALSE(normalised_elo({0, 0, 50, 0, 0}));
  EXPECT_TRUE(normalised_elo({0, 0, 1, 1, 0}));
}

TEST(NormalisedElo, TheIntervalContainsTheTruthInNineteenOfTwentyMatches) {
  std::mt19937_64 rng(3);
  const double draws = 0.3, score = 0.58;
  const auto p = pair_probabilities(score, draws);
  const double truth = (score - 0.5) / std::sqrt((1 - draws) / 4 - (score - 0.5) * (score - 0.5)) *
                       800 / std::log(10.0);
  constexpr int kMatches = 3000;
  int hits = 0;
  for (int match = 0; match < kMatches; ++match) {
    PairCounts pairs{};
    for (int i = 0; i < 150; ++i) {
      double u = static_cast<double>(rng() >> 11) * 0x1p-53;
      std::size_t result = 0;
      while (result < 4 && u >= p[result])
        u -= p[result++];
      ++pairs[result];
    }
    const auto estimate = normalised_elo(pairs);
    if (estimate && estimate->elo_95.low <= truth && truth <= estimate->elo_95.high) ++hits;
  }
  EXPECT_NEAR(static_cast<double>(hits) / kMatches, 0.95, 0.015);
}

TEST(Sprt, NormalisedHypothesesFarFromEvenAreRefused) {
  EXPECT_NO_THROW(parse_sprt("elo0=-200,elo1=200,alpha=0.05,beta=0.05,model=normalised"));
  EXPECT_NO_THROW(parse_sprt("elo0=0,elo1=600,alpha=0.05,beta=0.05,model=logistic"));
  EXPECT_THROW(parse_sprt("elo0=0,elo1=201,alpha=0.05,beta=0.05,model=normalised"),
               std::invalid_argument);
  EXPECT_THROW(parse_sprt("elo0=-300,elo1=0,alpha=0.05,beta=0.05,model=normalised"),
               std::invalid_argument);
  // Up to there more points mean more evidence for the higher hypothesis.
  double last = -1e9;
  for (const PairCounts& pairs : {PairCounts{1, 2, 4, 3, 0}, PairCounts{1, 1, 4, 4, 0},
                                  PairCounts{0, 1, 4, 4, 1}, PairCounts{0, 0, 3, 5, 2}}) {
    const double llr = gsprt_llr(pairs, 0, 200, EloModel::Normalised);
    EXPECT_GT(llr, last);
    last = llr;
  }
  EXPECT_LT(gsprt_llr({1, 2, 4, 3, 0}, 0, 200, EloModel::Normalised), 0);
  EXPECT_GT(gsprt_llr({0, 0, 1, 5, 6}, 0, 200, EloModel::Normalised), 0);
}

}  // namespace
}  // namespace faultline
