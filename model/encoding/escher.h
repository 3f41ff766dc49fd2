// Escher Staircase for networks: 21 planes on 8x8, seen from the mover by a half-turn of the board.
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/escher.h"

namespace faultline {

/// See model/encoding/encoding.h. The names in info().planes say what each plane holds. The
/// staircases look alike from both sides (a half-turn maps them onto each other), so their planes
/// never change: they tell the convolutions, which see no coordinates, where the board moves.
template <>
struct Encoder<EscherPosition> {
  static const EncodingInfo& info(const EscherVariant& variant);
  static void encode(const EscherPosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const EscherPosition& position, Move move);
  static EscherPosition decode(const EscherVariant& variant, std::span<const float> in,
                               int* repetitions);
};

}  // namespace faultline
