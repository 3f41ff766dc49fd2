// What links the actors of a run to the rest of it: what they are told and what they send. Within
// one process local_links.h implements it.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "model/fast/fast_network.h"
#include "model/inference/backend.h"
#include "record/game_record.h"

namespace faultline {

/// What actors are told while a run goes on; what never changes is in its configuration. A small
/// value that is replaced as a whole.
struct Orders {
  std::uint64_t version = 0;  // grows with every replacement
  NetworkIdentity net = {};   // to play with
  bool paused = false;        // evaluate no batch until there are other orders
  bool ended = false;         // end, and drop the games in progress
};

/// Where actors read their orders. Thread-safe.
class OrderSource {
 public:
  virtual ~OrderSource() = default;
  /// The orders in force. Called between batches.
  virtual Orders current() = 0;
  /// Returns when the orders of this version may be out of force. A source that never pauses its
  /// actors need not implement it.
  virtual void wait_after(std::uint64_t version) {
    static_cast<void>(version);
    assert(false);
  }
};

/// Game numbers from `next` to below `end`.
struct NumberRange {
  std::uint64_t next = 0;
  std::uint64_t end = 0;
  NetworkIdentity net = {};  // that plays these games, and no other; {}: whichever is newest
  bool empty() const { return next == end; }
};

/// Where actors get the numbers of their games. Thread-safe.
class NumberSource {
 public:
  virtual ~NumberSource() = default;
  /// Numbers that no other actor plays; none if no game is left to start.
  virtual NumberRange take() = 0;
};

/// A network as actors use it.
struct PlayingNet {
  NetworkIdentity identity = {};
  std::shared_ptr<Backend> backend = nullptr;  // null: none; all moves are alike, all games drawn
  std::shared_ptr<const FastNetwork> fast = nullptr;  // null: no fast network is trained
  std::size_t batch = 0;  // positions per batch; 0: selfplay.batch, which then must not be 0

  /// Whether the backend computes while its caller goes on.
  bool is_asynchronous() const { return backend && backend->attributes().asynchronous(); }
};

/// Where actors get their networks. Thread-safe.
class NetSource {
 public:
  virtual ~NetSource() = default;
  /// The newest network that is here. Does not wait for one that orders name and that is not.
  virtual PlayingNet newest() = 0;
};

/// Where actors send their games. Thread-safe.
class GameSink {
 public:
  virtual ~GameSink() = default;
  /// Returns once the game cannot be lost.
  virtual void put(GameRecord&& game) = 0;
  /// A game in progress, as far as it was played; called often, and must return at once.
  virtual void goes_on(const GameRecord& game) { static_cast<void>(game); }
  /// A game that its actor drops, as far as it was played.
  virtual void drop(const GameRecord& game) { static_cast<void>(game); }
};

/// All of them; they must outlive the actors.
struct ActorLinks {
  OrderSource* orders = nullptr;
  NumberSource* numbers = nullptr;
  NetSource* nets = nullptr;
  GameSink* games = nullptr;
};

}  // namespace faultline
