// What the families contribute to strategies. A family that has predicates of its own defines them
// in strategy/families/NAME.cpp; the declarations are generated from the files that are there.
#pragma once

#include <vector>

#include "rules/families/all.h"
#include "strategy/families/all.h"
#include "strategy/family_behaviour.h"
#include "strategy/predicate.h"

namespace faultline {

/// A family's predicates besides the general ones; none if it has no file.
template <Position P>
std::vector<Predicate<P>> family_predicates(const typename P::Variant& variant) {
  if constexpr (requires { own_predicates(variant); })
    return own_predicates(variant);
  else
    return {};
}

/// What is worth knowing of recorded games besides what is of every family's.
template <Position P>
FamilyBehaviour<P> family_behaviour(const typename P::Variant& variant) {
  if constexpr (requires { own_behaviour(variant); })
    return own_behaviour(variant);
  else
    return {};
}

}  // namespace faultline
