// Ratings by maximum likelihood, from games with draws and an advantage of the first move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lab/elo.h"
#include "lab/rating_games.h"

namespace faultline {

/// Games or settings that give no ratings: no games, an anchor that does not play.
class RatingError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the covariance counts as one observation.
enum class Observation : std::uint8_t {
  Game,     // the model's own covariance: the inverse of the negative Hessian
  Opening,  // the games of one opening together: a sandwich, robust to their dependence
};

struct RatingSettings {
  /// Standard deviation, in Elo, of the normal prior of every player's strength around the mean:
  /// keeps the ratings of players that won or lost everything finite.
  double prior_elo = 1000;
  /// The named player's rating; without an anchor, the mean rating is 0.
  std::optional<std::pair<std::string, double>> anchor = std::nullopt;
  Observation observation = Observation::Opening;
};

struct PlayerRating {
  std::string name;
  int group = 0;  // players of different groups are not linked by games
  double elo = 0;
  double deviation = 0;  // standard error of `elo`, relative to the anchor or the mean
  Interval elo_95;
  int wins = 0;
  int draws = 0;
  int losses = 0;
  /// The likelihood alone would put an infinite distance between this player and others of its
  /// group (Ford 1957): the prior decides how large it is.
  bool needs_prior = false;

  int games() const { return wins + draws + losses; }
  double points() const { return wins + 0.5 * draws; }
};

/// Two players that met. All numbers are for the first.
struct PairResult {
  std::size_t first = 0;  // indices into Ratings::players
  std::size_t second = 0;
  int games = 0;
  double points = 0;
  double expected = 0;  // points, by the ratings
  /// (points - expected) over its standard error: about standard normal if the model holds. 0 where
  /// the ratings follow from this pairing alone and fit it exactly.
  double residual = 0;
};

/// The model's parameters for the games of one variant.
struct VariantFit {
  std::string variant;
  int games = 0;
  double advantage_elo = 0;  // of the first move
  double advantage_deviation = 0;
  double draw_share = 0;  // of games between equals, without advantage
  Interval draw_share_95;
};

/// Pearson's test of the pairings' scores against the ratings; small p: results are not transitive,
/// or games not independent.
struct FitTest {
  double chi_square = 0;
  int freedom = 0;  // pairings beyond those that determine the ratings; 0: nothing to test
  double p = 1;
};

struct Ratings {
  std::vector<PlayerRating> players;  // best first
  std::vector<PairResult> pairs;      // that met, in the order of `players`
  std::vector<VariantFit> variants;
  FitTest fit;
  int groups = 0;
  int games = 0;
  int without_result = 0;
  int against_itself = 0;
  Observation observation = Observation::Game;  // as used: Game if no games share an opening
  double prior_elo = 0;
  double log_likelihood = 0;  // without the prior
  int iterations = 0;         // of Newton's method
  /// The degrees of freedom of Student's t distribution, which all intervals and likelihoods of
  /// superiority use: estimated variances have few where there are few openings. Infinite (normal)
  /// if games are independent.
  double freedom = std::numeric_limits<double>::infinity();
  double quantile_95 = 0;  // half of a 95 % interval is as many standard errors
  /// [players, players] of the strengths, in Elo²; the prior bounds what no game determines.
  std::vector<double> covariance;

  double covariance_of(std::size_t i, std::size_t j) const {
    return covariance[i * players.size() + j];
  }
  /// Standard error of the difference between two players' ratings, in Elo.
  double difference_deviation(std::size_t i, std::size_t j) const;
  /// Likelihood that player i is stronger than player j; nothing if no games link them.
  std::optional<double> superiority(std::size_t i, std::size_t j) const;
};

/// Bradley and Terry's model with Davidson's ties and an advantage of the first move;
/// docs/ratings.md has the formulas and the papers. With strengths s, advantage a and draw
/// parameter d, White wins, draws and loses in the ratio
///   exp((s_white - s_black + a) / 2) : exp(d) : exp(-(s_white - s_black + a) / 2).
/// Throws RatingError.
Ratings rate(const RatingGames& games, const RatingSettings& settings = {});

/// White's chances if it is `elo` stronger than Black (the first move's advantage included).
struct ResultChances {
  double loss = 0;
  double draw = 0;
  double win = 0;

  double score() const { return win + draw / 2; }
};
/// `draw_share`: of games between equals, 0 … 1.
ResultChances result_chances(double elo, double draw_share);

}  // namespace faultline
