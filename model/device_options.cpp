// Inference device: the declaration of the keys, and the names of devices.
#include "model/device_options.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace faultline {

std::optional<Precision> fixed_precision(PrecisionChoice choice) {
  if (choice == PrecisionChoice::Auto) return std::nullopt;
  return kPrecisions.at(static_cast<std::size_t>(choice) - 1);
}

PrecisionChoice precision_choice(Precision precision) {
  return static_cast<PrecisionChoice>(static_cast<std::size_t>(precision) + 1);
}

std::vector<std::string> precision_choice_names() {
  std::vector<std::string> names = {kAuto};
  for (const Precision precision : kPrecisions)
    names.emplace_back(name(precision));
  return names;
}

std::vector<Option> options(DeviceOptions& d) {
  return {
      {"device", &d.device, TextOrList{},
       "`cpu`, `cuda`, `cuda:1` ... or `auto` (CUDA if available). In training a list, "
       "`[\"cuda:0\", \"cuda:1\"]`, has the games on all of these GPUs and the learner on the "
       "first."},
      {"backend", &d.backend, Anything{},
       "What computes the network: the name of a backend, as `faultline version` lists them, or "
       "`auto`, which follows from the processor, in training also from the network's width "
       "(docs/inference.md)."},
      {"precision", EnumField(&d.precision), Choices{precision_choice_names()},
       "Number format of inference: `fp32`, `bf16`, `int8` (on the CPU), or `auto`, which is "
       "chosen together with the backend. `learner.precision` is that of training."},
  };
}

std::vector<std::string> device_list(std::string_view text) {
  std::vector<std::string> names = split_list(text, ',');
  if (names.empty()) names.emplace_back();
  return names;
}

bool is_device_list(std::string_view text) {
  const std::vector<std::string> names = device_list(text);
  if (names.size() == 1) return is_device_name(names.front());
  const std::set<std::string> distinct(names.begin(), names.end());
  return distinct.size() == names.size() && std::ranges::all_of(names, [](const std::string& name) {
           return name.starts_with("cuda:") && is_device_name(name);
         });
}

bool is_device_name(std::string_view text) {
  if (text == kAuto || text == "cpu" || text == "cuda") return true;
  if (!text.starts_with("cuda:")) return false;
  const std::string_view number = text.substr(5);
  return !number.empty() && number.size() < 4 &&
         number.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace faultline
