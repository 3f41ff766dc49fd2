// A backend, a device, a precision and a batch, as text and as JSON.
#include "model/inference/inference_choice.h"

#include <stdexcept>

#include "base/json_fields.h"

namespace faultline {

std::string describe_backend(const InferenceChoice& choice) {
  std::string text = choice.backend + ' ' + std::string(name(choice.precision));
  if (choice.device != "cpu") text += " on " + choice.device;
  return text;
}

std::string describe(const InferenceChoice& choice) {
  return describe_backend(choice) + ", batch " + std::to_string(choice.batch);
}

nlohmann::ordered_json to_json(const InferenceChoice& choice) {
  return {{"backend", choice.backend},
          {"device", choice.device},
          {"precision", std::string(name(choice.precision))},
          {"batch", choice.batch}};
}

InferenceChoice inference_choice_from_json(const nlohmann::json& json, const std::string& what) {
  InferenceChoice choice;
  choice.backend = json_field<std::string>(json, "backend", what);
  choice.device = json_field<std::string>(json, "device", what);
  try {
    choice.precision = precision_named(json_field<std::string>(json, "precision", what));
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(what + ": key 'precision': " + error.what());
  }
  choice.batch = json_field<std::size_t>(json, "batch", what);
  if (choice.batch == 0) throw std::runtime_error(what + ": key 'batch' is out of range (0)");
  return choice;
}

}  // namespace faultline
