// From positions to the inputs of fast networks, and fast networks as evaluations of positions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/encoding/encoding.h"
#include "model/fast/fast_network.h"
#include "rules/position.h"
#include "search/position_evaluation.h"

namespace faultline {

/// Of a family, compiled with its encoding in model/encoding/NAME.cpp.
template <Position P>
struct FastEncoder {
  static FastLayout layout(const typename P::Variant& variant);
  /// Appends the inputs that are 1 as `view` sees the position; `mirrored`: with left and right
  /// exchanged, if the board has that symmetry, whatever the rights to castle.
  static void inputs(const P& position, Colour view, bool mirrored,
                     std::vector<std::uint16_t>& inputs);
  /// Throws FastNetworkError if the network's layout is not the variant's.
  static std::shared_ptr<const PositionEvaluation<P>> evaluation(
      const typename P::Variant& variant, std::shared_ptr<const FastNetwork> network);
};

/// What does not evaluate, for games of files. layout() throws FastNetworkError for boards with too
/// many inputs.
template <class B>
struct DataFastEncoder {
  using P = data::DataPosition<B>;
  using Variant = data::GameTables<B>;

  static FastLayout layout(const Variant& game);
  static void inputs(const P& position, Colour view, bool mirrored,
                     std::vector<std::uint16_t>& inputs);
};
template <class B>
struct FastEncoder<data::DataPosition<B>> : DataFastEncoder<B> {
  static std::shared_ptr<const PositionEvaluation<data::DataPosition<B>>> evaluation(
      const data::GameTables<B>& game, std::shared_ptr<const FastNetwork> network);
};

}  // namespace faultline
