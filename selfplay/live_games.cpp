// A run's games in progress, for who watches the run.
#include "selfplay/live_games.h"

#include <cstddef>
#include <fstream>
#include <ios>
#include <system_error>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "record/chunk.h"
#include "record/run_folder.h"

namespace faultline {

namespace fs = std::filesystem;

LiveGames::LiveGames(fs::path folder, std::string variant, std::uint64_t run_id,
                     std::chrono::nanoseconds interval)
    : folder_(std::move(folder)),
      variant_(std::move(variant)),
      run_id_(run_id),
      interval_(interval.count()) {}

LiveGames::~LiveGames() {
  std::error_code error;
  fs::remove(RunFolder::live_games(folder_), error);
}

void LiveGames::show(const GameRecord& game) {
  const std::int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::steady_clock::now().time_since_epoch())
                               .count();
  const bool due = now >= next_look_.load(std::memory_order_relaxed);
  if (!due && !watched_.load(std::memory_order_relaxed)) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  if (due) {
    next_look_.store(now + interval_, std::memory_order_relaxed);
    look();
  }
  if (!watched_.load(std::memory_order_relaxed)) return;
  if (games_.size() >= kMost && !games_.contains(game.number)) return;
  GameRecord& shown = games_[game.number];
  shown.number = game.number;
  shown.net = game.net;
  shown.start_fen = game.start_fen;
  for (std::size_t ply = shown.plies.size(); ply < game.plies.size(); ++ply) {
    shown.plies.push_back(game.plies[ply]);
    shown.plies.back().asides.clear();
  }
}

void LiveGames::end(std::uint64_t number) {
  if (!watched_.load(std::memory_order_relaxed)) return;
  const std::scoped_lock lock(mutex_);
  games_.erase(number);
}

void LiveGames::look() {
  constexpr auto kFresh = std::chrono::seconds(10);
  std::error_code error;
  const fs::file_time_type touched = fs::last_write_time(RunFolder::watched(folder_), error);
  const bool watched = !error && fs::file_time_type::clock::now() - touched < kFresh;
  watched_.store(watched, std::memory_order_relaxed);
  if (watched) return write();
  games_.clear();
  fs::remove(RunFolder::live_games(folder_), error);
}

void LiveGames::write() const {
  std::vector<std::byte> bytes = chunk_header(variant_, run_id_);
  for (const auto& [number, game] : games_) {
    const std::vector<std::byte> frame = chunk_frame(game);
    bytes.insert(bytes.end(), frame.begin(), frame.end());
  }
  // Renamed, so that readers see a complete file, but not synced: the next one comes in a second.
  const fs::path file = RunFolder::live_games(folder_), temporary = temporary_of(file);
  std::ofstream out(temporary, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  std::error_code error;
  if (out) fs::rename(temporary, file, error);
}

}  // namespace faultline
