// What a run keeps on disk between sessions.
#include "selfplay/run_persistence.h"

#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "selfplay/inherited_games.h"
#include "selfplay/run_setup.h"

namespace faultline {

RunPersistence::RunPersistence(const Config& config, const std::string& variant,
                               const RunOptions& options)
    : config_(&config),
      folder_(options.folder),
      resumed_((check_folder(config, folder_, options), folder_.holds_run())),
      state_(options.from_checkpoint.empty() ? folder_.read_state().value_or(RunState{})
                                             : folder_.state_from(options.from_checkpoint)),
      store_(std::in_place, folder_.games(), variant, config.replay.chunk_games, state_.run_id) {
  if (!options.from_checkpoint.empty() && state_.run_id == 0)
    damaged_.push_back(fmt::format("{}: is rebuilt from {}; time and evaluations begin at 0",
                                   folder_.state_file().string(), state_.checkpoint));
  state_.variant = variant;
  state_.run_id = store_->run_id();
  settle_step_count();
}

void RunPersistence::settle_step_count() {
  const double now = steps_per_position(config_->learner);
  StepCount& count = state_.step_count;
  if (count.per_position == 0 && std::filesystem::exists(folder_.config_file()))
    count.per_position = steps_per_position(load_config(folder_.config_file()).learner);
  if (state_.steps > 0 && count.per_position != now) {
    step_count_message_ = fmt::format(
        "{:.3g} steps per position (learner.replay_ratio / learner.batch) instead of {:.3g}: "
        "counted from here on, after {} positions and {} steps",
        now, count.per_position, grouped(state_.positions),
        grouped(static_cast<std::uint64_t>(state_.steps)));
    count = {.positions = state_.positions, .steps = state_.steps, .per_position = now};
  }
  count.per_position = now;
}

std::vector<std::string> RunPersistence::warnings() const {
  std::vector<std::string> warnings = store_->found().messages;
  warnings.insert(warnings.end(), damaged_.begin(), damaged_.end());
  const std::uint64_t games = store_->found().size();
  const std::uint64_t positions = store_->found().targets;
  if (games < state_.games || positions < state_.positions)
    warnings.push_back(fmt::format(
        "{}: contains {} games with {} training positions, but {} counted {} with {}: games were "
        "lost, and the run continues without them; if there is a copy of the folder, stop, restore "
        "it, and resume",
        folder_.games().string(), games, positions, folder_.state_file().string(), state_.games,
        state_.positions));
  return warnings;
}

StoredGames RunPersistence::earlier_games() const {
  StoredGames games(store_->found());
  if (config_->run.deterministic) games.order_by_number(state_.in_rounds);
  return games;
}

void RunPersistence::append(const GameRecord& game) {
  const std::scoped_lock lock(mutex_);
  store_->append(game);
}

void RunPersistence::sync_games() {
  const std::scoped_lock lock(mutex_);
  store_->sync();
}

void RunPersistence::inherit_games_of(const std::filesystem::path& source) {
  const std::filesystem::path copy = folder_.copied_games();
  const CopiedGames copied = copy_games(source, state_.variant, copy, config_->replay.chunk_games);
  state_.run_id = ReplayStore(copy, state_.variant, config_->replay.chunk_games).run_id();
  state_.games_from = source.string();
  state_.inherited_games = copied.games;
  damaged_ = copied.messages;
}

void RunPersistence::settle(const SettledInference& inference) {
  inference_messages_ = inference.messages;
  if (inference.added) state_.inference.push_back(*inference.added);
  inference_is_new_ = inference.added.has_value();
}

void RunPersistence::store_inference() {
  if (inference_is_new_ && !state_.checkpoint.empty()) folder_.write_state(state_);
}

std::vector<std::string> RunPersistence::save(
    const RunProgress& now, const std::function<void(const std::filesystem::path&)>& save_network) {
  RunState state = state_;
  state.checkpoint = RunFolder::checkpoint_name(now.steps);
  const std::filesystem::path file = folder_.path() / state.checkpoint;
  if (state.checkpoint != state_.checkpoint || !std::filesystem::exists(file)) save_network(file);
  state.steps = now.steps;
  state.games = now.games;
  state.positions = now.positions;
  state.seconds = now.seconds;
  state.cpu_seconds = now.cpu_seconds;
  state.evaluations = now.evaluations;
  folder_.write_state(state);
  state_.checkpoint = state.checkpoint;
  if (folder_.adopt_copied_games(state))
    store_.emplace(folder_.games(), state_.variant, config_->replay.chunk_games, state_.run_id);
  return folder_.prune_checkpoints(state, config_->learner.keep_checkpoints,
                                   config_->learner.keep_every);
}

}  // namespace faultline
