// Self-play: games between two equal players (one may follow a strategy), recorded, many of them on
// each actor's thread. actor_of.h implements it for a family.
#pragma once

#include <memory>
#include <optional>

#include "record/config.h"
#include "selfplay/actor_counts.h"
#include "selfplay/actor_links.h"
#include "strategy/strategy.h"

namespace faultline {

class Actor {
 public:
  virtual ~Actor() = default;
  /// Plays until its orders say to end or no game is left to start. Games in progress are then
  /// dropped.
  virtual void run() = 0;
};

/// An actor of a run of `config`, for one thread. `strategy`: what one side of each game follows,
/// if anything. `counts` and `config` must outlive it.
std::unique_ptr<Actor> make_actor(const Config& config, const std::optional<StrategyText>& strategy,
                                  const ActorLinks& links, ActorCounts& counts);

}  // namespace faultline
