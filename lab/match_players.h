// A player of matches by its name, for other uses of its moves.
#pragma once

#include <memory>

#include "lab/match.h"

namespace faultline {

class PlayerResources;
struct MatchSetup;

/// The first player of the setup, as it plays in a match of that setup. What it needs (an engine's
/// processes) is kept while the result lives; `variant` and `resources` must outlive it. Throws as
/// run_match() does. Instantiated for every family in run_match.cpp.
template <Position P>
std::shared_ptr<const MatchPlayer<P>> make_match_player(const typename P::Variant& variant,
                                                        const MatchSetup& setup,
                                                        PlayerResources& resources);

}  // namespace faultline
