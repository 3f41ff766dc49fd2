// What finds the engine's moves: made from the options when it is needed, and again when they have
// changed.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "engine/uci_options.h"
#include "model/device_options.h"
#include "model/inference/backend_registry.h"
#include "play/analyser.h"
#include "play/game.h"

namespace faultline {

/// `backend`: of the net, null for the other evaluators.
using AnalyserFactory = std::function<std::unique_ptr<Analyser>(
    const Game& game, EngineEvaluator evaluator, std::shared_ptr<Backend> backend,
    const AnalyserOptions& options)>;

/// The project's own searches.
std::unique_ptr<Analyser> make_analyser(const Game& game, EngineEvaluator evaluator,
                                        std::shared_ptr<Backend> backend,
                                        const AnalyserOptions& options);

/// The net's weights for positions of `game`: of its own variant, or of another option set of the
/// family with the same encoding. What `device` leaves to "auto" follows from the
/// processor. Throws CheckpointError, and std::invalid_argument for a backend that is not
/// available.
std::shared_ptr<Backend> load_net(const std::filesystem::path& net, const Game& game,
                                  const DeviceOptions& device, const BackendRegistry& backends);

/// Used by one thread at a time.
class EngineAnalyser {
 public:
  EngineAnalyser(AnalyserFactory factory, const BackendRegistry& backends)
      : factory_(std::move(factory)), backends_(&backends) {}

  /// The analyser for these settings, the last one if they are still the same. If the net cannot be
  /// used, that of the uniform evaluator; why() then says so. `settings.net`: a file, or empty;
  /// `net_search`: how it is to be searched, where `settings` do not say.
  Analyser& prepare(const Game& game, const UciSettings& settings,
                    const TreeSearchSettings& net_search);
  /// Why the last prepare() did not give what the settings ask for; empty if it did.
  const std::string& why() const { return why_; }
  /// Forgets what was searched.
  void clear() {
    if (analyser_) analyser_->clear();
  }

 private:
  using Key = std::tuple<std::string, EngineEvaluator, std::string, std::string, PrecisionChoice,
                         int, int, TreeSearchSettings>;

  AnalyserFactory factory_;
  const BackendRegistry* backends_;
  std::optional<Key> key_;
  std::unique_ptr<Analyser> analyser_;
  std::string why_;
};

}  // namespace faultline
