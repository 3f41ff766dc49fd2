// The network encoding of Shifting Chess: 21 planes on 8x8, seen from the side to move (ranks
// mirrored).
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/shifting.h"

namespace faultline {

/// See model/encoding/encoding.h. info().planes names each plane's content. A shift goes from the
/// first cell of its sector to the first of the gap, both as the mover sees them (the cell of
/// lowest rank and file), and has its own kind.
template <>
struct Encoder<ShiftingPosition> {
  static const EncodingInfo& info(const ShiftingVariant& variant);
  static void encode(const ShiftingPosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const ShiftingPosition& position, Move move);
  static std::int32_t policy_cell(const ShiftingPosition& position, Square square);
  static bool mirror(const ShiftingPosition& position, std::span<float> planes,
                     std::span<PolicyIndex> moves);
  static ShiftingPosition decode(const ShiftingVariant& variant, std::span<const float> in,
                                 int* repetitions);
};

}  // namespace faultline
