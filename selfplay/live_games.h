// A run's games in progress, for who watches the run.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "record/game_record.h"

namespace faultline {

/// Writes some of the games in progress to RunFolder::live_games() as a chunk, once a second, as
/// long as somebody keeps RunFolder::watched() new. Without that nothing is kept, and the file is
/// deleted. Thread-safe; show() never waits, and what cannot be written is left out.
class LiveGames {
 public:
  static constexpr std::size_t kMost = 24;

  /// `interval`: from one look at the folder to the next.
  LiveGames(std::filesystem::path folder, std::string variant, std::uint64_t run_id,
            std::chrono::nanoseconds interval = std::chrono::seconds(1));
  ~LiveGames();
  LiveGames(const LiveGames&) = delete;
  LiveGames& operator=(const LiveGames&) = delete;

  /// A game as far as it was played; called often.
  void show(const GameRecord& game);
  /// The game of this number is in progress no longer.
  void end(std::uint64_t number);

 private:
  void look();
  void write() const;

  std::filesystem::path folder_;
  std::string variant_;
  std::uint64_t run_id_;
  std::int64_t interval_;                   // ns
  std::atomic<std::int64_t> next_look_{0};  // ns of the steady clock
  std::atomic<bool> watched_{false};
  std::mutex mutex_;
  std::map<std::uint64_t, GameRecord> games_;  // by number, without asides; guarded by mutex_
};

}  // namespace faultline
