// Parses settings against option tables.
#include "base/settings_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "base/text.h"

namespace faultline {
namespace {

std::vector<std::string> names_of(const std::vector<Option>& options) {
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const Option& option : options)
    names.push_back(option.name);
  return names;
}

}  // namespace

const Option& find_setting(const std::vector<Option>& options, std::string_view key,
                           const std::string& what) {
  const auto option =
      std::ranges::find_if(options, [&](const Option& o) { return o.has_name(key); });
  if (option != options.end()) return *option;
  const auto names = names_of(options);
  throw OptionError(fmt::format("{}: there is no key {}; keys are {}{}", what, quote(key),
                                fmt::join(names, ", "), did_you_mean(nearest_name(key, names))));
}

std::string assign_setting(const std::vector<Option>& options, std::string_view setting,
                           const std::string& what) {
  const std::size_t equals = setting.find('=');
  const std::string key(trimmed(setting.substr(0, equals)));
  if (key.empty() || equals == std::string_view::npos)
    throw OptionError(fmt::format("{}: {} is not of the form key=value; keys are {}", what,
                                  quote(setting), fmt::join(names_of(options), ", ")));
  const Option& option = find_setting(options, key, what);
  const std::string word(trimmed(setting.substr(equals + 1)));
  try {
    assign(option, key, parse_value(option, word), quote(word));
  } catch (const OptionError& error) {
    throw OptionError(fmt::format("{}: {}", what, error.what()));
  }
  return option.name;
}

std::vector<std::string> assign_settings(const std::vector<Option>& options, std::string_view text,
                                         char separator, const std::string& what) {
  std::vector<std::string> keys;
  for (const std::string& setting : split_list(text, separator)) {
    std::string key = assign_setting(options, setting, what);
    if (std::ranges::find(keys, key) != keys.end())
      throw OptionError(fmt::format("{}: {} is given twice", what, quote(key)));
    keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace faultline
