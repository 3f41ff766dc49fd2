// The parts of every family's board. A family with parts of its own defines them in
// survey/families/NAME.cpp; the declarations are generated from the files that are there.
#pragma once

#include "rules/families/all.h"
#include "survey/board_regions.h"
#include "survey/families/all.h"

namespace faultline {

/// The parts of a variant's board by which piece values are compared; halves unless the family has
/// its own.
template <Position P>
BoardRegions survey_regions(const typename P::Variant& variant) {
  if constexpr (requires { own_regions(variant); })
    return own_regions(variant);
  else
    return board_halves(P::graph(variant).names());
}

}  // namespace faultline
