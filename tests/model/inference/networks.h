// Small networks with random values and batches for them, without LibTorch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "model/encoding/encoders.h"
#include "model/inference/backend.h"
#include "model/inference/backend_registry.h"
#include "model/network_description.h"
#include "search/evaluator.h"
#include "tests/model/random_positions.h"

namespace faultline::test {

template <Position P>
const EncodingInfo& encoding_of() {
  return Encoder<P>::info(P::variant({P::info().name, {}}));
}

inline NetConfig small_net(int se_ratio = 0) {
  NetConfig net;
  net.blocks = 2;
  net.channels = 16;
  net.se_ratio = se_ratio;
  net.policy_dim = 24;  // not a multiple of a vector register
  net.value_channels = 4;
  net.value_hidden = 20;
  net.attack_planes = false;
  return net;
}

/// A network with no tensor at its initial value.
inline NetworkValues random_values(const EncodingInfo& encoding, const NetConfig& net,
                                   std::uint64_t seed) {
  NetworkValues values{describe_network(encoding, net), {}, {}};
  const NetworkLayout layout = network_layout(values.description);
  std::mt19937_64 rng(seed);
  const auto uniform = [&] { return static_cast<double>(rng() >> 11) * 0x1p-52 - 1; };  // -1 … 1
  for (const TensorSpec& t : layout.parameters)
    for (std::int64_t i = 0; i < t.numel(); ++i)
      values.parameters.push_back(
          static_cast<float>(t.init_mean + (1.7 * t.init_std + 0.1) * uniform()));
  for (const TensorSpec& t : layout.statistics)
    for (std::int64_t i = 0; i < t.numel(); ++i)
      values.statistics.push_back(static_cast<float>(t.init_mean + 0.2 * uniform()));
  return values;
}

inline std::shared_ptr<Backend> random_backend(const EncodingInfo& encoding, std::uint64_t seed) {
  return cpu_backends().create(random_values(encoding, small_net(), seed), {.backend = "cpu"});
}

template <Position P>
EvalBatch<P> eval_batch(std::span<const Sample<P>> samples) {
  EvalBatch<P> batch;
  for (const auto& s : samples)
    batch.add(s.position, s.repetitions, s.moves);
  return batch;
}
template <Position P>
EvalBatch<P> eval_batch(const std::vector<Sample<P>>& samples) {
  return eval_batch(std::span<const Sample<P>>(samples));
}

inline std::vector<float> copied(std::span<const float> values) {
  return {values.begin(), values.end()};
}

}  // namespace faultline::test
