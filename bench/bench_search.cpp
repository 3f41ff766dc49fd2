// Search with the free uniform evaluator: visits per second on one core, and bytes per visit.
#include <string>

#include <benchmark/benchmark.h>

#include "rules/families.h"
#include "search/searcher.h"

namespace faultline {
namespace {

constexpr const char* kMiddlegame =
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// Arguments: visits, leaves gathered from the tree per evaluation.
template <class P>
void uniform_search(benchmark::State& state, const std::string& fen) {
  const PositionHistory<P> history(fen.empty() ? P::start({}) : P::from_fen({}, fen));
  const auto visits = static_cast<std::uint32_t>(state.range(0));
  const auto leaves = static_cast<std::uint32_t>(state.range(1));
  UniformEvaluator<P> uniform;
  EvalBatch<P> batch;
  const auto searcher = make_puct_searcher<P>(SearchParams{}, false);
  std::mt19937_64 rng;
  std::size_t bytes = 0;
  for (auto _ : state) {
    run_search<P>(*searcher, &uniform, batch, history, {.visits = visits, .leaves = leaves}, rng);
    bytes = searcher->memory_bytes();
  }
  state.counters["visits/s"] =
      benchmark::Counter(static_cast<double>(visits) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
  state.counters["bytes/visit"] = static_cast<double>(bytes) / visits;
}

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  using namespace faultline;
  benchmark::RegisterBenchmark("search/chess", uniform_search<ChessPosition>, "")
      ->Args({800, 1})
      ->Args({800, 8})
      ->Args({100000, 1})
      ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("search/chess/middlegame", uniform_search<ChessPosition>,
                               kMiddlegame)
      ->Args({800, 1})
      ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("search/escher", uniform_search<EscherPosition>, "")
      ->Args({800, 1})
      ->Unit(benchmark::kMicrosecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
