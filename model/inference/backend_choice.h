// What "auto" stands for: the backend and the precision for a device, chosen from the processor's
// features alone. Two machines of one type choose the same, and nothing is timed: matches, analyses
// and engines must not play differently because a neighbour was busy for a second.
// backend_probe.h times instead, for self-play.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/processor_features.h"
#include "model/device_options.h"
#include "model/inference/backend_registry.h"
#include "model/inference/inference_choice.h"
#include "model/inference/precision.h"

namespace faultline {

// The policy: which precisions `auto` may choose. Naming one as an option always works. Their cost
// in Elo is in docs/measurements.md.
inline constexpr std::array kPlayPrecisions = {Precision::Fp32, Precision::Bf16, Precision::Int8};
inline constexpr std::array kSelfPlayPrecisions = {Precision::Fp32, Precision::Bf16,
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

/// The candidate that is known to be fastest on such a processor, with its best batch. Precisions
/// that the processor would have to emulate are not chosen, unless no other is possible. On a
/// device other than the CPU: fp32 if it is allowed. Throws as backend_candidates does.
InferenceChoice choose_by_processor(const BackendRegistry& backends, const DeviceOptions& options,
                                    std::span<const Precision> allowed,
                                    const ProcessorFeatures& processor = this_processor());

}  // namespace faultline
