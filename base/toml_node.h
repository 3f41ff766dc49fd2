// Reading TOML with toml++: one way to parse and to show values in messages. For sources only; it
// takes long to compile.
#pragma once

#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
// The library asserts what malformed input can break, and then refuses it all the same: without its
// assertions a debug build refuses it as a release build does.
#define TOML_ASSERT(expression) static_cast<void>(0)
#define TOML_EXCEPTIONS 1
#define TOML_MAX_NESTED_VALUES 8
#include <toml++/toml.h>

#include "base/nearest_name.h"
#include "base/options.h"
#include "base/quote.h"
#include "base/toml_text.h"

namespace faultline {

/// Throws TomlTextError "SOURCE:LINE: not valid TOML: …" or what check_toml_text() throws.
inline toml::table parse_toml(std::string_view text, const std::string& source) {
  check_toml_text(text, source);
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    throw TomlTextError(fmt::format("{}:{}: not valid TOML: {}", source, error.source().begin.line,
                                    printable(error.description(), 200)));
  }
}

inline int line_of(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

/// nullopt for tables, lists, dates and times.
inline std::optional<OptionValue> value_of(const toml::node& node) {
  if (const auto* v = node.as_boolean()) return v->get();
  if (const auto* v = node.as_integer()) return v->get();
  if (const auto* v = node.as_floating_point()) return v->get();
  if (const auto* v = node.as_string()) return v->get();
  return std::nullopt;
}

/// A node as messages show it: "'text'", "12", "a table".
inline std::string shown_node(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "a list";
  if (const auto* text = node.as_string()) return quote(text->get());
  std::ostringstream out;
  node.visit([&](const auto& n) {
    if constexpr (!toml::is_table<decltype(n)> && !toml::is_array<decltype(n)>) out << n;
  });
  return out.str();
}

/// "there is no key 'nam'; keys are name, when; did you mean 'name'?"
inline std::string unknown_key_text(const std::string& name,
                                    const std::vector<std::string>& known) {
  return fmt::format("there is no key {}; keys are {}{}", quote(name), fmt::join(known, ", "),
                     did_you_mean(nearest_name(name, known)));
}

/// "'games' is 'many', but must be a whole number".
inline std::string wrong_value_text(const toml::node& node, const std::string& key,
                                    const std::string& allowed) {
  return fmt::format("'{}' is {}, but must be {}", key, shown_node(node), allowed);
}

}  // namespace faultline
