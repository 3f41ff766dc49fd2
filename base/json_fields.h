// Reading JSON objects field by field, with errors that name the field.
#pragma once

#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace faultline {

/// The value of `key` in the object `json`. Throws std::runtime_error "WHAT: ..." naming the key if
/// it is missing or of another type.
template <class T>
T json_field(const nlohmann::json& json, const std::string& key, const std::string& what) {
  if (!json.is_object()) throw std::runtime_error(what + ": expected a JSON object");
  const auto found = json.find(key);
  if (found == json.end()) throw std::runtime_error(what + ": key '" + key + "' is missing");
  try {
    return found->template get<T>();
  } catch (const nlohmann::json::exception&) {
    throw std::runtime_error(what + ": key '" + key + "' has the wrong type (" +
                             found->type_name() + ")");
  }
}

}  // namespace faultline
