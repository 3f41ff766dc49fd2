// The temperature of a network's policy with which its searches are best.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "model/device_options.h"
#include "model/inference/backend_registry.h"

namespace faultline {

struct MatchTemperature {
  double temperature = 1;
  int positions = 0;  // that it was measured on
};

/// Finds the temperature T with which priors^(1/T) give the most probability (the least mean of its
/// negative logarithm) to the best moves of a few hundred positions of games that the policy plays,
/// where the best move is found by a search of each move on its own: priors of a trained network
/// are too sharp for a search. It is from 1.5 to 4. Stops after `seconds`, or when `stop` says so;
/// nothing if that leaves too few positions. Throws CheckpointError, and std::invalid_argument for
/// a device that is missing.
std::optional<MatchTemperature> measure_match_temperature(const std::filesystem::path& net,
                                                          const BackendRegistry& backends,
                                                          const DeviceOptions& device,
                                                          double seconds,
                                                          const std::function<bool()>& stop);

/// Measures it for a run's network, and has its checkpoint search with it from then on, which the
/// result says; nothing if that has been done or could not be. Throws as
/// measure_match_temperature().
std::optional<MatchTemperature> calibrate_match_temperature(const std::filesystem::path& net,
                                                            const BackendRegistry& backends,
                                                            const DeviceOptions& device,
                                                            double seconds,
                                                            const std::function<bool()>& stop);

}  // namespace faultline
