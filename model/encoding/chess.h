// The network encoding of chess: 20 planes on 8x8, seen from the side to move (ranks mirrored).
#pragma once

#include <span>

#include "model/encoding/encoding.h"
#include "rules/families/chess.h"

namespace faultline {

/// See model/encoding/encoding.h. info().planes names each plane's content.
template <>
struct Encoder<ChessPosition> {
  static const EncodingInfo& info(const ChessVariant& variant);
  static void encode(const ChessPosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const ChessPosition& position, Move move);
  static std::int32_t policy_cell(const ChessPosition& position, Square square);
  static bool mirror(const ChessPosition& position, std::span<float> planes,
                     std::span<PolicyIndex> moves);
  static ChessPosition decode(const ChessVariant& variant, std::span<const float> in,
                              int* repetitions);
};

}  // namespace faultline
