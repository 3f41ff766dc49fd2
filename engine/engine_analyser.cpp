// What finds the engine's moves: made from the options when it is needed, and again when they have
// changed.
#include "engine/engine_analyser.h"

#include <cstddef>
#include <exception>
#include <utility>

#include "model/checkpoint.h"
#include "model/encoding/attack_planes.h"
#include "model/inference/backend_choice.h"

namespace faultline {

std::unique_ptr<Analyser> make_analyser(const Game& game, EngineEvaluator evaluator,
                                        std::shared_ptr<Backend> backend,
                                        const AnalyserOptions& options) {
  switch (evaluator) {
    case EngineEvaluator::Net:
      return game.analyser(options, game.network_evaluator(std::move(backend)));
    case EngineEvaluator::Uniform:
      return game.analyser(options, game.uniform_evaluator());
    case EngineEvaluator::Material:
      return game.analyser(options, game.material_evaluator());
    case EngineEvaluator::Auto:  // settled before
    case EngineEvaluator::AlphaBeta:
    case EngineEvaluator::Fast:
      break;
  }
  return game.alpha_beta_analyser(options);
}

std::shared_ptr<Backend> load_net(const std::filesystem::path& net, const Game& game,
                                  const DeviceOptions& device, const BackendRegistry& backends) {
  CheckpointInfo info = read_checkpoint_info(net);
  const EncodingInfo trained = std::exchange(info.encoding, without_attack_planes(info.encoding));
  require_fitting_network(net, info, game.encoding());
  return load_backend(net, info.net.share_levels ? game.encoding() : trained, backends,
                      backend_options(choose_inference(backends, device, {})));
}

Analyser& EngineAnalyser::prepare(const Game& game, const UciSettings& settings,
                                  const TreeSearchSettings& net_search) {
  TreeSearchSettings search;
  if (settings.evaluator == EngineEvaluator::Net) search = net_search;
  if (settings.policy_temperature > 0)
    search.params.policy_temperature = settings.policy_temperature;
  Key key{game.variant(),     settings.evaluator, settings.net,  settings.backend,
          settings.precision, settings.threads,   settings.hash, search};
  if (analyser_ && key_ == key) return *analyser_;
  analyser_.reset();  // first, so that there are never two trees
  why_.clear();
  const AnalyserOptions options{.threads = settings.threads,
                                .memory_bytes = static_cast<std::size_t>(settings.hash) << 20,
                                .search = search};
  const auto attempt = [&](EngineEvaluator evaluator, AnalyserOptions with) {
    try {
      std::shared_ptr<Backend> backend;
      if (evaluator == EngineEvaluator::Fast)
        with.fast = std::make_shared<const FastNetwork>(load_fast_network(settings.net));
      if (evaluator == EngineEvaluator::Net)
        backend =
            load_net(settings.net, game,
                     {.backend = settings.backend, .precision = settings.precision}, *backends_);
      analyser_ = factory_(game, evaluator, std::move(backend), with);
    } catch (const std::exception& error) {
      why_ += error.what() + std::string("; ");
    }
    return analyser_ != nullptr;
  };
  if (uses_net(settings.evaluator) && settings.net.empty())
    why_ = "no net is set; ";
  else
    attempt(settings.evaluator, options);
  if (!analyser_ && attempt(EngineEvaluator::Uniform, options))
    why_ += "the uniform evaluator is used instead";
  if (!analyser_) {  // more memory or threads than the system has
    const AnalyserOptions modest{.threads = 1, .memory_bytes = std::size_t{16} << 20};
    analyser_ = factory_(game, EngineEvaluator::Uniform, nullptr, modest);
    why_ += "the uniform evaluator is used instead, with 1 thread and 16 MiB";
  }
  key_ = std::move(key);
  return *analyser_;
}

}  // namespace faultline
