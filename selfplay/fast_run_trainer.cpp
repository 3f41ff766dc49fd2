// Trains a fast network alone.
#include "selfplay/fast_run_trainer.h"

#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "model/checkpoint.h"
#include "model/checkpoint_file.h"
#include "model/fast/fast_encoder.h"
#include "model/fast/fast_file.h"
#include "model/inference/backend_choice.h"
#include "rules/data/known_games.h"
#include "rules/families.h"

namespace faultline {
namespace {

StepLosses losses_of(double cross_entropy) {
  return {.total = cross_entropy, .value = cross_entropy};
}

std::filesystem::path teachers_file(const Config& config) try {
  return find_network(config.fast.teacher, config.source("fast.teacher") + ": 'fast.teacher'");
} catch (const RunError& error) {
  throw ConfigError(error.what());
}

FastTrainer stored_trainer(const std::filesystem::path& file, const FastLayout& layout,
                           const std::string& game) {
  std::optional<FastTrainer> trainer = read_fast_training(CheckpointFile::read(file), file);
  if (!trainer) throw RunError(fmt::format("{}: has no fast network", file.string()));
  if (trainer->layout() != layout ||
      !data::is_same_game(read_checkpoint_info(file).encoding.game, game))
    throw RunError(
        fmt::format("{}: its fast network is one of another game or board", file.string()));
  return std::move(*trainer);
}

}  // namespace

std::string FastRunTrainer::describe() const {
  return fmt::format("fast network of {} inputs, {} hidden units{}", trainer_.layout().inputs(),
                     kFastHidden, teacher_ ? ", taught by " + teacher_->describe() : "");
}

StepLosses FastRunTrainer::step(const TrainBatch& batch) {
  return losses_of(trainer_.step(batch.fast, learning_rate_));
}

StepLosses FastRunTrainer::evaluate(const TrainBatch& batch) {
  return losses_of(trainer_.evaluate(batch.fast));
}

void FastRunTrainer::save(const std::filesystem::path& file, const TreeSearchSettings&) const {
  CheckpointFile checkpoint;
  checkpoint.header = {{"encoding", to_json(encoding_)}, {"steps", trainer_.steps()}};
  write_fast_training(checkpoint, trainer_);
  checkpoint.write(file);
}

std::string FastRunTrainer::playing_file(const TreeSearchSettings&) const {
  CheckpointFile checkpoint;
  checkpoint.header = {{"encoding", to_json(encoding_)}, {"steps", trainer_.steps()}};
  write_fast_weights(checkpoint, trainer_);
  return checkpoint.bytes();
}

PlayingNet FastRunTrainer::publish() {
  return {.identity = {trainer_.steps(), weights_hash(trainer_.parameters(), {})},
          .backend = teacher_,
          .fast = std::make_shared<const FastNetwork>(trainer_.network(encoding_.variant))};
}

void adopt_teacher(Config& config) {
  if (config.fast.teacher.empty() || !config.source("run.variant").empty()) return;
  try {
    config.run.variant = read_checkpoint_info(teachers_file(config)).encoding.variant;
  } catch (const CheckpointError& error) {
    throw ConfigError(
        fmt::format("{}: 'fast.teacher': {}", config.source("fast.teacher"), error.what()));
  }
}

std::shared_ptr<Backend> load_teacher(const Config& config, const EncodingInfo& encoding,
                                      const BackendRegistry& backends) {
  if (config.fast.teacher.empty()) return nullptr;
  return load_backend(teachers_file(config), encoding, backends,
                      backend_options(choose_inference(backends, config.device, {})));
}

FastTrainer make_fast_trainer(const Config& config, const RunOptions& options,
                              RunPersistence& persistence) {
  const FastLayout layout = fast_layout_of(config);
  const std::string game = data::game_text(canonical_variant(config));
  const RunState& state = persistence.state();
  if (!state.checkpoint.empty())
    return stored_trainer(persistence.folder().path() / state.checkpoint, layout, game);
  FastTrainer trainer(layout, static_cast<std::uint64_t>(config.run.seed));
  if (options.init_from.empty()) return trainer;
  const FastTrainer other = stored_trainer(options.init_from, layout, game);
  const std::vector<float> none(other.parameters().size());
  trainer.restore(0, other.parameters(), none, none);
  persistence.began_from(fmt::format("{} ({} steps, weights {:016x})", options.init_from.string(),
                                     other.steps(), weights_hash(other.parameters(), {})));
  return trainer;
}

FastLayout fast_layout_of(const Config& config) {
  return with_family(parse_variant_name(config.run.variant),
                     []<Position P>(std::type_identity<P>, const typename P::Variant& variant) {
                       return FastEncoder<P>::layout(variant);
                     });
}

}  // namespace faultline
