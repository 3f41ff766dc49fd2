// The alpha-beta search's evaluation of a position: material, where the pieces stand, mobility.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/board_picture.h"
#include "search/alpha_beta_params.h"
#include "search/centipawns.h"
#include "search/material.h"

namespace faultline {

/// The place of a square on its level, as a player sees it: both from 0 to 1.
struct SquareGeometry {
  double advancement = 0;  // from White's first row to the last
  double file = 0;         // left to right
};

/// The geometry by square, from the position's picture; squares that do not exist in it are in the
/// middle.
template <Position P>
std::array<SquareGeometry, kMaxSquares> square_geometry(const P& position) {
  std::array<SquareGeometry, kMaxSquares> all;
  all.fill({.advancement = 0.5, .file = 0.5});
  const BoardPicture picture = position.board_picture();
  std::vector<PictureBox> boxes(picture.levels.size());
  std::vector<bool> begun(picture.levels.size(), false);
  for (const PictureSquare& square : picture.squares) {
    const auto level = static_cast<std::size_t>(square.level);
    boxes[level] =
        begun[level] ? boxes[level].with(square.centre) : PictureBox{square.centre, square.centre};
    begun[level] = true;
  }
  for (const PictureSquare& square : picture.squares) {
    const PictureBox& box = boxes[static_cast<std::size_t>(square.level)];
    const PicturePoint extent = box.high - box.low;
    const PicturePoint at = square.centre - box.low;
    if (extent.x <= 0 || extent.y <= 0) continue;
    all[square.square] = {.advancement = at.y / extent.y, .file = at.x / extent.x};
  }
  return all;
}

/// Evaluates positions of one game. Works in every family, since it knows the board only by its
/// geometry: pieces gain by standing in the middle, pawns by advancing, kings by staying away
/// from the middle until few pieces are left. The weights interpolate between the two phases of the
/// game ("tapered evaluation").
template <Position P>
class StaticEvaluation {
 public:
  explicit StaticEvaluation(const AlphaBetaParams& params)
      : mobility_(params.mobility), has_placement_(params.placement) {}

  /// Prepares for the positions of a search from `root`.
  void prepare(const P& root) {
    const auto geometry = square_geometry(root);
    const PieceKinds& kinds = root.piece_kinds();
    for (std::size_t t = 0; t < kinds.size(); ++t)
      phases_[t] = phase_of(kinds[t]);
    const auto squares = static_cast<int>(root.board_picture().squares.size());
    opening_ = std::max(1, 24 * squares / 64);
    for (const Colour c : {Colour::White, Colour::Black})
      for (int t = 0; t < static_cast<int>(kinds.size()); ++t)
        for (std::size_t s = 0; s < kMaxSquares; ++s) {
          SquareGeometry at = geometry[s];
          if (c == Colour::Black) at.advancement = 1 - at.advancement;
          const PieceKind& kind = kinds[static_cast<std::size_t>(t)];
          const Weights w = has_placement_ ? placement(kind.like, at) : Weights{};
          const int value = kind.value;
          const int sign = c == Colour::White ? 1 : -1;
          weights(c, static_cast<PieceType>(t))[s] = {
              static_cast<std::int16_t>(sign * (value + w.opening)),
              static_cast<std::int16_t>(sign * (value + w.ending))};
        }
  }

  /// Material and placement, for the side to move.
  int evaluate(const P& position) const {
    int opening = 0;
    int ending = 0;
    int phase = 0;
    position.for_each_piece([&](Colour c, PieceType t, Square s) {
      const Weights w = weights(c, t)[s];
      opening += w.opening;
      ending += w.ending;
      phase += phases_[static_cast<std::size_t>(index(t))];
    });
    phase = std::min(phase, opening_);
    const int white = (opening * phase + ending * (opening_ - phase)) / opening_;
    return bounded((position.side_to_move() == Colour::White ? white : -white) + kTempo);
  }
  /// The score, so near to 0 that mobility added to it makes no mate.
  static int bounded(int score) {
    return std::clamp(score, -kMostWithoutMobility, kMostWithoutMobility);
  }
  /// The value of mobility, to be added: `own` and `other` are legal moves of the two sides, those
  /// of the side not to move from the last position in which it was to move.
  int mobility(int own, int other) const {
    return std::clamp(mobility_ * (own - other), -kMostMobility, kMostMobility);
  }
  /// No mobility is larger than this.
  int most_mobility() const { return mobility_ > 0 ? kMostMobility : 0; }

 private:
  struct Weights {
    std::int16_t opening = 0;
    std::int16_t ending = 0;
  };
  static constexpr int kTempo = 10;
  static constexpr int kMostMobility = 150;
  static constexpr int kMostWithoutMobility = kMaxScore - kMostMobility;
  /// How much of the opening is left while a piece is on the board: 24 on a full chess board.
  static int phase_of(const PieceKind& kind) {
    constexpr std::array<int, kPieceTypes> kPhase = {0, 1, 1, 2, 4, 0, 4, 3};
    if (kind.like != PieceType::None) return kPhase[static_cast<std::size_t>(index(kind.like))];
    return std::clamp(kind.value / 220, 0, 4);
  }

  static Weights placement(PieceType type, SquareGeometry at) {
    const double from_side = std::abs(2 * at.file - 1);         // 0 in the middle, 1 on the rim
    const double from_ends = std::abs(2 * at.advancement - 1);  // likewise
    const double centre = 1 - (from_side + from_ends) / 2;
    const double forward = std::max(0.0, at.advancement - 1.0 / 7);
    double opening = 0;
    double ending = 0;
    switch (type) {
      case PieceType::Pawn:
        opening = 40 * forward * forward + 45 * forward * (1 - from_side) - 10 * from_side;
        ending = 120 * forward * forward;
        break;
      case PieceType::Knight:
        opening = 60 * centre - 35;
        ending = 40 * centre - 25;
        break;
      case PieceType::Bishop:
        opening = 35 * centre - 17;
        ending = 20 * centre - 10;
        break;
      case PieceType::Rook:
        opening = 10 * (1 - from_side) + (at.advancement > 0.8 && at.advancement < 0.9 ? 15 : 0);
        ending = 0;
        break;
      case PieceType::Queen:
      case PieceType::Chancellor:
        opening = 10 * centre - 10 * at.advancement;
        ending = 30 * centre - 15;
        break;
      case PieceType::Ultra:
      case PieceType::None:
        opening = 30 * centre - 15;
        ending = 30 * centre - 15;
        break;
      case PieceType::King:
        opening = 25 * from_side - 50 * std::min(1.0, 2 * at.advancement);
        ending = 60 * centre - 30;
        break;
    }
    return {static_cast<std::int16_t>(std::lround(opening)),
            static_cast<std::int16_t>(std::lround(ending))};
  }

  using SquareWeights = std::array<Weights, kMaxSquares>;
  SquareWeights& weights(Colour c, PieceType t) {
    return weights_[static_cast<std::size_t>(index(c) * P::kTypes + index(t))];
  }
  const SquareWeights& weights(Colour c, PieceType t) const {
    return weights_[static_cast<std::size_t>(index(c) * P::kTypes + index(t))];
  }

  int mobility_;
  bool has_placement_;
  std::array<int, P::kTypes> phases_{};
  int opening_ = 24;  // phase at which the opening's weights hold alone
  std::array<SquareWeights, 2 * P::kTypes> weights_{};  // White's minus Black's
};

}  // namespace faultline
