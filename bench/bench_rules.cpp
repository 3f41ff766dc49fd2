// Rules: perft nodes per second of every family from its start position, one thread, bulk counting
// at the last ply; moves generated per second.
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

#include <benchmark/benchmark.h>

#include "rules/families.h"
#include "rules/perft.h"

namespace faultline {
namespace {

template <class P>
P position_of(const std::string& fen) {
  const typename P::Variant& variant = P::variant(parse_variant_name(P::info().name));
  return fen.empty() ? P::start(variant) : P::from_fen(variant, fen);
}

template <class P>
void perft_nodes(benchmark::State& state, const std::string& fen, int depth) {
  const P position = position_of<P>(fen);
  std::uint64_t nodes = 0;
  for (auto _ : state)
    nodes += perft(position, depth);
  state.counters["nodes/s"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate);
}

template <class P>
void generated_moves(benchmark::State& state, const std::string& fen) {
  const P position = position_of<P>(fen);
  typename P::MoveList moves;
  std::uint64_t generated = 0;
  for (auto _ : state) {
    position.legal_moves(moves);
    benchmark::DoNotOptimize(moves.begin());
    generated += moves.size();
  }
  state.counters["moves/s"] =
      benchmark::Counter(static_cast<double>(generated), benchmark::Counter::kIsRate);
}

/// The smallest depth at which perft visits enough nodes to be measured.
template <class P>
int depth_to_measure() {
  constexpr std::uint64_t kEnoughNodes = 500'000;
  const P position = position_of<P>("");
  int depth = 1;
  while (perft(position, depth) < kEnoughNodes)
    ++depth;
  return depth;
}

template <class P>
void register_family() {
  const std::string& name = P::info().name;
  const int depth = depth_to_measure<P>();
  benchmark::RegisterBenchmark(("perft/" + name).c_str(), perft_nodes<P>, "", depth)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("generate/" + name).c_str(), generated_moves<P>, "");
}

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  using namespace faultline;
  std::apply([](const auto&... p) { (register_family<std::decay_t<decltype(p)>>(), ...); },
             CompiledFamilies{});
  benchmark::RegisterBenchmark(
      "perft/chess/kiwipete", perft_nodes<ChessPosition>,
      "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("perft/escher/middlegame", perft_nodes<EscherPosition>,
                               "brn1kq1r/p2p1ppp/1pb2n2/4p3/P3P3/R1N5/1PPP2PP/B1QK1NRB w - - 4 7",
                               4)
      ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
