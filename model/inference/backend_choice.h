// What "auto" stands for: the backend, the precision and the batch for a device and a network, from
// a table over the processor's features and the network's width. Two machines of one type choose
// the same, and nothing is timed: no result depends on what else a machine did for a second.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "base/processor_features.h"
#include "model/device_options.h"
#include "model/inference/backend_registry.h"
#include "model/inference/inference_choice.h"
#include "model/inference/precision.h"

namespace faultline {

// The policy: which precisions `auto` may choose. Naming one as an option always works. On a CPU
// the fastest is taken (their cost in Elo is in docs/measurements.md), on another device the first
// that is possible.
inline constexpr std::array kPlayPrecisions = {Precision::Fp32, Precision::Bf16, Precision::Int8};
inline constexpr std::array kSelfPlayPrecisions = {Precision::Bf16, Precision::Fp32,
                                                   Precision::Int8};
/// Deterministic runs that nothing else was chosen for.
inline constexpr std::array kDeterministicPrecisions = {Precision::Fp32};

/// The options that select what was chosen.
BackendOptions backend_options(const InferenceChoice& choice);

/// What the options leave to choose from, in the registry's order and for each backend in the order
/// of `allowed`. A precision that the options name is the only one. If something runs on a device
/// other than the CPU, nothing else is listed. Throws std::invalid_argument, which lists the
/// backends, if there is nothing; for an unknown backend; for a device that is absent.
std::vector<BackendAttributes> backend_candidates(const BackendRegistry& backends,
                                                  const DeviceOptions& options,
                                                  std::span<const Precision> allowed);

/// Networks of more channels are computed by oneDNN where both have 8 bits.
inline constexpr int kWidestOwn = 128;

/// What a choice depends on besides the processor and the options.
struct InferenceNeeds {
  std::span<const Precision> precisions = kPlayPrecisions;  // that may be chosen
  int channels = 32;                                        // of the network's tower
  /// Positions that the caller can have waiting at a time; where two batches are in flight, each
  /// gets half of them.
  std::size_t largest_batch = std::numeric_limits<std::size_t>::max();
};

/// The candidate that the table has as the fastest, with its best batch. Precisions that the
/// processor would have to emulate are not chosen, unless no other is possible. Throws as
/// backend_candidates does.
InferenceChoice choose_inference(const BackendRegistry& backends, const DeviceOptions& options,
                                 const InferenceNeeds& needs,
                                 const ProcessorFeatures& processor = this_processor());

}  // namespace faultline
