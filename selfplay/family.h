// What self-play needs of a family. It is compiled once for each, from family.cpp.in.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "record/config.h"
#include "rules/position.h"
#include "selfplay/actor.h"
#include "selfplay/game_replayer.h"
#include "selfplay/search_again.h"
#include "strategy/strategy.h"

namespace faultline {

/// See make_actor(), make_game_replayer() and search_again(). `variant` must outlive what they
/// return.
template <Position P>
std::unique_ptr<Actor> make_family_actor(const typename P::Variant& variant, const Config& config,
                                         const std::optional<StrategyText>& strategy,
                                         const ActorLinks& links, ActorCounts& counts);
template <Position P>
std::unique_ptr<const GameReplayer> make_family_replayer(const typename P::Variant& variant);
template <Position P>
std::vector<float> search_family_again(const typename P::Variant& variant, const Config& config,
                                       const PlayingNet& net, const GameRecord& game,
                                       std::span<const std::size_t> plies);

}  // namespace faultline
