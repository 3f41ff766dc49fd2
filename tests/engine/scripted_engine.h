// An engine whose searches are scripted, for dialogues with it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/uci_server.h"
#include "tests/engine/scripted_analyser.h"

namespace faultline::test {

class Engine {
 public:
  explicit Engine(EngineEvaluator evaluator = EngineEvaluator::Uniform,
                  std::optional<std::string> ready = std::nullopt) {
    UciSetup setup;
    setup.find_ready_net = [ready](const std::string& variant) -> std::optional<UciNet> {
      if (!ready || variant != "chess") return std::nullopt;
      return UciNet{.file = *ready};
    };
    setup.settings.evaluator = evaluator;
    setup.backends = &cpu_backends();
    setup.find_net = [](const std::string& name) {
      UciNet net{.file = name};
      if (name.ends_with("inferno.pt")) net.search.params.policy_temperature = 3;
      return net;
    };
    setup.make_analyser = [this](const Game&, EngineEvaluator used, std::shared_ptr<Backend>,
                                 const AnalyserOptions& options) -> std::unique_ptr<Analyser> {
      evaluators.push_back(used);
      made.push_back(options);
      return std::make_unique<ScriptedAnalyser>(script);
    };
    server = std::make_unique<UciServer>(std::move(setup),
                                         [this](std::string_view text) { out.add(text); });
  }
  bool hear(std::string_view line) { return server->hear(line); }
  void end_input() { server.reset(); }
  std::vector<std::string> answers() { return out.answers(); }
  /// Searches until it is stopped from now on.
  void be_patient() {
    script.with_lock([](Script& s) { s.ends_by_itself = false; });
  }
  /// Waits until the search has begun.
  void begin(const std::string& go) {
    const std::size_t before = script.with_lock([](Script& s) { return s.searches.size(); });
    hear(go);
    script.wait_for_searches(before + 1);
  }
  SearchLimits limits() {
    return script.with_lock([](Script& s) { return s.searches.back(); });
  }

  Script script;
  WrittenLines out;
  std::vector<AnalyserOptions> made;
  std::vector<EngineEvaluator> evaluators;  // of these
  std::unique_ptr<UciServer> server;
};

}  // namespace faultline::test
