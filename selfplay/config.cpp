// Reads, checks and writes configurations, and prints their reference; options() says what there
// is.
#include "selfplay/config.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>
#include <type_traits>

#include <fmt/format.h>
#define TOML_EXCEPTIONS 1
#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include "base/quote.h"
#include "rules/variant.h"

namespace faultline {
namespace {

template <class T>
constexpr bool is_whole = std::is_same_v<T, int> || std::is_same_v<T, std::int64_t>;

/// "1e-05" as "1e-5"; whole numbers without a point where `whole`.
template <class T>
std::string number_text(T value, bool whole) {
  if (whole) return fmt::format("{:.0f}", static_cast<double>(value));
  if (value == 0) return "0.0";
  std::string text = fmt::format("{}", value);
  if (const auto e = text.find("e-0"); e != std::string::npos) text.erase(e + 2, 1);
  return text;
}

std::string type_name(const Option& option) {
  return std::visit(
      [](auto* field) -> std::string {
        using T = std::remove_pointer_t<decltype(field)>;
        if constexpr (std::is_same_v<T, bool>)
          return "true or false";
        else if constexpr (is_whole<T>)
          return "a whole number";
        else if constexpr (std::is_floating_point_v<T>)
          return "a number";
        else
          return "a text in quotes";
      },
      option.field);
}

/// "0 to 1", "at least 2", "sgd, adamw", or "" for no limit.
std::string allowed_text(const Option& option) {
  const bool whole = std::visit(
      [](auto* field) { return is_whole<std::remove_pointer_t<decltype(field)>>; }, option.field);
  if (const auto* range = std::get_if<Range>(&option.allowed)) {
    const bool unlimited = range->high >= (whole ? 2e9 : 1e9);
    const auto text = [&](double v) { return number_text(v, v == std::floor(v)); };
    return unlimited ? "at least " + text(range->low)
                     : text(range->low) + " to " + text(range->high);
  }
  if (const auto* choices = std::get_if<Choices>(&option.allowed))
    return fmt::format("{}", fmt::join(choices->values, ", "));
  return {};
}

/// "must be a whole number, 2 to 64".
std::string requirement(const Option& option) {
  const std::string allowed = allowed_text(option);
  if (std::holds_alternative<Choices>(option.allowed)) return "must be one of: " + allowed;
  return "must be " + type_name(option) + (allowed.empty() ? "" : ", " + allowed);
}

struct Found {
  std::string section;
  Option option;
};

std::vector<Found> all_options(Config& config) {
  std::vector<Found> all;
  for (OptionSection& section : options(config))
    for (Option& option : section.options)
      all.push_back({section.name, std::move(option)});
  return all;
}

std::string did_you_mean(const std::string& nearest) {
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

/// The key that someone who wrote `section.key` is likely to have meant, or "".
std::string suggestion(const std::string& section, const std::string& key,
                       const std::vector<Found>& all) {
  std::vector<std::string> in_section;
  std::vector<std::string> everywhere;
  for (const Found& f : all) {
    if (f.section == section) in_section.push_back(f.option.name);
    everywhere.push_back(f.section + "." + f.option.name);
  }
  for (const Found& f : all)  // the right name in the wrong section
    if (f.option.name == key) return f.section + "." + key;
  if (const std::string near = nearest_name(key, in_section); !near.empty())
    return section + "." + near;
  if (section.empty()) {
    std::vector<std::string> names;
    for (const Found& f : all)
      names.push_back(f.option.name);
    const std::string near = nearest_name(key, names);
    for (const Found& f : all)
      if (!near.empty() && f.option.name == near) return f.section + "." + near;
    return {};
  }
  return nearest_name(section + "." + key, everywhere);
}

[[noreturn]] void refuse_unknown(const std::string& place, const std::string& section,
                                 const std::string& key, const std::vector<Found>& all) {
  const std::string full = section.empty() ? key : section + "." + key;
  throw ConfigError(fmt::format("{}: unknown key {}{}", place, quote(full),
                                did_you_mean(suggestion(section, key, all))));
}

/// What TOML or the command line gave, before it meets its option.
using Given = std::variant<bool, std::int64_t, double, std::string>;

void assign(const Found& target, const Given& given, const std::string& shown,
            const std::string& place) {
  const Option& option = target.option;
  const auto refuse = [&]() {
    throw ConfigError(fmt::format("{}: '{}.{}' is {}, but {}", place, target.section, option.name,
                                  shown, requirement(option)));
  };
  const auto check_range = [&](double value) {
    const auto* range = std::get_if<Range>(&option.allowed);
    if (range == nullptr) return;
    if (!(value >= range->low && value <= range->high)) refuse();
  };
  std::visit(
      [&](auto* field) {
        using T = std::remove_pointer_t<decltype(field)>;
        if constexpr (std::is_same_v<T, bool>) {
          if (!std::holds_alternative<bool>(given)) refuse();
          *field = std::get<bool>(given);
        } else if constexpr (is_whole<T>) {
          if (!std::holds_alternative<std::int64_t>(given)) refuse();
          const std::int64_t value = std::get<std::int64_t>(given);
          check_range(static_cast<double>(value));
          *field = static_cast<T>(value);
        } else if constexpr (std::is_floating_point_v<T>) {
          double value = 0;
          if (const auto* whole = std::get_if<std::int64_t>(&given))
            value = static_cast<double>(*whole);
          else if (const auto* number = std::get_if<double>(&given))
            value = *number;
          else
            refuse();
          // A float's own rounding must not push a limit's value beyond the limit.
          check_range(value);
          *field = static_cast<T>(value);
        } else {
          if (!std::holds_alternative<std::string>(given)) refuse();
          const std::string& text = std::get<std::string>(given);
          if (const auto* choices = std::get_if<Choices>(&option.allowed))
            if (std::find(choices->values.begin(), choices->values.end(), text) ==
                choices->values.end())
              refuse();
          *field = text;
        }
      },
      option.field);
}

std::string place_of(const std::string& source, const toml::source_region& region) {
  return fmt::format("{}:{}", source, region.begin.line);
}

Given given_value(const toml::node& node, bool& usable) {
  usable = true;
  if (const auto* v = node.as_boolean()) return v->get();
  if (const auto* v = node.as_integer()) return v->get();
  if (const auto* v = node.as_floating_point()) return v->get();
  if (const auto* v = node.as_string()) return v->get();
  usable = false;
  return false;
}

std::string shown_node(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "a list";
  if (const auto* text = node.as_string()) return quote(text->get());
  std::ostringstream out;
  node.visit([&](const auto& n) {
    if constexpr (!toml::is_table<decltype(n)> && !toml::is_array<decltype(n)>) out << n;
  });
  return out.str();
}

void read_section(const std::string& section, const toml::table& table,
                  const std::vector<Found>& all, const std::string& source, Config& config) {
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const std::string place = place_of(source, node.source());
    const auto found = std::find_if(all.begin(), all.end(), [&](const Found& f) {
      return f.section == section && f.option.name == name;
    });
    if (found == all.end()) refuse_unknown(place, section, name, all);
    bool usable = false;
    const Given given = given_value(node, usable);
    if (!usable)
      throw ConfigError(fmt::format("{}: '{}.{}' is {}, but {}", place, section, name,
                                    shown_node(node), requirement(found->option)));
    assign(*found, given, shown_node(node), place);
    config.places[fmt::format("{}.{}", section, name)] = place;
  }
}

/// A word of the command line as it is, or in quotes where it is long or not printable.
std::string plain(std::string_view text) {
  const std::string in_quotes = quote(text);
  return in_quotes.size() == text.size() + 2 && in_quotes.find(text) == 1 ? std::string(text)
                                                                          : in_quotes;
}

/// A whole text as a number of type T, or nothing.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string value_text(const Option& option) {
  return std::visit(
      [](auto* field) -> std::string {
        using T = std::remove_pointer_t<decltype(field)>;
        if constexpr (std::is_same_v<T, bool>)
          return *field ? "true" : "false";
        else if constexpr (is_whole<T>)
          return std::to_string(*field);
        else if constexpr (std::is_floating_point_v<T>)
          return number_text(*field, false);
        else {
          return nlohmann::json(*field).dump();  // a JSON string is a TOML one
        }
      },
      option.field);
}

Config parse_config(std::string_view text, const std::string& source) {
  toml::table root;
  try {
    root = toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    throw ConfigError(fmt::format("{}: not valid TOML: {}", place_of(source, error.source()),
                                  error.description()));
  }
  Config config;
  const std::vector<Found> all = all_options(config);
  std::vector<std::string> sections;
  for (const OptionSection& section : options(config))
    sections.push_back(section.name);
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    const std::string place = place_of(source, node.source());
    const bool known = std::find(sections.begin(), sections.end(), name) != sections.end();
    if (const auto* table = node.as_table(); table != nullptr && known)
      read_section(name, *table, all, source, config);
    else if (table != nullptr)
      throw ConfigError(fmt::format("{}: unknown section {}{}", place, quote(name),
                                    did_you_mean(nearest_name(name, sections))));
    else if (known)
      throw ConfigError(fmt::format("{}: '{}' is {}, but must be a section: [{}]", place, name,
                                    shown_node(node), name));
    else
      refuse_unknown(place, "", name, all);
  }
  return config;
}

