// Inferno Chess for networks: the levels one above the other on one canvas, each seen from the
// mover by mirroring its ranks.
#pragma once

#include <span>

#include "model/encoding.h"
#include "rules/inferno.h"

namespace faultline {

/// See model/encoding.h. The canvas is 8 wide and has 9 rows a level that the variant starts with,
/// less one: the outermost level's ranks 1 to 8, an empty row that keeps levels apart, the next
/// level, and so on. One convolution then learns chess on all levels at once, and every square of
/// every level is a cell of its own to the policy. Levels that have vanished leave the last rows
/// empty. 23 planes; the names in info().planes say what each holds.
template <>
struct Encoder<InfernoPosition> {
  static const EncodingInfo& info(const InfernoVariant& variant);
  static void encode(const InfernoPosition& position, int repetitions, std::span<float> out);
  static PolicyIndex policy_index(const InfernoPosition& position, Move move);
  static InfernoPosition decode(const InfernoVariant& variant, std::span<const float> in,
                                int* repetitions);
};

}  // namespace faultline
