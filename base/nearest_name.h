// "Did you mean": the known name nearest to an unknown one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace faultline {

/// The candidate nearest to `word` by edit distance (Levenshtein 1966), or "" if none is close
/// enough.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean 'visits'?", to append to a message, or "" if `nearest` is empty.
std::string did_you_mean(std::string_view nearest);

}  // namespace faultline
