// What a run keeps on disk between sessions: games, checkpoints, and the state that links them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "record/config.h"
#include "record/replay_store.h"
#include "record/run_folder.h"
#include "record/stored_games.h"
#include "selfplay/run_inference.h"
#include "selfplay/run_options.h"
#include "selfplay/schedule.h"

namespace faultline {

/// Locks the run's folder during its lifetime. Used by the learner's thread, except for append()
/// and sync_games().
class RunPersistence {
 public:
  /// Opens or creates the folder and scans its games. `variant`: canonical name. Throws like
  /// run_training for an unusable folder.
  RunPersistence(const Config& config, const std::string& variant, const RunOptions& options);

  /// Whether an earlier session started the run.
  bool resumed() const { return resumed_; }
  const RunFolder& folder() const { return folder_; }
  /// The state as the last session left it; checkpoint, in_rounds and inference are current.
  const RunState& state() const { return state_; }
  /// Data lost from the disk: damaged games by name, a state that was rebuilt, and, with both
  /// numbers, games that state.json counted but no chunk contains.
  std::vector<std::string> warnings() const;

  /// What the session found on disk: not the games of append().
  const GamesOnDisk& games() const { return store_->found(); }
  /// The games that belong before this point of the run. In a deterministic run they are ordered by
  /// their numbers, and the games of later rounds are excluded; their rounds will read them.
  StoredGames earlier_games() const;
  /// Once it returns, killing the process cannot lose the game. Thread-safe.
  void append(const GameRecord& game);
  /// Protects all games so far against a power failure. Thread-safe.
  void sync_games();

  /// A deterministic run has completed its rounds up to this game number.
  void complete_rounds(std::uint64_t games) { state_.in_rounds = games; }
  /// Records that the run started from this network, in state.json from the next save on.
  void began_from(std::string network) { state_.init_from = std::move(network); }

  /// A new run copies the games of the run in `source`, to learn from them first. With the first
  /// save(), which records it in state.json, they become the run's own. A process that is killed
  /// before that leaves no run behind, but a folder that the next start deletes.
  void inherit_games_of(const std::filesystem::path& source);

  /// Adopts what the games are evaluated with.
  void settle(const SettledInference& inference);
  /// Stores what settle() has added to a run that is resumed, now that it is known to work; the
  /// first save() of a new run stores it, too.
  void store_inference();
  /// Why steps are counted anew from here: the configuration allows another number of them per
  /// position than that of the last session. "" if it does not.
  const std::string& step_count_message() const { return step_count_message_; }
  /// What to tell the user about it, one line each.
  const std::vector<std::string>& inference_messages() const { return inference_messages_; }

  /// Saves a consistent state that a restart can resume from, after sync_games(): `save_network`
  /// writes the checkpoint, then the state that names it is written. Only then are older networks
  /// deleted, and copied games added to the run. Returns a message for each that could not be
  /// deleted.
  std::vector<std::string> save(
      const RunProgress& now,
      const std::function<void(const std::filesystem::path&)>& save_network);

 private:
  void settle_step_count();

  const Config* config_;
  RunFolder folder_;
  bool resumed_;
  RunState state_;  // as read, except for what state() documents; seconds before this session
  std::string step_count_message_;
  std::vector<std::string> inference_messages_;
  bool inference_is_new_ = false;
  std::mutex mutex_;
  std::optional<ReplayStore> store_;  // always there; while actors run: guarded by mutex_
  std::vector<std::string> damaged_;  // besides what the store found: for warnings()
};

}  // namespace faultline
