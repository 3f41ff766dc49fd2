// Estimates the difference in strength from the results of a match.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace faultline {

/// Wins, draws and losses of the first player.
struct Score {
  int wins = 0;
  int draws = 0;
  int losses = 0;

  int games() const { return wins + draws + losses; }
  double points() const { return wins + 0.5 * draws; }
  friend bool operator==(const Score&, const Score&) = default;
};

/// A match as a sample: two games from one opening with colours swapped are one observation, as
/// they are not independent of each other.
struct PairTally {
  std::array<int, 5> pairs{};    // by the first player's points in both games: 0, ½, 1, 1½, 2
  std::array<int, 3> singles{};  // games whose partner was not played: 0, ½, 1 point

  /// `twice_points`: the first player's, times two (0 … 4, and 0 … 2 for a single game).
  void add_pair(int twice_points) { ++pairs.at(static_cast<std::size_t>(twice_points)); }
  void add_single(int twice_points) { ++singles.at(static_cast<std::size_t>(twice_points)); }
  int games() const;
  double points() const;
  friend bool operator==(const PairTally&, const PairTally&) = default;
};

/// Independent games with no pairs among them.
PairTally tally_of(const Score& score);

struct Interval {
  double low = 0;
  double high = 0;
};

struct Estimate {
  double score = 0.5;            // points per game, 0 … 1
  Interval score_95{0, 1};       // 95 % confidence interval
  double elo = 0;                // difference; infinite where the score is 0 or 1
  Interval elo_95;               // ends may be infinite
  double superiority = 0.5;      // likelihood that the first player is the stronger one
  double effective_games = 0.0;  // equivalent number of independent games without draws
};

/// The interval is Wilson's (1927), which never has zero width and stays within 0 … 1, at the
/// effective number of games: pairs are clusters, whose design effect (the variance of the score
/// over that of as many independent decisive games) is estimated from the pairs' results (Korn and
/// Graubard 1998, Survey Methodology 24, 193-201, with their t quantiles for few clusters). So
/// draws, and pairs that split because the opening favours a colour, narrow it. An estimate from
/// few pairs, or from pairs that all ended alike, is shrunk towards independent decisive games.
/// `superiority` is the corresponding test against a score of ½. No games: the interval is 0 … 1.
Estimate estimate(const PairTally& tally);

/// The difference that predicts `score`: 400 log10(s / (1 - s)); infinite at 0 and 1.
double elo_of_score(double score);
double score_of_elo(double elo);

/// "+3 =2 -1": wins, draws, losses.
std::string score_text(const Score& score);

}  // namespace faultline
