// The network encoding of Gardner's minichess: 15 planes on 5x5, seen from the side to move (ranks
// mirrored).
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/gardner.h"

namespace faultline {

/// See model/encoding/encoding.h. info().planes names each plane's content.
template <>
struct Encoder<GardnerPosition> {
  static const EncodingInfo& info(const GardnerVariant& variant);
  static void encode(const GardnerPosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const GardnerPosition& position, Move move);
  static std::int32_t policy_cell(const GardnerPosition& position, Square square);
  static bool mirror(const GardnerPosition& position, std::span<float> planes,
                     std::span<PolicyIndex> moves);
  static GardnerPosition decode(const GardnerVariant& variant, std::span<const float> in,
                                int* repetitions);
};

}  // namespace faultline
