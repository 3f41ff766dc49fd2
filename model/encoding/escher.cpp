// The network encoding of Escher Staircase: 21 planes on 8x8, seen from the side to move (board
// turned by 180 degrees). A half-turn maps the staircases onto each other, so that their planes are
// the same for both sides: they show the convolutions, which have no coordinates, where the board
// moves.
#include "rules/families/escher.h"

#include <string>

#include "model/encoding/encoder_impl.h"
#include "model/fast/fast_encoder_impl.h"

namespace faultline {
namespace {

using P = EscherPosition;

/// The squares from which a staircase carries by `step` squares.
Bitboard carried_by(int step) {
  Bitboard set = 0;
  for (const Staircase& staircase : P::staircases())
    for (std::size_t i = 0; i + 1 < staircase.squares.size(); ++i)
      if (staircase.squares[i + 1] - staircase.squares[i] == step)
        set |= square_set<Bitboard>(staircase.squares[i]);
  return set;
}

Plane<P> steps(const std::string& direction, int step) {
  return {.name = "staircase steps " + direction, .fixed = {carried_by(step), carried_by(-step)}};
}

Plane<P> returns() {
  Bitboard last = 0;
  for (const Staircase& staircase : P::staircases())
    last |= square_set<Bitboard>(staircase.squares.back());
  return {.name = "staircase returns to its start", .fixed = {last, last}};
}

}  // namespace

template <>
struct FamilyEncoding<EscherPosition> : RectangleEncoding<P, BlackView::HalfTurn> {
  static const Planes<P>& planes() {
    static const Planes<P> planes = {
        .of_level = joined<P>({en_passant_plane<P>(),
                               counter_planes<P>(),
                               {steps("north", 8), steps("east", 1), steps("south", -8),
                                steps("west", -1), returns()}})};
    return planes;
  }
  static constexpr bool kMirrorsFastInputs = false;
  static bool mirrors(const P&) { return false; }  // the staircases run one way
};
template struct Encoder<EscherPosition>;
template struct FastEncoder<EscherPosition>;

}  // namespace faultline
