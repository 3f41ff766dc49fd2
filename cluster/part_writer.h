// An actor's finished games on their way to the learner: parts in its folder.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "cluster/post.h"
#include "selfplay/actor_links.h"

namespace faultline {

/// Appends games to a part, which is synced and gets its name when it is full or old. A part is
/// there until the learner has confirmed its games by deleting it. Thread-safe.
class PartWriter final : public GameSink {
 public:
  /// `variant`: canonical name. `on_put`: called with the number of each game and its part's.
  PartWriter(std::filesystem::path folder, std::string variant, std::uint64_t run_id,
             const PostSettings& settings,
             std::function<void(std::uint64_t, std::uint64_t)> on_put);
  ~PartWriter() override;
  PartWriter(const PartWriter&) = delete;
  PartWriter& operator=(const PartWriter&) = delete;

  /// Returns once killing the process cannot lose the game. Where it cannot be written (the disk is
  /// full, the folder is gone), tries again until it can or give_up() was called.
  void put(GameRecord&& game) override;
  /// Sends on the games of a part that is old, or all.
  void send(bool all);
  /// From now on a game that cannot be written is lost.
  void give_up();

  /// Looks at which parts are still there. Returns the number of the first game's part that is not
  /// confirmed; all below are.
  std::uint64_t confirmed_below();
  /// Games that the learner has not confirmed.
  std::size_t unconfirmed();
  /// Why games cannot be written; "" if they can.
  std::string trouble();

 private:
  struct Part {
    std::size_t games = 0;
    std::size_t bytes = 0;
  };

  std::filesystem::path file(std::uint64_t part, bool finished) const;
  /// Throws std::system_error; nothing is then left of what was begun. The lock is held.
  void append(const std::vector<std::byte>& frame);
  void open();
  /// The same; the part that is written must have games.
  void close();
  /// What it throws is trouble().
  void try_close();

  const std::filesystem::path folder_;
  const std::string variant_;
  const std::uint64_t run_id_;
  const PostSettings settings_;
  const std::function<void(std::uint64_t, std::uint64_t)> on_put_;
  // All guarded by mutex_.
  std::mutex mutex_;
  int descriptor_ = -1;     // of the part that is written; -1: none
  std::uint64_t next_ = 1;  // its number, or the next one's
  Part open_;               // that part
  std::chrono::steady_clock::time_point opened_{};
  std::map<std::uint64_t, Part> sent_;  // and not confirmed
  std::string trouble_;
  bool given_up_ = false;
};

}  // namespace faultline
