// Where networks run: a configuration's [device], and the commands' --device and --precision.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "model/inference/precision.h"

namespace faultline {

/// options() documents each field and its range.
struct DeviceOptions {
  std::string device = "auto";
  Precision precision = Precision::Fp32;
};

/// Bound to `device`, which must outlive them.
std::vector<Option> options(DeviceOptions& device);

/// Whether it has the form "cpu", "cuda:1" etc. (see kDeviceNames), present on this machine or not.
bool is_device_name(std::string_view text);
inline constexpr const char* kDeviceNames = "auto, cpu, cuda, cuda:N";

}  // namespace faultline
