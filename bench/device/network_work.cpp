// What evaluating a position costs at least.
#include "bench/device/network_work.h"

#include <variant>

namespace faultline::bench {
namespace {

struct Counter {
  double cells;
  NetworkWork work = {};

  /// On every cell; `kernel` is [out, in, size, size].
  void convolution(const TensorSpec& kernel) {
    work.flops += 2 * cells * static_cast<double>(kernel.numel());
    work.activations += cells * static_cast<double>(kernel.shape[0] + kernel.shape[1]);
  }
  void linear(const LinearSpec& linear) {
    work.flops += 2 * static_cast<double>(linear.weight.numel());
  }
  void block(const StemSpec& stem) { convolution(stem.convolution.kernel); }
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

NetworkWork network_work(const NetworkDescription& network, double moves) {
  const EncodingInfo& encoding = network.encoding;
  Counter counter{.cells = static_cast<double>(encoding.cells())};
  for (const TrunkBlockSpec& block : network.trunk)
    std::visit([&](const auto& spec) { counter.block(spec); }, block);
  counter.convolution(network.policy.query.weight);
  counter.convolution(network.policy.key.weight);
  counter.convolution(network.value.convolution.kernel);
  for (const LinearSpec* linear :
       {&network.value.hidden, &network.value.wdl, &network.value.moves_left})
    counter.linear(*linear);
  counter.work.to_device = 4 * static_cast<double>(encoding.floats()) + 12 * moves;
  counter.work.from_device = 4 * moves + 16;
  return counter.work;
}

}  // namespace faultline::bench
