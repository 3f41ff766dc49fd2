// The network encoding of Earthquake Chess: 28 planes on the displaced halves, seen from the side
// to move (board turned by 180 degrees).
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/earthquake.h"

namespace faultline {

/// See model/encoding/encoding.h. info().planes names each plane's content.
///
/// A cell is a location, not a square name: neighbours on the canvas are neighbours in play, also
/// across the seam. The canvas is as high as both halves together and 8 + |dx| wide, for the
/// least dy and the greatest |dx| that the options allow; the halves are aligned to its lower left
/// corner. A half-turn keeps the displacement, so both sides see the same ground; but it exchanges
/// king side and queen side and the half that covers the other, so castling is encoded by its
/// rooks, promotion by its squares, and one plane encodes the side to move. `decode` gives the
/// position itself.
///
/// Aftershocks have one policy kind per number of files or ranks, with the mover's king as both
/// from and to. Where they may shift by ranks there is one more plane, for the last such shift.
template <>
struct Encoder<EarthquakePosition> {
  static const EncodingInfo& info(const EarthquakeVariant& variant);
  static void encode(const EarthquakePosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const EarthquakePosition& position, Move move);
  static std::int32_t policy_cell(const EarthquakePosition& position, Square square);
  static bool mirror(const EarthquakePosition& position, std::span<float> planes,
                     std::span<PolicyIndex> moves);
  static EarthquakePosition decode(const EarthquakeVariant& variant, std::span<const float> in,
                                   int* repetitions);
};

}  // namespace faultline
