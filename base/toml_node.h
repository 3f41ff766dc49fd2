// Reading TOML with toml++: one way to parse and to show values in messages. For sources only; it
// takes long to compile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
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

template <class T>
std::vector<T> list_of(const toml::array& list) {
  std::vector<T> values;
  for (const toml::node& one : list)
    values.push_back(**one.as<T>());
  return values;
}

/// nullopt for tables, dates and times, empty lists, and lists of neither whole numbers nor texts.
inline std::optional<OptionValue> value_of(const toml::node& node) {
  if (const auto* v = node.as_boolean()) return v->get();
  if (const auto* v = node.as_integer()) return v->get();
  if (const auto* v = node.as_floating_point()) return v->get();
  if (const auto* v = node.as_string()) return v->get();
  if (const auto* list = node.as_array()) {
    if (list->is_homogeneous<std::int64_t>()) return list_of<std::int64_t>(*list);
    if (list->is_homogeneous<std::string>()) return list_of<std::string>(*list);
  }
  return std::nullopt;
}

/// A node as messages show it: "'text'", "12", "a table".
inline std::string shown_node(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (const auto* list = node.as_array()) return list->empty() ? "an empty list" : "a list";
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

/// Sets `options` from a table; `read_other` reads the values of the other keys, called `others`.
/// Throws OptionError "SOURCE:LINE: …" for an unknown key or a value that is not allowed.
inline void read_options(
    const toml::table& table, const std::vector<Option>& options, const std::string& source,
    const std::vector<std::string>& others = {},
    const std::function<void(const std::string&, const toml::node&)>& read_other = nullptr) {
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (std::ranges::find(others, name) != others.end()) {
      read_other(name, node);
      continue;
    }
    const auto option = std::ranges::find(options, name, &Option::name);
    try {
      if (option == options.end()) {
        std::vector<std::string> known = others;
        std::ranges::transform(options, std::back_inserter(known), &Option::name);
        throw OptionError(unknown_key_text(name, known));
      }
      const std::optional<OptionValue> value = value_of(node);
      if (!value) refuse_value(*option, name, shown_node(node));
      assign(*option, name, *value, shown_node(node));
    } catch (const OptionError& error) {
      throw OptionError(fmt::format("{}:{}: {}", source, line_of(node), error.what()));
    }
  }
}

}  // namespace faultline
