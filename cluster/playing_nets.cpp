// Reads a run's networks for play on this machine.
#include "cluster/playing_nets.h"

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "model/checkpoint.h"
#include "model/checkpoint_file.h"
#include "model/fast/fast_file.h"
#include "model/inference/backend_choice.h"
#include "selfplay/fast_run_trainer.h"
#include "selfplay/run_encoding.h"
#include "selfplay/run_inference.h"

namespace faultline {
namespace {

std::shared_ptr<const FastNetwork> fast_network_in(const CheckpointFile& file,
                                                   const std::filesystem::path& path,
                                                   const FastLayout& layout,
                                                   const std::string& variant) {
  const std::optional<FastTrainer> trainer = read_fast_training(file, path);
  if (!trainer) return nullptr;
  if (trainer->layout() != layout)
    throw CheckpointError(path, "its fast network has other inputs than this program gives it");
  return std::make_shared<const FastNetwork>(trainer->network(variant));
}

}  // namespace

LoadNet net_loader(const Config& config, const BackendRegistry& backends,
                   std::vector<std::string>& messages) {
  const EncodingInfo encoding = encoding_of_run(config);
  const FastLayout layout = fast_layout_of(config);
  std::optional<InferenceChoice> choice;
  std::shared_ptr<Backend> teacher;
  if (config.fast.network == FastRun::Alone) {
    teacher = load_teacher(config, encoding, backends);
  } else {
    const SettledInference settled = settle_inference(config, {}, backends);
    choice = settled.choice;
    messages.insert(messages.end(), settled.messages.begin(), settled.messages.end());
  }
  return [=, &backends](const std::filesystem::path& path) {
    const CheckpointFile file = CheckpointFile::read(path);
    const CheckpointInfo info = info_of(file, path);
    PlayingNet net{.identity = {info.steps, info.weights_hash},
                   .backend = teacher,
                   .fast = fast_network_in(file, path, layout, encoding.variant)};
    if (info.has_network && choice) {
      net.backend = load_backend(path, encoding, backends, backend_options(*choice));
      net.batch = choice->batch;
    }
    return net;
  };
}

}  // namespace faultline
