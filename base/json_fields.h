// Reading JSON objects field by field, with errors that name the field.
#pragma once

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace faultline {

/// The value of `key` in the object `json`. Throws std::runtime_error "WHAT: ..." naming the key if
/// it is missing, has the wrong type, or is an integer that does not fit in T.
template <class T>
T json_field(const nlohmann::json& json, const std::string& key, const std::string& what) {
  if (!json.is_object()) throw std::runtime_error(what + ": expected a JSON object");
  const auto found = json.find(key);
  if (found == json.end()) throw std::runtime_error(what + ": key '" + key + "' is missing");
  const auto wrong_type = [&] {
    return std::runtime_error(what + ": key '" + key + "' has the wrong type (" +
                              found->type_name() + ")");
  };
  // The library itself would truncate numbers to fit and accept a boolean as a number.
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    if (!found->is_number_integer()) throw wrong_type();
    const bool fits = found->is_number_unsigned()
                          ? std::in_range<T>(found->template get<std::uint64_t>())
                          : std::in_range<T>(found->template get<std::int64_t>());
    if (!fits)
      throw std::runtime_error(what + ": key '" + key + "' is out of range (" + found->dump() +
                               ")");
  }
  try {
    return found->template get<T>();
  } catch (const nlohmann::json::exception&) {
    throw wrong_type();
  }
}

}  // namespace faultline
