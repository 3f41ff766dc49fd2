// What the pieces are worth, by how games ended from positions with more or fewer of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/elo.h"
#include "rules/piece_kinds.h"
#include "survey/game_facts.h"

namespace faultline {

/// A piece more than the opponent, all else being equal.
struct PieceWorth {
  std::string piece;        // "knight"
  std::string region = {};  // "" for the whole board
  int games = 0;            // in which the sides' numbers differed
  double value = 0;         // of the first mover's score's log odds
  Interval value_95;
  std::optional<double> pawns;       // none by region, and none if a pawn's interval has 0
  std::optional<Interval> pawns_95;  // none: unbounded
};

struct PieceValues {
  std::string missing = {};  // why there are none, "" if there are
  int games = 0;             // with a result and a quiet position
  int positions = 0;
  double penalty = 0;
  double first_move = 0;  // log odds of the first mover at equal material
  Interval first_move_95;
  double tempo = 0;  // of being to move
  Interval tempo_95;
  std::vector<PieceWorth> whole_board = {};
  std::vector<PieceWorth> by_region = {};
  std::vector<std::string> rare = {};  // left out: they differed in too few games
};

/// A logistic regression (survey/logistic_regression.h) of the result, with draws as one half, on
/// the differences of material in the games' samples. A game's samples together weigh as much as
/// one observation; `clusters` has a number per game, equal for games that are not independent of
/// each other. `regions`: the names of those of the samples; `kinds`: the variant's pieces. Games
/// without a result are left out.
PieceValues piece_values(std::span<const GameFacts> games, std::span<const int> clusters,
                         const std::vector<std::string>& regions, const PieceKinds& kinds);

/// The 95 % confidence set of a ratio of two estimates with these variances and this covariance
/// (Fieller 1954, Journal of the Royal Statistical Society B 16, 175-185) at `quantile` standard
/// errors; nothing if it is unbounded, because the denominator may be 0.
std::optional<Interval> ratio_interval(double numerator, double denominator,
                                       double numerator_variance, double denominator_variance,
                                       double covariance, double quantile);

}  // namespace faultline
