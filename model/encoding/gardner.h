// Gardner's minichess for networks: 15 planes on 5x5, seen from the mover by mirroring the ranks.
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/gardner.h"

namespace faultline {

/// See model/encoding/encoding.h. The names in info().planes say what each plane holds.
template <>
struct Encoder<GardnerPosition> {
  static const EncodingInfo& info(const GardnerVariant& variant);
  static void encode(const GardnerPosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const GardnerPosition& position, Move move);
  static GardnerPosition decode(const GardnerVariant& variant, std::span<const float> in,
                                int* repetitions);
};

}  // namespace faultline
