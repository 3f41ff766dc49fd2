// Networks of any size and batches for them, to time inference with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>

#include "model/calibration.h"
#include "model/export/encoding_description.h"
#include "model/inference/backend.h"
#include "model/inference/folded_network.h"
#include "model/net_config.h"
#include "model/network_description.h"

namespace faultline {

/// The net of a size as in "6x64"; throws std::invalid_argument.
inline NetConfig net_of_size(const std::string& text, int se_ratio = 0) {
  NetConfig net;
  if (std::sscanf(text.c_str(), "%dx%d", &net.blocks, &net.channels) != 2)
    throw std::invalid_argument("--net " + text + ": must be BLOCKSxCHANNELS, as in 6x64");
  net.se_ratio = se_ratio;
  return net;
}

/// A network as training starts it, calibrated for int8. Its second convolutions have gains, so
/// that no activation is trivial.
inline NetworkValues random_network(const EncodingInfo& encoding, const NetConfig& net) {
  NetworkValues values{describe_network(encoding, net), {}, {}};
  const NetworkLayout layout = network_layout(values.description);
  std::mt19937_64 rng(1);
  std::normal_distribution<double> normal;
  for (const TensorSpec& t : layout.parameters)
    for (std::int64_t i = 0; i < t.numel(); ++i)
      values.parameters.push_back(static_cast<float>(t.init_mean + t.init_std * normal(rng) +
                                                     (t.name.ends_with("norm2.weight") ? 0.5 : 0)));
  for (const TensorSpec& t : layout.statistics)
    values.statistics.insert(values.statistics.end(), static_cast<std::size_t>(t.numel()),
                             static_cast<float>(t.init_mean));
  values.ranges = calibrate(fold(values), random_game_planes(encoding, kCalibrationPositions));
  return values;
}

/// The moves of each position in made_up_batch().
inline constexpr std::size_t kMadeUpMoves = 30;

/// A batch of the first `count` positions in `planes`, with moves that mean nothing.
inline std::unique_ptr<BackendBatch> made_up_batch(Backend& backend, const EncodingInfo& encoding,
                                                   std::span<const float> planes,
                                                   std::size_t count) {
  auto batch = backend.make_batch();
  batch->resize(count, count * kMadeUpMoves);
  std::ranges::copy(planes.first(count * encoding.floats()), batch->planes().begin());
  std::mt19937_64 rng(1);
  const auto cells = static_cast<std::uint64_t>(encoding.policy_cells());
  for (PolicyIndex& move : batch->moves())
    move = {static_cast<std::int32_t>(rng() % cells), static_cast<std::int32_t>(rng() % cells), 0};
  for (std::size_t i = 0; i <= count; ++i)
    batch->first_move()[i] = static_cast<std::uint32_t>(i * kMadeUpMoves);
  return batch;
}

}  // namespace faultline
