// What a run's games are evaluated with.
#include "selfplay/run_inference.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "model/inference/backend_choice.h"

namespace faultline {
namespace {

/// The batch of deterministic runs that do not name one: the default of earlier versions.
constexpr std::size_t kDeterministicBatch = 64;

/// The leaves that one thread's games can have waiting at a time.
std::size_t leaves_at_once(const Config& config) {
  return static_cast<std::size_t>(config.selfplay.games_per_thread) *
         static_cast<std::size_t>(config.search.leaves_per_tree);
}

class Settling {
 public:
  Settling(const Config& config, const RunState& state, const NetworkDescription& network,
           const InferenceSources& sources, const std::filesystem::path& folder)
      : config_(config), state_(state), network_(network), sources_(sources), folder_(folder) {}

  /// Chooses as a new run does, also where the state holds a choice.
  SettledInference first() const {
    InferenceChoice choice;
    std::string reason;
    if (config_.run.deterministic) {
      choice = by_processor(config_.device, kDeterministicPrecisions);
      choice.batch = given_batch().value_or(std::min(kDeterministicBatch, leaves_at_once(config_)));
      reason = "by the processor, as the run is deterministic";
    } else if (names_all()) {
      choice = by_processor(config_.device, kSelfPlayPrecisions);
      choice.batch = *given_batch();
      reason = "as configured";
    } else {
      std::tie(choice, reason) = probed();
    }
    SettledInference result = settled(choice, reason);
    if (!state_.inference.empty() && state_.inference.back().choice != choice)
      report_change(result, state_.inference.back().choice);
    return result;
  }

  SettledInference stored() const {
    const InferenceChoice& before = state_.inference.back().choice;
    const InferenceChoice choice = with_overrides(before);
    if (choice != before) {
      require_possible(choice);
      SettledInference result = settled(choice, overrides(before, choice));
      report_change(result, before);
      return result;
    }
    require_possible(choice);
    SettledInference result{.choice = choice, .added = std::nullopt, .messages = {}};
    result.messages.push_back(fmt::format("Inference: {} (stored in the run)", describe(choice)));
    if (config_.run.deterministic &&
        state_.inference.back().processor != describe(sources_.processor))
      result.messages.push_back(fmt::format(
          "warning: the run was started on another type of processor ({}; this one is {}): it will "
          "not equal one that stayed there",
          state_.inference.back().processor, describe(sources_.processor)));
    return result;
  }

 private:
  std::optional<std::size_t> given_batch() const {
    if (config_.selfplay.batch == 0) return std::nullopt;
    return static_cast<std::size_t>(config_.selfplay.batch);
  }
  bool names_all() const {
    return config_.device.backend != kAuto && config_.device.precision != PrecisionChoice::Auto &&
           given_batch();
  }

  /// "x.toml:3, --set device.precision=fp32": where the keys were set that are not `auto`.
  std::string places(const std::vector<std::string_view>& keys) const {
    std::vector<std::string> found;
    for (const std::string_view key : keys) {
      const std::string place = config_.source(key);
      if (!place.empty() && std::ranges::count(found, place) == 0) found.push_back(place);
    }
    return fmt::format("{}", fmt::join(found, ", "));
  }

  InferenceChoice by_processor(const DeviceOptions& options,
                               std::span<const Precision> allowed) const {
    try {
      return choose_by_processor(*sources_.backends, options, allowed, sources_.processor);
    } catch (const std::invalid_argument& error) {
      throw refusal(error);
    }
  }

  std::pair<InferenceChoice, std::string> probed() const {
    const ProbeRequest request{
        .backends = sources_.backends,
        .network = network_,
        .options = config_.device,
        .precisions = {kSelfPlayPrecisions.begin(), kSelfPlayPrecisions.end()},
        .batch = given_batch(),
        .largest_batch = leaves_at_once(config_)};
    try {
      const CachedProbe probe = sources_.probe(request);
      const double rate = probe.result.best.positions_per_second;
      return {probe.result.best.choice, fmt::format("{}: {} positions/s on one core",
                                                    probe.from_cache ? "timed before" : "timed",
                                                    grouped(static_cast<std::uint64_t>(rate)))};
    } catch (const std::invalid_argument& error) {
      throw refusal(error);
    }
  }

  /// What no backend supports, with the place where it was asked for.
  ConfigError refusal(const std::exception& error) const {
    std::string place = places({"device.device", "device.backend", "device.precision"});
    if (place.empty()) place = "config";
    return ConfigError(fmt::format("{}: [device]: {}", place, error.what()));
  }

