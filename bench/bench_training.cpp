// Training speed: samples/s of optimiser steps by network, on one thread.
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include "model/encoding/chess.h"
#include "model/torch_compat.h"
#include "model/training/trainer.h"

namespace faultline {
namespace {

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

NetConfig net_config(int blocks, int channels) {
  NetConfig net;
  net.blocks = blocks;
  net.channels = channels;
  return net;
}

/// One training step at batch 256.
void training(benchmark::State& state, NetConfig net) {
  const EncodingInfo& encoding = Encoder<ChessPosition>::info({});
  Trainer trainer(encoding, net, {}, "cpu", 1);
  constexpr std::size_t kCount = 256;
  const Positions positions = random_positions(kCount);
  TrainBatch batch;
  batch.count = kCount;
  batch.planes = positions.planes;
  batch.moves = positions.moves;
  batch.first_move = positions.first_move;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto count = positions.first_move[i + 1] - positions.first_move[i];
    batch.policy.insert(batch.policy.end(), count, 1.0F / static_cast<float>(count));
    batch.wdl.insert(batch.wdl.end(), {0, 1, 0});
    batch.moves_left.push_back(60);
  }
  for (auto _ : state)
    benchmark::DoNotOptimize(trainer.step(batch));
  state.counters["samples/s"] = benchmark::Counter(static_cast<double>(kCount * state.iterations()),
                                                   benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(training, 2x16, net_config(2, 16));
BENCHMARK_CAPTURE(training, 2x32, net_config(2, 32));
BENCHMARK_CAPTURE(training, 6x64, net_config(6, 64));

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  benchmark::AddCustomContext("torch", faultline::torch_description());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
