// The arguments of predicates, from what is written in a strategy.
#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "strategy/predicate.h"
#include "strategy/strategy_text.h"

namespace faultline {

/// The squares whose names match `pattern`, in which `*` stands for any characters: "e4", "*4",
/// "2*".
std::bitset<kMaxSquares> matching_squares(std::string_view pattern,
                                          const std::vector<std::string>& squares);

/// What a condition is checked against.
struct VariantFacts {
  std::string name;  // canonical
  std::vector<std::string> squares;
};

/// The values of all parameters of `predicate`, which `condition` names. Throws StrategyError for
/// an unknown or missing parameter and a value that is not allowed.
Arguments bind_arguments(const PredicateInfo& predicate, const ConditionText& condition,
                         const StrategyText& strategy, const VariantFacts& variant);

}  // namespace faultline
