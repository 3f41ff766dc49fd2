// Shifting Chess for networks: 21 planes on 8x8, seen from the mover by mirroring ranks.
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/shifting.h"

namespace faultline {

/// See model/encoding/encoding.h. The names in info().planes say what each plane holds. A shift
/// goes from the first cell of its sector to the first of the gap, both as the mover sees them (the
/// cell of lowest rank and file), and has a kind of its own.
template <>
struct Encoder<ShiftingPosition> {
  static const EncodingInfo& info(const ShiftingVariant& variant);
  static void encode(const ShiftingPosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const ShiftingPosition& position, Move move);
  static ShiftingPosition decode(const ShiftingVariant& variant, std::span<const float> in,
                                 int* repetitions);
};

}  // namespace faultline
