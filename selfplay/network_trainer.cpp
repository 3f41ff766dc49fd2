// Creates a run's trainer from its configuration and folder.
#include "selfplay/network_trainer.h"

#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/processor_features.h"
#include "base/quote.h"
#include "model/checkpoint.h"
#include "model/export/bundle.h"
#include "model/inference/libtorch_backend.h"
#include "model/torch_compat.h"

namespace faultline {

void require_device(const Config& config) {
  const auto require = [&](std::string_view key, const auto& action) {
    try {
      action();
    } catch (const std::invalid_argument& error) {
      const std::string place = config.source(key);
      throw ConfigError(
          fmt::format("{}: '{}': {}", place.empty() ? "config" : place, key, error.what()));
    }
  };
  DeviceOptions device = config.device;
  const std::vector<std::string> names = device_list(device.device);
  require("device.device", [&] {
    for (const std::string& name : names)
      resolve_device(name);
  });
  device.device = names.front();
  if (config.device.backend != kAuto)
    require("device.backend", [&] { all_backends().find(config.device.backend); });
  require("device.precision",
          [&] { backend_candidates(all_backends(), device, kSelfPlayPrecisions); });
  if (names.size() > 1 && device.backend != kAuto && device.backend != "libtorch")
    require("device.backend", [&] { throw std::invalid_argument("does not run on GPUs"); });
}

namespace {

/// The [learner] settings with the precision settled. On a CPU bf16 takes 0.3 to 0.8 times as long
/// as fp32 where there are instructions for it (docs/measurements.md).
TrainParams settled_params(const Config& config, const std::string& device) {
  TrainParams params = config.learner.train;
  if (params.precision != TrainingPrecision::Auto) return params;
  const ProcessorFeatures& processor = this_processor();
  const bool has_bf16 = processor.avx512_bf16 || processor.amx_bf16;
  params.precision = device == "cpu" && has_bf16 && !config.run.deterministic
                         ? TrainingPrecision::Bf16
                         : TrainingPrecision::Fp32;
  return params;
}

/// Throws RunError, with the way to go on, for a checkpoint that cannot be read.
Trainer load_last(const std::filesystem::path& file, const std::string& device) {
  try {
    return Trainer::load(file, device);
  } catch (const CheckpointError& error) {
    throw RunError(fmt::format(
        "{}. --resume --from-checkpoint FILE goes on from another one and makes the steps after it "
        "again",
        error.what()));
  }
}

}  // namespace

Trainer make_new_trainer(const Config& config, const EncodingInfo& encoding,
                         const std::string& device) {
  return Trainer(encoding, config.net, settled_params(config, device), device,
                 static_cast<std::uint64_t>(config.run.seed));
}

Trainer make_trainer(const Config& config, const RunOptions& options, RunPersistence& persistence,
                     const EncodingInfo& encoding, const std::string& device) {
  const RunState& state = persistence.state();
  if (state.checkpoint.empty() && options.init_from.empty())
    return make_new_trainer(config, encoding, device);
  if (state.checkpoint.empty()) {
    const CheckpointInfo info = read_checkpoint_info(options.init_from);
    Trainer trainer =
        Trainer::start_from(options.init_from, encoding, settled_params(config, device), device);
    persistence.began_from(fmt::format("{} ({} steps, weights {:016x})", options.init_from.string(),
                                       info.steps, info.weights_hash));
    return trainer;
  }
  const std::filesystem::path file = persistence.folder().path() / state.checkpoint;
  Trainer trainer = load_last(file, device);
  require_encoding(file, trainer.encoding(), encoding);
  if (trainer.net() != config.net)
    throw RunError(fmt::format(
        "{}: the run's network is {}, but the configuration's [net] is another one "
        "({}); it must be "
        "the run's own",
        file.string(), json_text(to_json(trainer.net())), json_text(to_json(config.net))));
  trainer.set_params(settled_params(config, device));
  return trainer;
}

std::string NetworkTrainer::describe() const {
  return fmt::format("net {} ({} parameters) trained in {}{}, {}",
                     faultline::describe(trainer_.net()), trainer_.parameter_count(),
                     name(trainer_.params().precision),
                     ranks_ ? fmt::format(" by {} processes", ranks_->size()) : "", backend_);
}

StepLosses NetworkTrainer::step(const TrainBatch& batch) {
  return ranks_ ? ranks_->step(trainer_, batch) : trainer_.step(batch);
}

PlayingNet NetworkTrainer::publish() {
  const NetworkIdentity identity{trainer_.steps(), trainer_.weights_hash()};
  const BackendOptions options = backend_options(inference_);
  std::shared_ptr<Backend> backend = service_;
  if (inference_.device == "cpu") {
    backend = trainer_.inference_backend(options);
  } else if (!service_) {
    std::vector<MakeBackend> makers;
    for (const std::string& device : device_list(options.device))
      makers.push_back([device, options](const FoldedNetwork& network) {
        return make_libtorch_backend(network, device, options.precision);
      });
    backend = service_ =
        std::make_shared<BatchService>(std::move(makers), trainer_.folded(), identity);
  } else {
    service_->replace(trainer_.folded(), identity);
  }
  backend_ = backend->describe();
  return {.identity = identity, .backend = std::move(backend), .batch = inference_.batch};
}

void adopt_net(Config& config, const std::filesystem::path& net) {
  const CheckpointInfo info = read_checkpoint_info(net);
  if (is_bundle(net))
    throw CheckpointError(net,
                          "is a bundle, which cannot be trained, as its batch norms are folded; "
                          "give the checkpoint that it was exported from");
  const NetConfig& theirs = info.net;
  // Before a key is refused that only the net has set.
  const std::string family = parse_variant_name(canonical_variant(config)).family;
  if (info.encoding.family != family)
    throw EncodingMismatch(net, "is for the family " + quote(info.encoding.family, 100) +
                                    "; the run's variant is one of " + quote(family, 100));
  Config other = config;
  other.net = theirs;
  const auto ours = options(config);
  const auto there = options(other);
  for (std::size_t s = 0; s < ours.size(); ++s) {
    if (ours[s].name != "net") continue;
    for (std::size_t i = 0; i < ours[s].options.size(); ++i) {
      const std::string key = "net." + ours[s].options[i].name;
      const std::string given = value_text(ours[s].options[i]);
      const std::string found = value_text(there[s].options[i]);
      if (config.source(key).empty() || given == found) continue;
      throw ConfigError(
          fmt::format("{}: '{}' is {}, but {} has {}; leave the key out to take the net's",
                      config.source(key), key, given, net.string(), found));
    }
  }
  config.net = theirs;
}

}  // namespace faultline
