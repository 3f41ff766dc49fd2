// The network encoding of Inferno Chess: on 8x8, a group of 18 planes per level, each seen from the
// side to move (ranks mirrored).
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/inferno.h"

namespace faultline {

/// See model/encoding/encoding.h. Squares of different levels share a cell, so that squares linked
/// by descents are close; each has its own policy cell. Levels that have vanished leave the last
/// groups empty. info().planes names each plane's content.
template <>
struct Encoder<InfernoPosition> {
  static const EncodingInfo& info(const InfernoVariant& variant);
  static void encode(const InfernoPosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const InfernoPosition& position, Move move);
  static std::int32_t policy_cell(const InfernoPosition& position, Square square);
  static bool mirror(const InfernoPosition& position, std::span<float> planes,
                     std::span<PolicyIndex> moves);
  static InfernoPosition decode(const InfernoVariant& variant, std::span<const float> in,
                                int* repetitions);
};

}  // namespace faultline
