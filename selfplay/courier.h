// What carries orders, networks and numbers to actors in other processes and their games back
// (docs/cluster.md). A run without such actors has none.
#pragma once

#include <string>
#include <vector>

#include "selfplay/actor_counts.h"
#include "selfplay/actor_links.h"
#include "selfplay/game_numbers.h"
#include "selfplay/game_samples.h"
#include "selfplay/local_links.h"

namespace faultline {

/// What a courier works with; it outlives the courier's service.
struct CourierLinks {
  OrderSource* orders = nullptr;
  GameNumbers* numbers = nullptr;
  LocalArrivals* arrivals = nullptr;
  const GameDecoder* decoder = nullptr;
  ActorCounts* counts = nullptr;  // to which those of its actors are added
};

/// Used by the learner's thread; its work is done by a thread of its own.
class Courier {
 public:
  virtual ~Courier() = default;
  /// Begins to serve.
  virtual void begin(const CourierLinks& links) = 0;
  /// Offers a network to the actors: `file` as RunTrainer::playing_file(). Called before the orders
  /// name it; does not wait until it is written.
  virtual void publish(NetworkIdentity net, std::string file) = 0;
  /// Called often, and before each save: throws RunError if this learner was replaced by another
  /// one, and what ended the courier's own thread.
  virtual void check() = 0;
  /// What happened since the last call, a line each.
  virtual std::vector<std::string> messages() = 0;
  /// Threads of the actors that play.
  virtual int threads() const = 0;
  /// Takes what has arrived, and ends. `run_ended`: the actors are to end, too; otherwise they wait
  /// for the next session.
  virtual void end(bool run_ended) = 0;
  /// Ends at once, if it has not yet: nothing of its links is used any more.
  virtual void stop() = 0;
};

/// However a session ends, its courier ends before what it works with.
struct CourierEnd {
  Courier* courier;  // null: there is none
  ~CourierEnd() {
    if (courier != nullptr) courier->stop();
  }
};

}  // namespace faultline
