// What a run's games are evaluated with.
#include "selfplay/run_inference.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "model/inference/backend_choice.h"

namespace faultline {
namespace {

/// The batch of deterministic runs that do not name one.
constexpr std::size_t kDeterministicBatch = 64;

InferenceChoice choice_for(const Config& config, const BackendRegistry& backends,
                           const ProcessorFeatures& processor) {
  const std::size_t leaves = static_cast<std::size_t>(config.selfplay.games_per_thread) *
                             static_cast<std::size_t>(config.search.leaves_per_tree);
  const bool exact = config.run.deterministic;
  DeviceOptions device = config.device;
  device.device = device_list(device.device).front();
  InferenceChoice choice =
      choose_inference(backends, device,
                       {.precisions = exact ? std::span<const Precision>(kDeterministicPrecisions)
                                            : std::span<const Precision>(kSelfPlayPrecisions),
                        .channels = config.net.channels,
                        .largest_batch = leaves},
                       processor);
  if (device.device != config.device.device) choice.device = config.device.device;
  if (exact) choice.batch = std::min(kDeterministicBatch, leaves);
  if (config.selfplay.batch > 0) choice.batch = static_cast<std::size_t>(config.selfplay.batch);
  return choice;
}

std::string reason_for(const Config& config) {
  const int named = (config.device.backend != kAuto ? 1 : 0) +
                    (config.device.precision != PrecisionChoice::Auto ? 1 : 0) +
                    (config.selfplay.batch > 0 ? 1 : 0);
  constexpr int kAll = 3;
  if (named == kAll) return "as configured";
  const char* const rest =
      config.run.deterministic ? "as the run is deterministic" : "by the processor";
  return named == 0 ? rest : fmt::format("as configured, the rest {}", rest);
}

}  // namespace

SettledInference settle_inference(const Config& config, const RunState& state,
                                  const BackendRegistry& backends,
                                  const ProcessorFeatures& processor) {
  SettledInference result{
      .choice = choice_for(config, backends, processor), .added = {}, .messages = {}};
  const RunInference now{.choice = result.choice,
                         .from_step = state.steps,
                         .reason = reason_for(config),
                         .processor = describe(processor)};
  result.messages.push_back(fmt::format("Inference: {} ({})", describe(now.choice), now.reason));
  const RunInference* const before = state.inference.empty() ? nullptr : &state.inference.back();
  const bool changes = before != nullptr && before->choice != now.choice;
  if (before == nullptr || changes) result.added = now;
  if (changes)
    result.messages.push_back(
        fmt::format("The run was computed by {} up to here", describe(before->choice)));
  if (config.run.deterministic && before != nullptr &&
      (changes || before->processor != now.processor))
    result.messages.push_back(fmt::format(
        "warning: the run is deterministic, but it will not equal one that kept its choice and "
        "its type of processor ({}; this one is {})",
        before->processor, now.processor));
  return result;
}

}  // namespace faultline
