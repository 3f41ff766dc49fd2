// Settings written in one argument: "elo0=0,elo1=10", "visits=800&temperature=0.3".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"

namespace faultline {

/// Finds the option that is called `key`, now or formerly. Throws OptionError that begins with
/// `what` and lists the keys.
const Option& find_setting(const std::vector<Option>& options, std::string_view key,
                           const std::string& what);
/// Assigns one "key=value"; returns the key. Throws OptionError that begins with `what`, names the
/// key, and lists the valid keys or values.
std::string assign_setting(const std::vector<Option>& options, std::string_view setting,
                           const std::string& what);
/// Assigns each of several, separated by `separator`; returns their keys, in order. A key that is
/// given twice is refused.
std::vector<std::string> assign_settings(const std::vector<Option>& options, std::string_view text,
                                         char separator, const std::string& what);

}  // namespace faultline
