// Creates a run's trainer from its configuration and folder.
#include "selfplay/network_trainer.h"

#include <cmath>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/quote.h"
#include "model/checkpoint.h"
#include "model/export/bundle.h"
#include "model/inference/libtorch_backend.h"
#include "model/inference/probe_cache.h"
#include "model/torch_compat.h"
#include "model/training/precision_probe.h"
#include "selfplay/run_inference.h"

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
  require("device.device", [&] { resolve_device(config.device.device); });
  if (config.device.backend != kAuto)
    require("device.backend", [&] { all_backends().find(config.device.backend); });
  require("device.precision",
          [&] { backend_candidates(all_backends(), config.device, kSelfPlayPrecisions); });
}

namespace {

/// This program's backends, and the user's cache of their speeds.
InferenceSources inference_sources(const std::string& program) {
  return {.backends = &all_backends(), .probe = [program](const ProbeRequest& request) {
            return probe_or_recall(request, ProbeCache(probe_cache_file()), program);
          }};
}

}  // namespace

InferenceChoice settle_inference(const Config& config, const RunOptions& options,
                                 RunPersistence& persistence, const EncodingInfo& encoding) {
  SettledInference settled = settle_inference(
      config, persistence.state(), options.choose_again, describe_network(encoding, config.net),
      inference_sources(options.program), persistence.folder().path());
  persistence.settle(settled);
  return settled.choice;
}

SettledInference choose_inference(const Config& config, const std::string& program,
                                  const EncodingInfo& encoding) {
  return settle_inference(config, RunState{}, false, describe_network(encoding, config.net),
                          inference_sources(program), {});
}

namespace {

/// The [learner] settings with the precision settled.
TrainParams settled_params(const Config& config, const NetConfig& net, const EncodingInfo& encoding,
                           const std::string& device, const RunOptions& options) {
  TrainParams params = config.learner.train;
  if (params.precision != TrainingPrecision::Auto) return params;
  params.precision = options.training_precision.value_or(TrainingPrecision::Fp32);
  if (config.run.deterministic || options.training_precision) return params;
  const PrecisionProbe probe =
      probe_training_precision(encoding, net, params, device, config.learner.batch);
  params.precision = probe.faster;
  *options.out << fmt::format(
      "Training in {}: {}\n", name(probe.faster),
      std::isfinite(probe.bf16_seconds)
          ? fmt::format("a step in bf16 takes {:.2f} times as long as one in fp32, and bf16 is "
                        "chosen below {:.2f}",
                        probe.bf16_seconds / probe.fp32_seconds, kBf16Advantage)
          : "bf16 is not available here");
  return params;
}

void warn_if_emulated(const Trainer& trainer, const std::string& device, std::ostream& out) {
  const ProcessorFeatures& processor = this_processor();
  if (trainer.params().precision == TrainingPrecision::Bf16 && device == "cpu" &&
      !processor.avx512_bf16 && !processor.amx_bf16)
    out << "warning: the run is trained in bf16, which this processor has to emulate; --resume "
           "--probe chooses again, --set learner.precision=fp32 names the other\n";
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
                         const std::string& device, const RunOptions& options) {
  return Trainer(encoding, config.net,
                 settled_params(config, config.net, encoding, device, options), device,
                 static_cast<std::uint64_t>(config.run.seed));
}

Trainer make_trainer(const Config& config, const RunOptions& options, RunPersistence& persistence,
                     const EncodingInfo& encoding, const std::string& device) {
  const RunState& state = persistence.state();
  if (state.checkpoint.empty() && options.init_from.empty())
    return make_new_trainer(config, encoding, device, options);
  if (state.checkpoint.empty()) {
    const CheckpointInfo info = read_checkpoint_info(options.init_from);
    Trainer trainer =
        Trainer::start_from(options.init_from, encoding,
                            settled_params(config, info.net, encoding, device, options), device);
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
  // Without measuring, `auto` leaves the precision as it is.
  trainer.set_params(options.choose_again
                         ? settled_params(config, config.net, encoding, device, options)
                         : config.learner.train);
  warn_if_emulated(trainer, device, *options.out);
  return trainer;
}

std::string NetworkTrainer::describe() const {
  return fmt::format("net {} ({} parameters) trained in {}, {}",
                     faultline::describe(trainer_.net()), trainer_.parameter_count(),
                     name(trainer_.params().precision), backend_);
}

PlayingNet NetworkTrainer::publish() {
  PlayingNet net{.identity = {trainer_.steps(), trainer_.weights_hash()},
                 .backend = trainer_.inference_backend(backend_options(inference_)),
                 .batch = inference_.batch};
  backend_ = net.backend->describe();
  return net;
}

void adopt_net(Config& config, const std::filesystem::path& net) {
  const CheckpointInfo info = read_checkpoint_info(net);
  if (is_bundle(net))
    throw CheckpointError(net,
                          "is a bundle, which cannot be trained, as its batch norms are folded; "
                          "give the checkpoint that it was exported from");
  const NetConfig& theirs = info.net;
  // Before a key is refused that only the net has set.
  const std::string family = config.run.variant.substr(0, config.run.variant.find(':'));
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
