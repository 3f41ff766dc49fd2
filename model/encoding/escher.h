// The network encoding of Escher Staircase: 21 planes on 8x8, seen from the side to move (board
// turned by 180 degrees).
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/escher.h"

namespace faultline {

/// See model/encoding/encoding.h. info().planes names each plane's content. The staircases are the
/// same for both sides (a half-turn maps them onto each other), so their planes are constant: they
/// show the convolutions, which have no coordinates, where the board moves.
template <>
struct Encoder<EscherPosition> {
  static const EncodingInfo& info(const EscherVariant& variant);
  static void encode(const EscherPosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const EscherPosition& position, Move move);
  static std::int32_t policy_cell(const EscherPosition& position, Square square);
  static bool mirror(const EscherPosition& position, std::span<float> planes,
                     std::span<PolicyIndex> moves);
  static EscherPosition decode(const EscherVariant& variant, std::span<const float> in,
                               int* repetitions);
};

}  // namespace faultline
