// What every actor does with its links.
#pragma once

#include <cstdint>
#include <optional>

#include "selfplay/actor.h"
#include "selfplay/actor_links.h"

namespace faultline {

/// Keeps its network up to date, follows its orders and numbers its games.
class LinkedActor : public Actor {
 protected:
  explicit LinkedActor(const ActorLinks& links) : links_(links) {}

  /// Waits while it is paused, and takes the network that its orders name if that is another. False
  /// if it is to end.
  bool follow_orders() {
    Orders orders = links_.orders->current();
    while (orders.paused && !orders.ended) {
      links_.orders->wait_after(orders.version);
      orders = links_.orders->current();
    }
    if (!orders.ended && orders.net != net_.identity) use_newest_net();
    return !orders.ended;
  }
  void use_newest_net() {
    net_ = links_.nets->newest();
    net_changed();
  }
  /// Another network is in net().
  virtual void net_changed() = 0;
  /// Nothing if no game is left to start.
  std::optional<std::uint64_t> next_number() {
    if (numbers_.empty()) numbers_ = links_.numbers->take();
    if (numbers_.empty()) return std::nullopt;
    return numbers_.next++;
  }

  const ActorLinks& links() const { return links_; }
  const PlayingNet& net() const { return net_; }

 private:
  ActorLinks links_;
  PlayingNet net_;  // that plays now
  NumberRange numbers_;
};

}  // namespace faultline
