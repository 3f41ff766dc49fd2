// Inference device: the declaration of the keys, and the names of devices.
#include "model/device_options.h"

namespace faultline {
namespace {

std::vector<std::string> precision_names() {
  std::vector<std::string> names;
  for (const Precision precision : kPrecisions)
    names.emplace_back(name(precision));
  return names;
}

}  // namespace

std::vector<Option> options(DeviceOptions& d) {
  return {
      {"device", &d.device, Anything{},
       "`cpu`, `cuda`, `cuda:1` ... or `auto` (CUDA if available)."},
      {"precision", EnumField(&d.precision), Choices{precision_names()},
       "Number format of inference: `fp32`, `bf16`, or `int8` (on the CPU). `learner.precision` is "
       "that of training."},
  };
}

bool is_device_name(std::string_view text) {
  if (text == "auto" || text == "cpu" || text == "cuda") return true;
  if (!text.starts_with("cuda:")) return false;
  const std::string_view number = text.substr(5);
  return !number.empty() && number.size() < 4 &&
         number.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace faultline
