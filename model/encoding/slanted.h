// The Slanted Escalator family for networks, on the grid behind each board; the board is not turned
// for Black, whose side of the escalators differs.
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/slanted.h"

namespace faultline {

/// See model/encoding/encoding.h. The names in info().planes say what each plane holds. Cells are
/// those of the grid, barriers included (10x9, 8x8 or 8x6); an escalator's neighbours below lie in
/// its own column and the next. The ultra board has planes and promotions of ultras and
/// chancellors.
template <>
struct Encoder<SlantedPosition> {
  static const EncodingInfo& info(const SlantedVariant& variant);
  static void encode(const SlantedPosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const SlantedPosition& position, Move move);
  static SlantedPosition decode(const SlantedVariant& variant, std::span<const float> in,
                                int* repetitions);
};

}  // namespace faultline
