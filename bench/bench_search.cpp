// Search with the free uniform evaluator: visits per second on one core, and bytes per visit; and
// what reading memory at random costs, which limits searches in large trees.
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "rules/families.h"
#include "search/node_memory.h"
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

/// Follows a random cycle through all cache lines of so many MiB, of a search tree's memory: each
/// read waits for the one before.
void random_reads(benchmark::State& state) {
  constexpr std::size_t kLine = 64;
  const std::size_t bytes = static_cast<std::size_t>(state.range(0)) << 20;
  NodeMemory memory(bytes + (bytes >> 4), NodeMemory::Reserve::AtOnce);
  const Handle begin = memory.allocate(NodeMemory::units_for(bytes));
  const auto line = [&](std::size_t i) -> std::uint64_t& {
    return *memory.at<std::uint64_t>(begin + static_cast<Handle>(i * kLine / NodeMemory::kUnit));
  };
  const std::size_t lines = bytes / kLine;
  std::mt19937_64 rng;
  for (std::size_t i = 0; i < lines; ++i)
    line(i) = i;
  for (std::size_t i = lines - 1; i > 0; --i)  // Sattolo's algorithm: one cycle
    std::swap(line(i), line(rng() % i));
  std::size_t at = 0;
  for (auto _ : state)
    at = line(at);
  benchmark::DoNotOptimize(at);
}

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  using namespace faultline;
  const auto large = [](auto* registered) {
    for (const std::int64_t visits : {1'000'000, 10'000'000})
      registered->Args({visits, 1})->Iterations(1);
  };
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
      ->Args({100000, 1})
      ->Unit(benchmark::kMicrosecond);
  large(benchmark::RegisterBenchmark("search/large/chess", uniform_search<ChessPosition>, ""));
  large(benchmark::RegisterBenchmark("search/large/escher", uniform_search<EscherPosition>, ""));
  benchmark::RegisterBenchmark("memory/random_reads", random_reads)->Arg(1)->Arg(16)->Arg(1024);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
