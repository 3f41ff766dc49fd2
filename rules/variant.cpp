// Parsing variant names and option values.
#include "rules/variant.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstddef>
#include <utility>

#include "base/quote.h"
#include "rules/data/known_games.h"

namespace faultline {

VariantName parse_variant_name(std::string_view text) {
  VariantName result;
  if (text.ends_with(".toml")) {
    result.family = text.starts_with(data::kDataPrefix) ? "" : data::kDataPrefix;
    result.family += text;
    return result;
  }
  if (text.starts_with(data::kDataPrefix)) {
    result.family = std::string(text);
    return result;
  }
  const std::size_t colon = text.find(':');
  result.family = std::string(text.substr(0, colon));
  if (result.family.empty()) throw VariantError("a variant name starts with a family");
  if (colon == std::string_view::npos) return result;
  std::string_view rest = text.substr(colon + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view option = rest.substr(0, comma);
    const std::size_t equals = option.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == option.size())
      throw VariantError("variant " + quote(text) + ": expected option=value, got " +
                         quote(option));
    const auto [it, added] =
        result.options.emplace(option.substr(0, equals), option.substr(equals + 1));
    if (!added)
      throw VariantError("variant " + quote(text) + ": option " + quote(it->first) +
                         " is given twice");
    if (comma == std::string_view::npos) return result;
    rest.remove_prefix(comma + 1);
  }
}

void check_option_names(const VariantName& name, const FamilyInfo& family) {
  for (const auto& given : name.options) {
    const std::string& option = given.first;
    const auto known = std::find_if(family.options.begin(), family.options.end(),
                                    [&](const OptionInfo& o) { return o.name == option; });
    if (known != family.options.end()) continue;
    std::string message = "family '" + family.name + "' has no option " + quote(option) + "; ";
    if (family.options.empty()) {
      message += "it has no options";
    } else {
      message += "its options are";
      for (const OptionInfo& o : family.options)
        message += " " + o.name + " (" + o.allowed + ")";
    }
    throw VariantError(message);
  }
}

namespace {
struct OptionValue {
  const OptionInfo& info;
  std::string text;
};

OptionValue option_value(const VariantName& name, const FamilyInfo& family,
                         std::string_view option) {
  const auto info = std::find_if(family.options.begin(), family.options.end(),
                                 [&](const OptionInfo& o) { return o.name == option; });
  assert(info != family.options.end());
  const auto given = name.options.find(info->name);
  return {*info, given == name.options.end() ? info->default_value : given->second};
}

[[noreturn]] void refuse_value(const FamilyInfo& family, const OptionValue& value) {
  throw VariantError("family '" + family.name + "': " + value.info.name + "=" + quote(value.text) +
                     " is not allowed; " + value.info.name + " is " + value.info.allowed);
}
}  // namespace

int number_option(const VariantName& name, const FamilyInfo& family, std::string_view option,
                  int low, int high) {
  const OptionValue value = option_value(name, family, option);
  int number = 0;
  const char* end = value.text.data() + value.text.size();
  const auto result = std::from_chars(value.text.data(), end, number);
  if (result.ec != std::errc{} || result.ptr != end || std::to_string(number) != value.text ||
      number < low || number > high)
    refuse_value(family, value);
  return number;
}

std::string choice_option(const VariantName& name, const FamilyInfo& family,
                          std::string_view option, const std::vector<std::string>& choices) {
  OptionValue value = option_value(name, family, option);
  if (std::find(choices.begin(), choices.end(), value.text) == choices.end())
    refuse_value(family, value);
  return std::move(value.text);
}

}  // namespace faultline
