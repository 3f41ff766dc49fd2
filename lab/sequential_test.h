// Is a player better? A test that may be looked at after every pair of games and stopped at any
// time, and intervals that hold all along.
#pragma once

#include <cstdint>

#include "lab/elo.h"
#include "lab/sprt.h"

namespace faultline {

/// An interval for a player's expected score from the pairs of a match that contains it after every
/// number of pairs at once with probability of at least 1 - alpha (a confidence sequence), so that
/// a match may be stopped because of what it says. Test by betting: for a hypothetical score m, the
/// capital of a gambler who stakes a fixed share b of it on each pair, against odds that are fair
/// if the score is m, is a nonnegative martingale and by Ville's inequality exceeds 1 / alpha with
/// probability of at most alpha; no model of draws, no approximation, and no independence of the
/// pairs beyond a constant expectation. An end of the interval is the score at which capital, half
/// of alpha's, is exceeded. Shares are mixed over 64 nodes of the arcsine distribution, as in
/// Cover's universal portfolio, so that capital depends on the counts of pairs only. Waudby-Smith
/// and Ramdas 2024, "Estimating means of bounded random variables by betting", JRSS B 86, 1-27;
/// Orabona and Jun 2024, IEEE Transactions on Information Theory 70, 436-455.
Interval anytime_score(const PairCounts& pairs, double alpha);

/// The smallest alpha at which anytime_score() excludes 1/2, at most 1: a p-value that stays valid
/// wherever the match is stopped.
double anytime_p(const PairCounts& pairs);

/// When a comparison of two players ends.
struct SequentialTest {
  double alpha = 0.05;  // probability of any wrong decision; for several comparisons: divided
  /// Differences of less than so many Elo do not matter: a comparison also ends when its interval
  /// is within them. 0: it does not.
  double indifference = 0;
};

enum class SequentialDecision : std::uint8_t { None, FirstBetter, SecondBetter, Equivalent };

/// "undecided", "better", "worse", "equivalent": of the first player.
const char* name(SequentialDecision decision);

SequentialDecision decision(const SequentialTest& test, const PairCounts& pairs);

}  // namespace faultline
