// Inference device: the declaration of the keys, and the names of devices.
#include "model/device_options.h"

namespace faultline {

std::vector<Option> options(DeviceOptions& d) {
  return {
      {"device", &d.device, Anything{},
       "`cpu`, `cuda`, `cuda:1` ... or `auto` (CUDA if available)."},
      {"precision", EnumField(&d.precision),
       Choices{{std::string(name(Precision::Fp32)), std::string(name(Precision::Bf16))}},
       "Number format of inference: `fp32`, or `bf16` for GPUs. `learner.precision` is that of "
       "training."},
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
