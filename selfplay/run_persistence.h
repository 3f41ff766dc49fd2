// What a run keeps on disk between sessions: games, checkpoints, and the state that ties them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "selfplay/config.h"
#include "selfplay/replay_store.h"
#include "selfplay/run.h"
#include "selfplay/run_folder.h"
#include "selfplay/schedule.h"

namespace faultline {

/// Holds the run's folder for as long as it lives. Used by the learner's thread, but for append().
class RunPersistence {
 public:
  /// Opens or makes the folder and scans its games. `variant`: canonical name. Throws what
  /// run_training does for a folder that cannot be used.
  RunPersistence(const Config& config, const std::string& variant, const RunOptions& options);

  /// An earlier session began the run.
  bool resumed() const { return resumed_; }
  const RunFolder& folder() const { return folder_; }
  /// As the last session left it; checkpoint and in_rounds are those of now.
  const RunState& state() const { return state_; }
  /// What the disk no longer holds as it was: damaged games by name, and, with both numbers, games
  /// that state.json counted and no chunk has.
  std::vector<std::string> warnings() const;

  /// All games on disk in the order in which they were finished. Not while append() may run.
  const std::vector<StoredGame>& games() const { return store_.games(); }
  /// Those that belong before this point of the run. In a deterministic run later rounds come
  /// again, in their turn.
  std::vector<StoredGame> earlier_games() const;
  /// When it returns, a kill of the process cannot lose the game. Safe for several threads.
  void append(const GameRecord& game);

  /// A deterministic run has completed its rounds up to this game number.
  void complete_rounds(std::uint64_t games) { state_.in_rounds = games; }
  /// The run began from this network; state.json says so from the next save on.
  void began_from(std::string network) { state_.init_from = std::move(network); }

  /// Makes the present point one that a restart can go on from: first the games are synced, then
  /// `save_network` writes the checkpoint, then the state that names it. Only then may older
  /// networks go. Returns which could not be deleted, as messages.
  std::vector<std::string> save(
      const RunProgress& now,
      const std::function<void(const std::filesystem::path&)>& save_network);

 private:
  const Config* config_;
  RunFolder folder_;
  bool resumed_;
  RunState state_;  // as read, but for what moves on; its seconds are those before this session
  std::mutex mutex_;
  ReplayStore store_;  // while actors run: guarded by mutex_
};

}  // namespace faultline
