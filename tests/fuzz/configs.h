// What must hold of any text that is read as a configuration.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::fuzz {

/// No message about a configuration is longer, however long the text.
inline constexpr std::size_t kLongestConfigMessage = 800;

/// Reads `toml` with parse_config and check_config. Whatever is wrong with it is a ConfigError
/// whose message is short and safe to print; what is accepted prints as TOML that reads back the
/// same. Throws BrokenProperty (tests/fuzz/texts.h) if not. Returns the message, "" for accepted
/// ones.
std::string check_toml(std::string_view toml);

/// Texts to start from: the defaults, the configurations in `folder`, and one of each kind of TOML.
std::vector<std::string> sample_configs(const std::string& folder);

}  // namespace faultline::fuzz
