// What the families contribute to strategies. The declarations of own_predicates(), square_names()
// and own_behaviour() for every family are generated from rules/families/families.list; each family
// defines its own in strategy/families/NAME.cpp.
#pragma once

#include <string>
#include <vector>

#include "rules/families/all.h"
#include "strategy/families/all.h"
#include "strategy/predicate.h"

namespace faultline {

/// The names of a board's squares, in order.
inline std::vector<std::string> names_of(const BoardGraph& graph) {
  std::vector<std::string> names;
  names.reserve(graph.size());
  for (std::size_t s = 0; s < graph.size(); ++s)
    names.push_back(graph.name(static_cast<Square>(s)));
  return names;
}

/// A predicate of whether the mover's levels, aftershocks, … are so many.
inline std::vector<Parameter> whole_range(int low, int high) {
  return range_parameters(Parameter::Kind::Whole, low, high);
}

}  // namespace faultline
