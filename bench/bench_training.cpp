// Training speed on one CPU thread at batch 256: samples/s of the whole step beside those of the
// bare tower (convolutions, batch norms, ReLUs and residuals by plain ATen operations, forward and
// backward), and what each part of a step costs. Everything is measured in turns, in CPU time, and
// the medians are compared, so that other load on the machine does not distort the ratios.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>
#include <c10/core/GradMode.h>
#include <time.h>
#include <torch/csrc/autograd/autograd.h>

#include "model/encoding/encoding.h"
#include "model/torch_compat.h"
#include "model/training/losses.h"
#include "model/training/network.h"
#include "model/training/optimizer.h"
#include "model/training/trainer.h"
#include "rules/families/chess.h"
#include "selfplay/window.h"

namespace faultline {
namespace {

constexpr int kBatch = 256;
constexpr double kSeconds = 20;  // per network

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Positions from random games of chess with made-up policy targets, as a window holds them.
class Positions {
 public:
  Positions() {
    std::mt19937_64 rng(1);
    const GameDecoder decoder("chess", {});
    while (window_.size() < kBatch)
      window_.add(decoder.decode(random_game(rng)));
  }
  static const EncodingInfo& encoding() { return Encoder<ChessPosition>::info(variant()); }

  void fill(TrainBatch& batch) const {
    batch.clear();
    for (std::size_t i = 0; i < kBatch; ++i)
      add_sample(window_[i], &encoding(), batch);
  }

 private:
  static const ChessPosition::Variant& variant() { return ChessPosition::variant({"chess", {}}); }
  static GameRecord random_game(std::mt19937_64& rng) {
    GameRecord game;
    PositionHistory<ChessPosition> history(ChessPosition::start(variant()));
    while (!is_over(game.outcome)) {
      ChessPosition::MoveList moves;
      history.position().legal_moves(moves);
      PlyRecord ply{.move = moves[rng() % moves.size()]};
      if (rng() % 3 == 0) {
        ply.searched = ply.target = true;
        ply.policy.assign(moves.size(), 0);
        for (std::size_t m = 0; m < moves.size(); m += 3)  // a search visits a third of the moves
          ply.policy[m] = static_cast<std::uint32_t>(1 + rng() % 99);
      }
      history.play(ply.move);
      game.plies.push_back(std::move(ply));
      game.outcome = history.outcome();
    }
    return game;
  }

  Window window_;
};

/// The tower alone, as one would write it: what the step's rate is measured against.
class BareTower {
 public:
  BareTower(const NetConfig& net, const at::Tensor& planes)
      : planes_(planes),
        upstream_(at::randn({planes.size(0), net.channels, planes.size(2), planes.size(3)})
                      .to(planes.scalar_type())
                      .contiguous(at::MemoryFormat::ChannelsLast)) {
    add_layer(planes.size(1), net.channels);
    for (int i = 0; i < 2 * net.blocks; ++i)
      add_layer(net.channels, net.channels);
  }
  void step() {
    const c10::AutoGradMode with_gradients(true);
    auto x = apply(layers_[0], planes_).relu();
    for (std::size_t i = 1; i + 1 < layers_.size(); i += 2)
      x = (apply(layers_[i + 1], apply(layers_[i], x).relu()) + x).relu();
    x.backward(upstream_);
    for (Layer& layer : layers_)
      for (at::Tensor* t : {&layer.kernel, &layer.gain, &layer.bias})
        t->mutable_grad() = at::Tensor();
  }

 private:
  struct Layer {
    at::Tensor kernel, gain, bias, mean, variance;
  };
  void add_layer(std::int64_t in, std::int64_t out) {
    layers_.push_back({(0.05 * at::randn({out, in, 3, 3}))
                           .contiguous(at::MemoryFormat::ChannelsLast)
                           .set_requires_grad(true),
                       at::ones({out}).set_requires_grad(true),
                       at::zeros({out}).set_requires_grad(true), at::zeros({out}),
                       at::ones({out})});
  }
  at::Tensor apply(const Layer& layer, const at::Tensor& x) const {
    const auto y = at::conv2d(x, layer.kernel.to(planes_.scalar_type()), {}, 1, 1);
    return at::batch_norm(y, layer.gain, layer.bias, layer.mean, layer.variance, true, 0.1,
                          kBatchNormEpsilon, true);
  }

  at::Tensor planes_;
  at::Tensor upstream_;
  std::vector<Layer> layers_;
};

struct Part {
  std::string name;
  std::function<void()> run;
  std::vector<double> seconds = {};

