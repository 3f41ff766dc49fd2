// The predicates of a variant, for those who evaluate them outside of strategies.
#pragma once

#include <vector>

#include "rules/position.h"
#include "strategy/predicate.h"

namespace faultline {

/// Those that every family has, then the family's own; compiled for every family in strategy.cpp.
template <Position P>
std::vector<Predicate<P>> predicates_of(const typename P::Variant& variant);

}  // namespace faultline
