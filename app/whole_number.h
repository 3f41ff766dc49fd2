// Checks of options that take whole numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <CLI/CLI.hpp>

namespace faultline {

/// A validator for CLI::Option::transform. It gives CLI11 the number in decimal, which would read
/// 010 as octal, and refuses what is not a whole number from `least` to `most`, of digits alone;
/// without `most` there is no upper limit but that of 64 bits.
CLI::Validator whole_number(std::int64_t least,
                            std::int64_t most = std::numeric_limits<std::int64_t>::max());

}  // namespace faultline