  double median() {
    std::ranges::sort(seconds);
    return seconds[seconds.size() / 2];
  }
};

/// Runs all parts in turns.
void measure(std::vector<Part>& parts) {
  for (int i = 0; i < 2; ++i)
    for (const Part& part : parts)
      part.run();
  const auto begin = std::chrono::steady_clock::now();
  do {
    for (Part& part : parts) {
      const double before = cpu_seconds();
      part.run();
      part.seconds.push_back(cpu_seconds() - before);
    }
  } while (std::chrono::steady_clock::now() - begin < std::chrono::duration<double>(kSeconds));
}

void training(benchmark::State& state, int blocks, int channels, TrainingPrecision precision) {
  use_one_thread();
  NetConfig net;
  net.blocks = blocks;
  net.channels = channels;
  TrainParams params;
  params.precision = precision;
  const EncodingInfo& encoding = Positions::encoding();
  const ForwardMode mode{.training = true,
                         .type = precision == TrainingPrecision::Bf16 ? at::kBFloat16 : at::kFloat};
  const Positions positions;
  TrainBatch batch, built;
  positions.fill(batch);

  Trainer trainer(encoding, net, params, "cpu", 1);
  const auto planes = planes_of(batch, encoding, mode.type);
  BareTower tower(net, planes);
  NetworkWeights weights(encoding, net, at::kCPU);
  weights.initialise(1);
  const auto gradient = weights.require_gradients();
  Optimizer optimizer(params.optimizer, weights.parameters());
  const TrunkOutput trunk = forward_trunk(weights, planes, mode);
  const auto to_trunk = at::randn_like(trunk.x);
  const NetworkOutput heads = forward_heads(weights, trunk, mode);
  const auto as_leaf = [](const at::Tensor& t) { return t.detach().set_requires_grad(true); };

  std::vector<Part> parts = {
      {"tower", [&] { tower.step(); }},
      {"step", [&] { trainer.step(batch); }},
      {"trunk",
       [&] {
         weights.begin_pass(mode.type);
         forward_trunk(weights, planes, mode).x.backward(to_trunk);
         weights.gather_gradients(gradient);
       }},
      {"heads",
       [&] {
         const NetworkOutput out =
             forward_heads(weights, {as_leaf(trunk.x), trunk.existing, trunk.positions}, mode);
         const auto value = out.wdl_logits.sum() + out.moves_left.sum();
         torch::autograd::backward({out.policy_vectors, value},
                                   {heads.policy_vectors.detach(), at::ones({})});
       }},
      {"losses",
       [&] {
         const NetworkOutput out{as_leaf(heads.policy_vectors), as_leaf(heads.wdl_logits),
                                 as_leaf(heads.moves_left)};
         compute_losses(weights, params, out, batch).total.backward();
       }},
      {"update",
       [&] {
         gradient.fill_(1e-3);
         benchmark::DoNotOptimize(gradient.norm().item<float>());
         optimizer.step(params, {.parameters = weights.parameters(),
                                 .gradient = gradient,
                                 .gradient_scale = 0.5,
                                 .decaying = weights.decaying(),
                                 .number = 100});
       }},
      {"input", [&] { benchmark::DoNotOptimize(planes_of(batch, encoding, mode.type)); }},
      {"build", [&] { positions.fill(built); }},
  };
  const c10::AutoGradMode with_gradients(true);
  for ([[maybe_unused]] auto _ : state)
    measure(parts);
  const double tower_seconds = parts[0].median(), step_seconds = parts[1].median();
  state.counters["tower/s"] = kBatch / tower_seconds;
  state.counters["step/s"] = kBatch / step_seconds;
  state.counters["ratio"] = tower_seconds / step_seconds;
  double rest = step_seconds;
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const double seconds = parts[i].median();
    state.counters[parts[i].name + "_ms"] = 1e3 * seconds;
    if (parts[i].name != "build") rest -= seconds;  // a step does not build its batch
  }
  state.counters["rest_ms"] = 1e3 * rest;
}

void add(int blocks, int channels, TrainingPrecision precision) {
  const std::string name = "training/" + std::to_string(blocks) + "x" + std::to_string(channels) +
                           "/" + std::string(faultline::name(precision));
  benchmark::RegisterBenchmark(
      name.c_str(), [=](benchmark::State& state) { training(state, blocks, channels, precision); })
      ->Iterations(1)
      ->Unit(benchmark::kSecond);
}

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  using faultline::TrainingPrecision;
  for (const auto precision : {TrainingPrecision::Fp32, TrainingPrecision::Bf16}) {
    faultline::add(2, 32, precision);
    faultline::add(6, 64, precision);
    faultline::add(10, 128, precision);
  }
  benchmark::AddCustomContext("torch", faultline::torch_description());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
