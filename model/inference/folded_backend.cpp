// Choosing and making backends for folded networks.
#include "model/inference/folded_backend.h"

#include <string>

#include "model/calibration.h"
#include "model/inference/activation_ranges.h"

namespace faultline {

std::shared_ptr<Backend> make_backend(FoldedNetwork network, const BackendRegistry& backends,
                                      const BackendOptions& options) {
  const std::string name = backends.attributes(options).name;
  if (options.precision == Precision::Int8 && !network.ranges)
    network.ranges =
        calibrate(network, random_game_planes(network.encoding, kCalibrationPositions));
  return backends.find(name).create(network, options);
}

}  // namespace faultline
