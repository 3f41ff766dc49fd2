// A run's folder: its files, its lock, and the last consistent state in state.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/file_lock.h"
#include "model/checkpoint_folder.h"
#include "model/inference/inference_choice.h"

namespace faultline {

/// A run that cannot be started or resumed as requested. The message names the folder or file and
/// what would be valid.
class RunError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A state.json that is no longer what a run wrote. The state can be rebuilt from a checkpoint and
/// the games on disk (RunOptions::from_checkpoint).
class DamagedState : public RunError {
  using RunError::RunError;
};

/// What a run's games were evaluated with from some step on.
struct RunInference {
  InferenceChoice choice = {};
  std::int64_t from_step = 0;
  /// Why it was chosen: "by the processor", "as configured".
  std::string reason = {};
  std::string processor = {};  // describe(ProcessorFeatures) of the machine that chose

  friend bool operator==(const RunInference&, const RunInference&) = default;
};

/// Where the count of due steps begins: where the steps per position last changed, or at the run's
/// start.
struct StepCount {
  std::uint64_t positions = 0;
  std::int64_t steps = 0;
  double per_position = 0;  // since then; 0: unknown, in states of earlier versions
  friend bool operator==(const StepCount&, const StepCount&) = default;
};

/// The state that a restart resumes from. Games finished since then are in games/ and are not lost.
struct RunState {
  std::string variant;     // canonical name
  std::string checkpoint;  // relative to the folder: "nets/000123.pt"
  std::int64_t steps = 0;
  std::uint64_t games = 0;        // finished when the state was written
  std::uint64_t positions = 0;    // training positions in them
  std::uint64_t in_rounds = 0;    // games of completed rounds, in deterministic runs
  double seconds = 0;             // of training, over all sessions
  double cpu_seconds = 0;         // of all threads, over all sessions
  std::uint64_t evaluations = 0;  // in self-play; like cpu_seconds, 0 in states of earlier versions
  std::uint64_t run_id = 0;       // unique id of the run; 0: from before runs had one
  /// A description of the network that the run started from: "runs/a/nets/000500.pt (500 steps,
  /// weights 0123456789abcdef)"; "" if it started from random weights.
  std::string init_from = {};
  /// The folder of the run whose games this one learned from first; "": none.
  std::string games_from = {};
  std::uint64_t inherited_games = 0;  // of that run: the first in games/
  StepCount step_count = {};          // by which the learner knows how many steps are due
  /// The choices for self-play in the order in which they were made; the last one is in force.
  /// Empty: the run was started by a version that did not store them.
  std::vector<RunInference> inference = {};

  friend bool operator==(const RunState&, const RunState&) = default;
};

/// Reads format 2, and 1, which has neither run id nor init_from. Throws DamagedState for a wrong
/// checksum (states of earlier versions have none) and a missing or mistyped key, which is named.
RunState run_state_from_json(const std::string& text, const std::string& source);
std::string to_json_text(const RunState& state);

/// The folder named by `text`, as given or below runs/; nullopt if there is none. Offers its game
/// (rules/data/known_games.h); throws RunError for a damaged copy of one.
std::optional<std::filesystem::path> find_run(const std::string& text);

/// The file of a network: one by its name, or the newest of a run's folder. Throws RunError, which
/// begins with `what`, if there is none.
std::filesystem::path find_network(const std::string& text, const std::string& what);

/// Holds the folder's lock for as long as it lives, so that no two processes train in one.
class RunFolder {
 public:
  /// Creates the folder if necessary, and deletes temporary files. Throws RunError if another
  /// process has locked it, or if it holds other results than a run's.
  explicit RunFolder(std::filesystem::path folder);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config_file() const { return path_ / kConfigName; }
  std::filesystem::path state_file() const { return path_ / kStateName; }
  std::filesystem::path metrics_file() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path games() const { return path_ / "games"; }
  /// The folder that another run's games are copied to. They become this one's with the first
  /// state.
  std::filesystem::path copied_games() const { return path_ / "games.tmp"; }
  /// Renames copied_games() to games() if there are any; `written`: as write_state() wrote it.
  /// False if there are none, or the state knows of no other run's.
  bool adopt_copied_games(const RunState& written) const;
  std::filesystem::path nets() const { return path_ / "nets"; }
  /// Some games in progress of the run in `folder`, a chunk that is written anew each second as
  /// long as the file watched() was touched within the last ten.
  static std::filesystem::path live_games(const std::filesystem::path& folder) {
    return folder / "live.chunk";
  }
  static std::filesystem::path watched(const std::filesystem::path& folder) {
    return folder / "watched";
  }
  /// "nets/000123.pt" after 123 steps.
  static std::string checkpoint_name(std::int64_t steps);

  /// Whether a run was started here.
  bool holds_run() const { return holds_run(path_); }
  /// Whether a run was started in `folder`, which is not touched and need not exist.
  static bool holds_run(const std::filesystem::path& folder);
  /// Offers the game of a run that plays one of a file (rules/data/known_games.h). Throws RunError
  /// for a damaged copy of one.
  static void offer_game(const std::filesystem::path& folder);
  /// Throws RunError, with the reason, if a run's folder cannot be created here. Leaves nothing.
  static void require_creatable(const std::filesystem::path& folder);
  /// The state in a folder that is not locked, where a run may be training; nullopt if there is
  /// none. Throws RunError.
  static std::optional<RunState> state_in(const std::filesystem::path& folder);
  /// nullopt if the run was killed before it wrote its first state.
  std::optional<RunState> read_state() const;
  /// The state to go on with from a checkpoint in nets(): the last one, whose steps after the
  /// checkpoint are made again; or, if there is none that can be read, a new one, whose time and
  /// evaluations begin at 0. Throws RunError if `checkpoint` is not a file of nets().
  RunState state_from(const std::filesystem::path& checkpoint) const;
  void write_state(const RunState& state) const;

  /// Deletes checkpoints older than the `keep` newest (0: none), except the untrained one, those at
  /// multiples of `every` steps (0: no exception), the one that `written` names, and later ones.
  /// Call only after write_state(written). Returns a message for each that could not be deleted.
  std::vector<std::string> prune_checkpoints(const RunState& written, int keep,
                                             std::int64_t every) const;

 private:
  static constexpr const char* kConfigName = "config.toml";
  static constexpr const char* kStateName = "state.json";
  std::filesystem::path path_;
  std::optional<FileLock> lock_;
};

}  // namespace faultline
