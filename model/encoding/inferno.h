// Inferno Chess for networks: on 8x8, a group of 18 planes a level, each seen from the mover by
// mirroring its ranks.
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/inferno.h"

namespace faultline {

/// See model/encoding/encoding.h. Squares of different levels share a cell, so that what can fall
/// from one to the other lies together; to the policy each is a place of its own. Levels that have
/// vanished leave the last groups empty. The names in info().planes say what each plane holds.
template <>
struct Encoder<InfernoPosition> {
  static const EncodingInfo& info(const InfernoVariant& variant);
  static void encode(const InfernoPosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const InfernoPosition& position, Move move);
  static InfernoPosition decode(const InfernoVariant& variant, std::span<const float> in,
                                int* repetitions);
};

}  // namespace faultline
