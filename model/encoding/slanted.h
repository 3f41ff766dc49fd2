// The network encoding of the Slanted Escalator family, on each board's underlying grid; the board
// is not turned for Black, since the escalators look different from that side.
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/slanted.h"

namespace faultline {

/// See model/encoding/encoding.h. info().planes names each plane's content. Cells are those of the
/// grid, barriers included (10x9, 8x8 or 8x6); an escalator's neighbours below are in its own
/// column and the next one. The ultra board has planes and promotions of ultras and chancellors.
template <>
struct Encoder<SlantedPosition> {
  static const EncodingInfo& info(const SlantedVariant& variant);
  static void encode(const SlantedPosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const SlantedPosition& position, Move move);
  static std::int32_t policy_cell(const SlantedPosition& position, Square square);
  static bool mirror(const SlantedPosition& position, std::span<float> planes,
                     std::span<PolicyIndex> moves);
  static SlantedPosition decode(const SlantedVariant& variant, std::span<const float> in,
                                int* repetitions);
};

}  // namespace faultline
