// What self-play needs of a family. It is compiled once for each, from family.cpp.in.
#pragma once

#include <memory>
#include <optional>

#include "record/config.h"
#include "rules/position.h"
#include "selfplay/actor.h"
#include "selfplay/game_replayer.h"
#include "strategy/strategy.h"

namespace faultline {

/// See make_actor() and make_game_replayer(). `variant` must outlive what they return.
template <Position P>
std::unique_ptr<Actor> make_family_actor(const typename P::Variant& variant, const Config& config,
                                         const std::optional<StrategyText>& strategy,
                                         const ActorLinks& links, ActorCounts& counts);
template <Position P>
std::unique_ptr<const GameReplayer> make_family_replayer(const typename P::Variant& variant);

}  // namespace faultline
