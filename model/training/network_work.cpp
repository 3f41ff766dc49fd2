// What evaluating a position costs at least.
#include "model/training/network_work.h"

#include <cstddef>
#include <variant>

#include "model/level_boards.h"

namespace faultline {
namespace {

struct Counter {
  double boards;
  double cells;  // of all boards
  NetworkWork work = {};

  /// Adds a convolution of every cell; `kernel` is [out, in, size, size].
  void convolution(const TensorSpec& kernel) {
    work.flops += 2 * cells * static_cast<double>(kernel.numel());
    work.activations += cells * static_cast<double>(kernel.shape[0] + kernel.shape[1]);
  }
  /// Per board.
  void linear(const LinearSpec& linear) {
    work.flops += 2 * boards * static_cast<double>(linear.weight.numel());
  }
  void block(const StemSpec& stem) {
    convolution(stem.convolution.kernel);
    if (!stem.exchange) return;
    linear(*stem.exchange);
    work.activations += 3 * cells * static_cast<double>(stem.convolution.kernel.shape[0]);
  }
  void block(const ResidualBlockSpec& block) {
    convolution(block.first.kernel);
    convolution(block.second.kernel);
    const double board = cells * static_cast<double>(block.second.kernel.shape[0]);
    work.activations += board;  // the residual
    if (!block.squeeze_excite) return;
    linear(block.squeeze_excite->squeeze);
    linear(block.squeeze_excite->excite);
    work.activations += 3 * board;  // its mean comes before its gates: two reads and a write more
  }
};

}  // namespace

NetworkWork network_work(const NetworkDescription& network, double moves, double boards) {
  const EncodingInfo& encoding = network.encoding;
  Counter counter{.boards = boards, .cells = boards * encoding.cells()};
  for (const TrunkBlockSpec& block : network.trunk)
    std::visit([&](const auto& spec) { counter.block(spec); }, block);
  counter.convolution(network.policy.query.weight);
  counter.convolution(network.policy.key.weight);
  counter.convolution(network.value.convolution.kernel);
  counter.linear(network.value.hidden);
  for (const LinearSpec* linear : {&network.value.wdl, &network.value.moves_left})
    counter.work.flops += 2 * static_cast<double>(linear->weight.numel());
  const auto planes = static_cast<double>(encoding.plane_count());
  const auto words = words_per_plane(static_cast<std::size_t>(encoding.cells()));
  counter.work.to_device = planes * (8 * static_cast<double>(words) + 4) + 12 * moves;
  counter.work.from_device = 4 * moves + 16;
  return counter.work;
}

NetworkWork network_work(const NetworkDescription& network, const TrainBatch& batch) {
  const EncodingInfo& encoding = network.encoding;
  const auto count = static_cast<double>(batch.count);
  std::size_t boards = 0;
  for (std::size_t i = 0; i < batch.count; ++i)
    boards += existing_boards(network.boards, batch.planes.data() + i * encoding.floats(),
                              static_cast<std::size_t>(encoding.cells()));
  return network_work(network, static_cast<double>(batch.moves.size()) / count,
                      static_cast<double>(boards) / count);
}

}  // namespace faultline
