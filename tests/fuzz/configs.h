// Properties that must hold when any text is read as a configuration.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::fuzz {

/// The maximum length of a message about a configuration, however long the text.
inline constexpr std::size_t kLongestConfigMessage = 800;

/// Reads `toml` with parse_config and check_config. Anything wrong with it must be a ConfigError
/// whose message is short and safe to print; what is accepted must print as TOML that reads back
/// the same. Throws BrokenProperty (tests/fuzz/texts.h) if not. Returns the message, "" if
/// accepted.
std::string check_toml(std::string_view toml);

/// Seed inputs: the defaults, the configurations in `folder`, and one of each kind of TOML.
std::vector<std::string> sample_configs(const std::string& folder);

}  // namespace faultline::fuzz
