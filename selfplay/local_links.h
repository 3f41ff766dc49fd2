// The links between actors and learner within one process.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "selfplay/actor_links.h"
#include "selfplay/arrivals.h"
#include "selfplay/game_numbers.h"
#include "selfplay/game_samples.h"
#include "selfplay/live_games.h"
#include "selfplay/run_persistence.h"

namespace faultline {

/// Orders, as one thread gives them and all actors read them.
class OrderBoard final : public OrderSource {
 public:
  Orders current() override {
    const std::scoped_lock lock(mutex_);
    return orders_;
  }
  void wait_after(std::uint64_t version) override;
  /// Puts these in the place of the last ones, as the next version.
  void replace(const Orders& orders);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Orders orders_;  // guarded by mutex_
};

/// The network that plays.
class NetBoard final : public NetSource {
 public:
  PlayingNet newest() override {
    const std::scoped_lock lock(mutex_);
    return net_;
  }
  void replace(PlayingNet net) {
    const std::scoped_lock lock(mutex_);
    std::swap(net_, net);  // the old one ends after the lock
  }

 private:
  std::mutex mutex_;
  PlayingNet net_;  // guarded by mutex_
};

/// Orders to play with one network as long as a function, which must be thread-safe, says so.
class PlayWhile final : public OrderSource {
 public:
  PlayWhile(NetworkIdentity net, std::function<bool()> go_on)
      : net_(net), go_on_(std::move(go_on)) {}
  Orders current() override { return {.net = net_, .ended = !go_on_()}; }

 private:
  NetworkIdentity net_;
  std::function<bool()> go_on_;
};

/// Passes games to a function, which must be thread-safe; null: forgets them.
class FunctionSink final : public GameSink {
 public:
  explicit FunctionSink(std::function<void(GameRecord&&)> put = nullptr) : put_(std::move(put)) {}
  void put(GameRecord&& game) override {
    if (put_) put_(std::move(game));
  }

 private:
  std::function<void(GameRecord&&)> put_;
};

/// Writes games to the run's folder, those in progress as long as somebody watches, and replays
/// them on the actors' threads, for the learner to take.
class LocalArrivals final : public GameSink, public Arrivals {
 public:
  /// Both must outlive it.
  LocalArrivals(RunPersistence& persistence, const GameDecoder& decoder)
      : persistence_(&persistence),
        decoder_(&decoder),
        live_(persistence.folder().path(), persistence.state().variant,
              persistence.state().run_id) {}

  /// From now on a game whose number is finished already is dropped. `numbers` must outlive the
  /// actors; call before they start.
  void finish_in(GameNumbers& numbers) { numbers_ = &numbers; }

  void put(GameRecord&& game) override {
    live_.end(game.number);
    store({game, decoder_->decode(game)});
  }
  void goes_on(const GameRecord& game) override { live_.show(game); }
  void drop(const GameRecord& game) override { live_.end(game.number); }
  /// The same for a game that was decoded; false if it was dropped.
  bool store(ArrivedGame&& arrived);
  /// Games that arrived and were not taken.
  std::size_t waiting();
  std::vector<ArrivedGame> take(std::chrono::milliseconds wait) override;
  void keep() override { persistence_->sync_games(); }
  /// Ends a take() that waits.
  void wake();

 private:
  RunPersistence* persistence_;
  const GameDecoder* decoder_;
  GameNumbers* numbers_ = nullptr;
  LiveGames live_;
  std::mutex mutex_;
  std::condition_variable arrives_;
  std::vector<ArrivedGame> arrived_;  // guarded by mutex_
  bool woken_ = false;                // guarded by mutex_
};

}  // namespace faultline
