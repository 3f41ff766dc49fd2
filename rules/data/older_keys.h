// Keys that an older form of the language had, in the words of today's.
#pragma once

#include "base/toml_tree.h"
#include "rules/data/reading.h"

namespace faultline::data {

/// Replaces them in one file, before it is merged with others, with a warning for each. What they
/// cannot be translated from is left as it is, for check_tables() to refuse.
void read_older_keys(TomlValue& root, Findings& findings);

}  // namespace faultline::data
