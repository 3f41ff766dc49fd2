// Documents that commands print as JSON.
#pragma once

#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace faultline::test {

inline const nlohmann::json& section_of(const nlohmann::json& document, const std::string& title) {
  for (const auto& section : document.at("sections"))
    if (section.at("title") == title) return section;
  throw std::runtime_error("no section " + title);
}

/// The value of a fact in a section, null if it is not there.
inline nlohmann::json fact_in(const nlohmann::json& document, const std::string& title,
                              const std::string& name) {
  for (const auto& item : section_of(document, title).at("items"))
    if (item.at("name") == name) return item.at("value");
  return nullptr;
}

}  // namespace faultline::test
