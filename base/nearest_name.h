// "Did you mean": the known name nearest to one that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace faultline {

/// The candidate nearest to `word` by edit distance (Levenshtein 1966), or "" when none is near.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean 'visits'?", to end a message with, or "" for an empty `nearest`.
std::string did_you_mean(std::string_view nearest);

}  // namespace faultline
