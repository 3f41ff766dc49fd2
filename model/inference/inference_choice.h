// A backend, a device, a precision and a batch: everything that is chosen to compute a network.
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "model/inference/precision.h"

namespace faultline {

struct InferenceChoice {
  std::string backend = {};    // its name
  std::string device = "cpu";  // resolved: "cpu", "cuda:0"
  Precision precision = Precision::Fp32;
  std::size_t batch = 1;  // positions

  friend bool operator==(const InferenceChoice&, const InferenceChoice&) = default;
};

/// "onednn bf16"; with the device unless it is the CPU: "libtorch bf16 on cuda:0".
std::string describe_backend(const InferenceChoice& choice);
/// "onednn bf16, batch 32".
std::string describe(const InferenceChoice& choice);

nlohmann::ordered_json to_json(const InferenceChoice& choice);
/// Other keys are ignored. Throws std::runtime_error "WHAT: ..." naming the key that is missing,
/// has the wrong type or is out of range.
InferenceChoice inference_choice_from_json(const nlohmann::json& json, const std::string& what);

}  // namespace faultline
