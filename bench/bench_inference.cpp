// Inference speed: positions/s of the network backend by network and batch size, on one thread, and
// its share of the throughput of a large matrix product in the same run.
#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>
#include <time.h>

#include "model/encoding/chess.h"
#include "model/inference/libtorch_backend.h"
#include "model/torch_compat.h"
#include "model/training/network.h"

namespace faultline {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A 1024^3 product on one thread; best of several, measured once.
double matmul_gflops() {
  static const double best = [] {
    use_one_thread();
    constexpr std::int64_t kSize = 1024;
    const auto a = at::randn({kSize, kSize}), b = at::randn({kSize, kSize});
    double fastest = 1e9;
    for (int i = 0; i < 20; ++i) {
      const double begin = cpu_seconds();
      benchmark::DoNotOptimize(at::mm(a, b));
      fastest = std::min(fastest, cpu_seconds() - begin);
    }
    return 2e-9 * kSize * kSize * kSize / fastest;
  }();
  return best;
}

/// Multiplications and additions per position, excluding the policy's (few) products.
double flops(const EncodingInfo& encoding, const NetConfig& net) {
  const double cells = encoding.cells(), c = net.channels;
  const double stem = 9.0 * encoding.plane_count() * c;
  const double blocks = net.blocks * 2 * 9.0 * c * c;
  const double heads = c * (2.0 * encoding.levels * net.policy_dim + net.value_channels);
  const double value = cells * net.value_channels * net.value_hidden;
  return 2 * (cells * (stem + blocks + heads) + value);
}

/// Encoded positions from random games of chess.
struct Positions {
  std::size_t count = 0;
  std::vector<float> planes;
  std::vector<PolicyIndex> moves;
  std::vector<std::uint32_t> first_move = {0};
};

Positions random_positions(std::size_t count) {
  using P = ChessPosition;
  const auto& variant = P::variant({"chess", {}});
  const std::size_t floats = Encoder<P>::info(variant).floats();
  Positions positions;
  positions.count = count;
  positions.planes.resize(count * floats);
  std::mt19937_64 rng(1);
  P position = P::start(variant);
  for (std::size_t i = 0; i < count; ++i) {
    P::MoveList moves;
    position.legal_moves(moves);
    if (moves.empty()) {
      position = P::start(variant);
      position.legal_moves(moves);
    }
    Encoder<P>::encode(position, 0, std::span(positions.planes).subspan(i * floats, floats));
    for (const Move m : moves)
      positions.moves.push_back(Encoder<P>::policy_index(position, m));
    positions.first_move.push_back(static_cast<std::uint32_t>(positions.moves.size()));
    position.play(moves[rng() % moves.size()]);
  }
  return positions;
}

void inference(benchmark::State& state, NetConfig net, const char* name) {
  const EncodingInfo& encoding = Encoder<ChessPosition>::info({});
  NetworkWeights weights(encoding, net, at::kCPU);
  weights.initialise(1);
  const auto backend = all_backends().create(
      weights.values(), {.device = "cpu", .precision = Precision::Fp32, .backend = name});
  const Positions positions = random_positions(static_cast<std::size_t>(state.range(0)));
  const auto batch = backend->make_batch();
  batch->resize(positions.count, positions.moves.size());
  std::ranges::copy(positions.planes, batch->planes().begin());
  std::ranges::copy(positions.moves, batch->moves().begin());
  std::ranges::copy(positions.first_move, batch->first_move().begin());
  const double matmul = matmul_gflops();
  const double begin = cpu_seconds();
  for (auto _ : state) {
    backend->submit(*batch);
    backend->wait(*batch);
    benchmark::DoNotOptimize(batch->priors().data());
  }
  const double rate = static_cast<double>(positions.count) *
                      static_cast<double>(state.iterations()) / (cpu_seconds() - begin);
  const double gflops = 1e-9 * rate * flops(encoding, net);
  state.counters["positions/s"] = rate;
  state.counters["GF/s"] = gflops;
  state.counters["matmul_GF/s"] = matmul;
  state.counters["share_of_matmul"] = gflops / matmul;
}

NetConfig net_config(int blocks, int channels) {
  NetConfig net;
  net.blocks = blocks;
  net.channels = channels;
  return net;
}

void batches(benchmark::internal::Benchmark* bench) {
  bench->ArgName("batch");
  for (const int batch : {1, 8, 32, 64, 128})
    bench->Arg(batch);
}
BENCHMARK_CAPTURE(inference, 2x16, net_config(2, 16), "cpu")->Apply(batches);
BENCHMARK_CAPTURE(inference, 2x32, net_config(2, 32), "cpu")->Apply(batches);
BENCHMARK_CAPTURE(inference, 6x64, net_config(6, 64), "cpu")->Apply(batches);
BENCHMARK_CAPTURE(inference, libtorch_2x32, net_config(2, 32), "libtorch")->Apply(batches);
BENCHMARK_CAPTURE(inference, libtorch_6x64, net_config(6, 64), "libtorch")->Apply(batches);

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  benchmark::AddCustomContext("torch", faultline::torch_description());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
