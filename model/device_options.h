// Where and in what networks run: a configuration's [device], and the commands' --device, --backend
// and --precision.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "model/inference/precision.h"

namespace faultline {

/// A precision as the user gives it; numbered as kPrecisions from 1.
enum class PrecisionChoice : std::uint8_t { Auto, Fp32, Bf16, Int8 };

/// Nothing for Auto.
std::optional<Precision> fixed_precision(PrecisionChoice choice);
PrecisionChoice precision_choice(Precision precision);
/// "auto", then the names of kPrecisions.
std::vector<std::string> precision_choice_names();

inline constexpr const char* kAuto = "auto";

/// options() documents each field and its range. inference/backend_choice.h decides what is left to
/// "auto".
struct DeviceOptions {
  std::string device = kAuto;  // in training a list, with commas
  std::string backend = kAuto;
  PrecisionChoice precision = PrecisionChoice::Auto;
};

/// Bound to `device`, which must outlive them.
std::vector<Option> options(DeviceOptions& device);

/// Whether it has the form "cpu", "cuda:1" etc. (see kDeviceNames), present on this machine or not.
bool is_device_name(std::string_view text);
inline constexpr const char* kDeviceNames = "auto, cpu, cuda, cuda:N";
/// Whether it is such a name, or several different ones of the form "cuda:1" with commas between.
bool is_device_list(std::string_view text);
/// Its names.
std::vector<std::string> device_list(std::string_view text);

}  // namespace faultline
