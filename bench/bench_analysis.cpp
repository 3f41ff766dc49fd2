// Searches by one and by two threads on one tree: visits per second of wall time, which needs idle
// cores, and per second of CPU time, which shows what sharing the tree costs on busy ones, too.
#include <cstdint>
#include <ctime>
#include <memory>
#include <random>
#include <string>

#include <benchmark/benchmark.h>

#include "model/inference/backend_registry.h"
#include "model/network_description.h"
#include "play/game.h"

namespace faultline {
namespace {

std::shared_ptr<GameEvaluator> untrained(const Game& game, int blocks, int channels) {
  NetConfig net;
  net.blocks = blocks;
  net.channels = channels;
  NetworkValues values{describe_network(game.encoding(), net), {}, {}};
  const NetworkLayout layout = network_layout(values.description);
  std::mt19937_64 rng(1);
  std::normal_distribution<double> normal;
  for (const TensorSpec& t : layout.parameters)
    for (std::int64_t i = 0; i < t.numel(); ++i)
      values.parameters.push_back(static_cast<float>(t.init_mean + t.init_std * normal(rng)));
  for (const TensorSpec& t : layout.statistics)
    values.statistics.insert(values.statistics.end(), static_cast<std::size_t>(t.numel()),
                             static_cast<float>(t.init_mean));
  return game.network_evaluator(cpu_backends().create(values, {}));
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;  // of all threads
}

/// Arguments: threads, new visits.
void analysis(benchmark::State& state, const std::shared_ptr<GameEvaluator>& evaluator) {
  const Game& game = find_game("chess");
  const auto start = game.start();
  const auto analyser = game.analyser({.threads = static_cast<int>(state.range(0))}, evaluator);
  const auto visits = static_cast<std::uint32_t>(state.range(1));
  const double begin = cpu_seconds();
  for (auto _ : state) {
    analyser->clear();
    benchmark::DoNotOptimize(analyser->analyse(*start, {.new_visits = visits}, 1, nullptr));
  }
  const double all = static_cast<double>(visits) * static_cast<double>(state.iterations());
  state.counters["visits/s"] = benchmark::Counter(all, benchmark::Counter::kIsRate);
  state.counters["visits/CPU_s"] = all / (cpu_seconds() - begin);
}

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  using namespace faultline;
  const Game& game = find_game("chess");
  const auto add = [](const char* name, const std::shared_ptr<GameEvaluator>& evaluator,
                      int visits) {
    auto* const bench = benchmark::RegisterBenchmark(
        name, [evaluator](benchmark::State& state) { analysis(state, evaluator); });
    for (const int threads : {1, 2})
      bench->Args({threads, visits});
    bench->ArgNames({"threads", "visits"})->UseRealTime()->Unit(benchmark::kMillisecond);
  };
  add("analysis/uniform", game.uniform_evaluator(), 200000);
  add("analysis/2x16", untrained(game, 2, 16), 20000);
  add("analysis/2x32", untrained(game, 2, 32), 10000);
  add("analysis/6x64", untrained(game, 6, 64), 2000);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
