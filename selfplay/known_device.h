// The speeds of a device that was measured elsewhere, for machines that do not have it.
#pragma once

#include "model/training/network_work.h"
#include "record/config.h"
#include "selfplay/run_forecast.h"

namespace faultline {

inline constexpr const char* kKnownDevice = "an NVIDIA H200 with 16 cores";

/// Self-play and training steps of a run there, both alone, from the work of its network and the
/// rates of docs/measurements.md ("On a GPU"): 3.1e14 operations/s in self-play, with networks of
/// 10 blocks of 128 channels, unless rules and search, 9 us per evaluation and core, take longer;
/// and in training in TF32, between the sizes that were measured, as the logarithm of a position's
/// operations. `targets_per_ply`: see SampleGames.
RunSpeeds speeds_of_known_device(const Config& config, const NetworkWork& work,
                                 double targets_per_ply);

}  // namespace faultline