  /// `before`, with what the configuration names instead.
  InferenceChoice with_overrides(const InferenceChoice& before) const {
    const DeviceOptions& asked = config_.device;
    InferenceChoice choice = before;
    if (asked.backend != kAuto) choice.backend = asked.backend;
    if (const auto precision = fixed_precision(asked.precision)) choice.precision = *precision;
    if (asked.device != kAuto) choice.device = asked.device;
    const bool names_another = choice != before;
    choice.batch = given_batch().value_or(before.batch);
    // "cuda" is "cuda:0", and with another backend or device the rest may be impossible, or bad.
    const bool moves = runs_on_cpu(choice.device) != runs_on_cpu(before.device);
    if (!moves) {
      try {
        choice.device = sources_.backends->attributes(backend_options(choice)).device;
        return choice;
      } catch (const std::invalid_argument&) {
        if (!names_another) return choice;  // to be refused
      }
    }
    DeviceOptions options = asked;
    if (options.device == kAuto) options.device = before.device;
    InferenceChoice other = by_processor(
        options, config_.run.deterministic ? std::span<const Precision>(kDeterministicPrecisions)
                                           : std::span<const Precision>(kSelfPlayPrecisions));
    other.batch = moves ? given_batch().value_or(std::min(other.batch, leaves_at_once(config_)))
                        : choice.batch;
    return other;
  }
  static bool runs_on_cpu(std::string_view device) { return device == "cpu"; }

  std::string overrides(const InferenceChoice& before, const InferenceChoice& now) const {
    std::vector<std::string_view> keys;
    if (config_.device.backend != kAuto && now.backend != before.backend)
      keys.emplace_back("device.backend");
    if (config_.device.precision != PrecisionChoice::Auto && now.precision != before.precision)
      keys.emplace_back("device.precision");
    if (config_.device.device != kAuto && now.device != before.device)
      keys.emplace_back("device.device");
    if (given_batch() && now.batch != before.batch) keys.emplace_back("selfplay.batch");
    const std::string where = places(keys);
    return where.empty() ? "by the configuration" : where;
  }

  void require_possible(const InferenceChoice& choice) const {
    try {
      sources_.backends->attributes(backend_options(choice));
    } catch (const std::invalid_argument& error) {
      throw RunError(fmt::format(
          "{}: its games are evaluated by {}, which is not possible here: {}. To go on with "
          "another choice, name one (--set device.backend=NAME, --set device.precision=NAME, "
          "--set device.device=NAME), or let this machine choose again with --probe",
          folder_.string(), describe_backend(choice), error.what()));
    }
  }

  void report_change(SettledInference& result, const InferenceChoice& before) const {
    result.messages.push_back(
        fmt::format("The run was computed by {} up to here", describe(before)));
    if (config_.run.deterministic)
      result.messages.emplace_back(
          "warning: the run is deterministic, but it will not equal one that kept its choice");
  }

  SettledInference settled(const InferenceChoice& choice, const std::string& reason) const {
    return {.choice = choice,
            .added = RunInference{.choice = choice,
                                  .from_step = state_.steps,
                                  .reason = reason,
                                  .processor = describe(sources_.processor)},
            .messages = {fmt::format("Inference: {} ({})", describe(choice), reason)}};
  }

  const Config& config_;
  const RunState& state_;
  const NetworkDescription& network_;
  const InferenceSources& sources_;
  const std::filesystem::path& folder_;
};

/// Whether a "file:line" names this file.
bool is_in(const std::string& place, const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::equivalent(place.substr(0, place.rfind(':')), file, error);
}

}  // namespace

Config without_choices_of_the_run(Config config, const std::filesystem::path& folder) {
  const Config defaults;
  const std::filesystem::path file = folder / "config.toml";
  const auto forget = [&](std::string_view key, auto& value, const auto& automatic) {
    if (is_in(config.source(key), file)) value = automatic;
  };
  forget("device.device", config.device.device, defaults.device.device);
  forget("device.backend", config.device.backend, defaults.device.backend);
  forget("device.precision", config.device.precision, defaults.device.precision);
  forget("selfplay.batch", config.selfplay.batch, defaults.selfplay.batch);
  forget("learner.precision", config.learner.train.precision, defaults.learner.train.precision);
  return config;
}

SettledInference settle_inference(const Config& config, const RunState& state, bool choose_again,
                                  const NetworkDescription& network,
                                  const InferenceSources& sources,
                                  const std::filesystem::path& folder) {
  const Settling settling(config, state, network, sources, folder);
  return state.inference.empty() || choose_again ? settling.first() : settling.stored();
}

}  // namespace faultline
