// Where networks are computed: a configuration's [device], and --device and --precision of
// commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "model/inference/precision.h"

namespace faultline {

/// options() says what each field means and may be.
struct DeviceOptions {
  std::string device = "auto";
  Precision precision = Precision::Fp32;
};

/// Bound to `device`, which must outlive them.
std::vector<Option> options(DeviceOptions& device);

/// "cpu", "cuda:1" and the like, of which kDeviceNames tells, whether this machine has it or not.
bool is_device_name(std::string_view text);
inline constexpr const char* kDeviceNames = "auto, cpu, cuda, cuda:N";

}  // namespace faultline