Config load_config(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& reason) {
    throw ConfigError(file.string() + ": " + reason);
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    refuse("is a folder; a configuration is a TOML file");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse("cannot be read: " + std::generic_category().message(errno));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) refuse("cannot be read to its end");
  if (text.empty()) refuse("is empty; docs/config.md lists what it can hold");
  return parse_config(text, file.string());
}

void set_option(Config& config, std::string_view assignment) {
  const std::string place = "--set " + plain(assignment);
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw ConfigError(place + ": must be section.key=value, like search.visits=200");
  const std::string full(assignment.substr(0, equals));
  const std::string value(assignment.substr(equals + 1));
  const auto dot = full.find('.');
  const std::string section = dot == std::string::npos ? "" : full.substr(0, dot);
  const std::string key = dot == std::string::npos ? full : full.substr(dot + 1);
  const std::vector<Found> all = all_options(config);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Found& f) {
    return f.section == section && f.option.name == key;
  });
  if (found == all.end()) refuse_unknown(place, section, key, all);
  Given given = value;
  if (!std::holds_alternative<std::string*>(found->option.field)) {
    if (value == "true" || value == "false")
      given = value == "true";
    else if (const auto whole = parse_number<std::int64_t>(value))
      given = *whole;
    else if (const auto number = parse_number<double>(value))
      given = *number;
  }
  assign(*found, given, value.empty() ? "empty" : plain(value), place);
  config.places[full] = place;
}

std::string to_toml(const Config& config) {
  Config copy = config;
  std::string text;
  for (const OptionSection& section : options(copy)) {
    text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section.name);
    for (const Option& option : section.options)
      text += fmt::format("{} = {}\n", option.name, value_text(option));
  }
  return text;
}

std::string config_reference() {
  Config defaults;
  std::string text =
      "# Configuration keys\n\n"
      "Every key of a run's TOML file, with its default. `faultline train CONFIG --set "
      "section.key=value` overrides\none for a single run, and `faultline train --keys` prints "
      "this page. Unknown keys, wrong types and values out of\nrange are refused.\n";
  for (const OptionSection& section : options(defaults)) {
    text +=
        fmt::format("\n## [{}]\n\n{}\n\n| key | default | allowed | meaning |\n|---|---|---|---|\n",
                    section.name, section.help);
    for (const Option& option : section.options) {
      std::string allowed = allowed_text(option);
      if (allowed.empty())
        allowed = std::holds_alternative<bool*>(option.field) ? "true, false" : "text";
      text += fmt::format("| `{}` | `{}` | {} | {} |\n", option.name, value_text(option), allowed,
                          option.help);
    }
  }
  return text;
}

}  // namespace faultline
