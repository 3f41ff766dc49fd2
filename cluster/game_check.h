// Searches some of the games that actors elsewhere have played again, on a thread of its own: an
// actor that sends what its networks do not find is named.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/spool_actor.h"
#include "record/config.h"
#include "record/game_record.h"
#include "search/network_identity.h"

namespace faultline {

/// docs/cluster.md has what was measured of honest actors and of others. In a deterministic run on
/// processors a game is played again, and must be the same.
class GameCheck {
 public:
  /// `load_net`: reads a network that was published; null: nothing is checked. Nor is it in a run
  /// that trains a fast network alone, or whose players follow a strategy: they search otherwise.
  GameCheck(const Config& config, LoadNet load_net, const PostSettings& settings);
  ~GameCheck() { stop(); }
  GameCheck(const GameCheck&) = delete;
  GameCheck& operator=(const GameCheck&) = delete;

  /// A network is in a file; the last three are known.
  void publish(NetworkIdentity net, std::filesystem::path file);
  bool chooses(std::uint64_t number) const;
  /// A chosen game of an actor. Of those that wait, only each actor's newest is kept.
  void add(const std::string& actor, GameRecord game);
  /// The actors that were found out since the last call, with what is wrong.
  std::map<std::string, std::string> found_out();
  /// Games of the actor that were searched again.
  std::uint64_t games_of(const std::string& actor);
  /// An actor that is gone.
  void forget(const std::string& actor);
  void stop();

 private:
  struct Record {  // of an actor
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    double gap = 0;  // the sum over the plies
    bool found_out = false;
    std::optional<GameRecord> waiting = {};
  };
  struct Known {
    NetworkIdentity identity = {};
    std::filesystem::path file = {};
    std::optional<PlayingNet> net = {};  // once it was needed
  };

  void work();
  /// The waiting game of whoever was checked least; mutex_ is held.
  std::optional<std::pair<std::string, GameRecord>> next();
  std::optional<PlayingNet> net_of(const NetworkIdentity& identity);
  void check(const std::string& actor, const GameRecord& game);
  void play_again(const std::string& actor, const PlayingNet& net, const GameRecord& game);
  std::vector<std::size_t> plies_of(const GameRecord& game);

  const Config config_;
  const LoadNet load_net_;
  const PostSettings settings_;
  const std::uint64_t salt_ = std::random_device()();  // nobody knows which games are chosen
  std::mt19937_64 rng_{salt_};                         // of the thread

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Record> actors_;          // guarded by mutex_
  std::deque<Known> nets_;                        // guarded by mutex_
  std::map<std::string, std::string> found_out_;  // guarded by mutex_
  bool stopping_ = false;                         // guarded by mutex_
  std::thread thread_;                            // last: it uses the others
};

}  // namespace faultline
