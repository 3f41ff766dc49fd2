// Earthquake Chess for networks: 28 planes on the displaced halves as they lie, seen from the mover
// by a half-turn.
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/earthquake.h"

namespace faultline {

/// See model/encoding/encoding.h. The names in info().planes say what each plane holds.
///
/// A cell is a place, not a name: neighbours on the canvas are neighbours in play, across the seam
/// too. The canvas is as high as the halves are together and 8 + |dx| wide, for the greatest |dx|
/// that the options allow; the halves stand at its left edge. A half-turn leaves them displaced as
/// they were, so both sides see the same ground; but it exchanges king's and queen's sides and the
/// half that covers the other, so castling is told by its rooks, promotion by its squares, and one
/// plane says who moves. `decode` gives the position itself.
///
/// An aftershock is a kind of its own a number of files, from and to the mover's king.
template <>
struct Encoder<EarthquakePosition> {
  static const EncodingInfo& info(const EarthquakeVariant& variant);
  static void encode(const EarthquakePosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const EarthquakePosition& position, Move move);
  static EarthquakePosition decode(const EarthquakeVariant& variant, std::span<const float> in,
                                   int* repetitions);
};

}  // namespace faultline
