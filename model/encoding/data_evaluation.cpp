// Fast networks as evaluations of positions of games of files.
#include <memory>
#include <utility>

#include "model/encoding/data_fast_inputs.h"
#include "model/fast/fast_encoder.h"
#include "model/fast/fast_evaluation.h"

namespace faultline {

template <class B>
std::shared_ptr<const PositionEvaluation<data::DataPosition<B>>>
FastEncoder<data::DataPosition<B>>::evaluation(const data::GameTables<B>& game,
                                               std::shared_ptr<const FastNetwork> network) {
  using Inputs = data::FastInputs<B>;
  detail::require_layout(*network, DataFastEncoder<B>::layout(game), game.canonical_name());
  return std::make_shared<detail::FastEvaluation<data::DataPosition<B>, Inputs>>(
      std::move(network), Inputs{&data::DataEncoding<B>::of(game)});
}

template struct FastEncoder<data::DataPosition<Bitboard>>;
template struct FastEncoder<data::DataPosition<WideBitboard>>;
template struct FastEncoder<data::DataPosition<StackedBitboard>>;

}  // namespace faultline
