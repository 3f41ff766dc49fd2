// Sequential probability ratio tests of a match: the pentanomial model, logistic or normalised Elo.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lab/elo.h"

namespace faultline {

enum class EloModel : std::uint8_t { Logistic, Normalised };

struct SprtConfig {
  double elo0 = 0;      // the null hypothesis: the difference is elo0
  double elo1 = 10;     // the alternative; above elo0
  double alpha = 0.05;  // probability of accepting elo1 where elo0 is true
  double beta = 0.05;   // probability of accepting elo0 where elo1 is true
  EloModel model = EloModel::Logistic;
};

/// "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalised": the last three are optional. Throws
/// std::invalid_argument that names the key and what is valid.
SprtConfig parse_sprt(std::string_view text);
/// The text that parse_sprt() reads, with every key.
std::string text(const SprtConfig& config);
/// Throws std::invalid_argument that names the field and its allowed values.
void check(const SprtConfig& config);

enum class SprtDecision : std::uint8_t { None, AcceptElo0, AcceptElo1 };

struct SprtState {
  double llr = 0;    // log-likelihood ratio of elo1 to elo0
  double lower = 0;  // elo0 is accepted at or below: log(beta / (1 - alpha)), Wald 1945
  double upper = 0;  // elo1 is accepted at or above: log((1 - beta) / alpha)
  int pairs = 0;
  SprtDecision decision = SprtDecision::None;
};

/// Counts of pairs by the first player's points: 0, ½, 1, 1½, 2.
using PairCounts = std::array<int, 5>;

/// The state after these pairs, whatever it was before: a decision is final only at the first pair
/// after which it is reached.
SprtState sprt_state(const SprtConfig& config, const PairCounts& pairs);

/// The log-likelihood ratio of the generalised SPRT: both hypotheses are composite, and each is
/// represented by the distribution that maximises the likelihood of the results under it. M. Van
/// den Bergh, "A practical introduction to the GSPRT" (2020); for normalised Elo his "Comments on
/// normalized Elo" (2021). As in Fishtest, a result that never occurred counts 0.001 times.
double gsprt_llr(const PairCounts& pairs, double elo0, double elo1, EloModel model);

struct NormalisedElo {
  double elo = 0;
  Interval elo_95;
};

/// Normalised Elo: the mean of a game's score beyond ½ in standard deviations of a game's score, as
/// half the variance of pairs gives it, times 800 / ln 10, so that it equals logistic Elo between
/// near-equal players that never draw. Unlike Elo it does not depend on openings and draws that add
/// nothing but noise, and it determines how many games a test takes. The interval is by the delta
/// method, with Student's quantiles. Nothing with fewer than two pairs, or if all ended alike.
std::optional<NormalisedElo> normalised_elo(const PairCounts& pairs);

}  // namespace faultline
