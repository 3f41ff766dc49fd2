// Self-play speed on the CPU, and its share of the evaluator-only speed: same network, batch size
// and threads, both measured alternately in the same threads, in CPU time, so that other load on
// the machine does not distort the share.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <time.h>

#include "model/encoding/encoders.h"
#include "model/inference/network_evaluator.h"
#include "model/training/trainer.h"
#include "rules/families.h"
#include "selfplay/actor.h"

namespace faultline {
namespace {

constexpr double kWarmUpSeconds = 3;  // until the games are at different stages
constexpr double kSeconds = 10;
constexpr int kBatchesATurn = 32;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Passes batches on, and keeps a copy of the latest one on request.
template <Position P>
class CopyingEvaluator final : public Evaluator<P> {
 public:
  explicit CopyingEvaluator(Evaluator<P>& inner) : inner_(&inner) {}
  void submit(EvalBatch<P>& batch) override {
    if (wanted_) {
      wanted_ = false;
      copy_.clear();
      for (std::size_t i = 0; i < batch.size(); ++i)
        copy_.add(batch.position(i), batch.repetitions(i), batch.moves(i));
    }
    inner_->submit(batch);
  }
  void wait(EvalBatch<P>& batch) override { inner_->wait(batch); }
  void want_copy() { wanted_ = true; }
  EvalBatch<P>& copy() { return copy_; }

 private:
  Evaluator<P>* inner_;
  bool wanted_ = true;
  EvalBatch<P> copy_;
};

struct Measured {
  double seconds = 0;  // of self-play, CPU time
  std::uint64_t evaluations = 0;
  std::uint64_t moves = 0;
  std::uint64_t visits = 0;
  std::uint64_t batches = 0;
  double alone_seconds = 0;  // of the evaluator alone
  std::uint64_t alone_evaluations = 0;
};

/// One thread: self-play, alternating every few batches with as many evaluator-only batches.
template <Position P>
Measured measure_thread(const typename P::Variant& variant, const Config& config,
                        Evaluator<P>& network, GameNumbers& numbers) {
  Measured m;
  CopyingEvaluator<P> evaluator(network);
  ActorCounts counts;
  const auto begin = std::chrono::steady_clock::now();
  bool warm = false;
  int batches = 0;
  double turn_begin = cpu_seconds();
  ActorWorld<P> world;
  world.variant = &variant;
  world.config = &config;
  world.evaluator = &evaluator;
  world.numbers = &numbers;
  world.counts = &counts;
  world.sink = [](GameRecord&&) {};
  world.network = [] { return NetworkIdentity{}; };
  world.go_on = [&] {
    if (++batches % kBatchesATurn != 0) return true;
    m.seconds += cpu_seconds() - turn_begin;
    const double alone_begin = cpu_seconds();
    for (int i = 0; i < kBatchesATurn; ++i)
      evaluator.evaluate(evaluator.copy());
    m.alone_seconds += cpu_seconds() - alone_begin;
    m.alone_evaluations += kBatchesATurn * evaluator.copy().size();
    evaluator.want_copy();
    const double elapsed =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!warm && elapsed > kWarmUpSeconds) {
      warm = true;
      m = {};
      for (auto* counter : {&counts.evaluations, &counts.moves, &counts.visits, &counts.batches})
        counter->store(0);
    }
    turn_begin = cpu_seconds();
    return elapsed < kWarmUpSeconds + kSeconds;
  };
  Actor<P>(world, 1).run();
  m.evaluations = counts.evaluations;
  m.moves = counts.moves;
  m.visits = counts.visits;
  m.batches = counts.batches;
  return m;
}

struct Setting {
  std::string variant;
  int blocks;
  int channels;
  int batch;
  int threads;
  int visits;
  bool tree_reuse;  // off: every move takes its full number of evaluations
};

void selfplay(benchmark::State& state, const Setting& setting) {
  with_family(parse_variant_name(setting.variant),
              [&]<Position P>(std::type_identity<P>, const typename P::Variant& variant) {
                Config config;
                config.search.visits = setting.visits;
                config.search.full_search_probability = 1;
                config.search.tree_reuse = setting.tree_reuse;
                config.selfplay.batch = setting.batch;
                config.selfplay.games_per_thread = setting.batch;
                NetConfig net;
                net.blocks = setting.blocks;
                net.channels = setting.channels;
                const Trainer trainer(Encoder<P>::info(variant), net, {}, "cpu", 1);
                NetworkEvaluator<P> evaluator(variant, trainer.inference_backend());
                std::vector<Measured> results(static_cast<std::size_t>(setting.threads));
                for ([[maybe_unused]] auto _ : state) {
                  GameNumbers numbers({}, 0);
                  std::vector<std::thread> threads;
                  for (Measured& result : results)
                    threads.emplace_back(
                        [&] { result = measure_thread<P>(variant, config, evaluator, numbers); });
                  for (std::thread& thread : threads)
                    thread.join();
                }
                // Rates per thread; all threads run at the same time.
                double evaluations = 0;
                double alone = 0;
                double moves = 0;
                double visits = 0;
                double batch = 0;
                const auto count = static_cast<double>(results.size());
                for (const Measured& m : results) {
                  evaluations += static_cast<double>(m.evaluations) / m.seconds / count;
                  moves += static_cast<double>(m.moves) / m.seconds / count;
                  visits += static_cast<double>(m.visits) / m.seconds / count;
                  alone += static_cast<double>(m.alone_evaluations) / m.alone_seconds / count;
                  batch +=
                      static_cast<double>(m.evaluations) / static_cast<double>(m.batches) / count;
                }
                state.counters["evals/s"] = evaluations;
                state.counters["alone/s"] = alone;
                state.counters["share"] = evaluations / alone;
                state.counters["moves/s"] = moves;
                state.counters["visits/s"] = visits;
                state.counters["batch"] = batch;
              });
}

void add(const Setting& s) {
  const std::string name = "SelfPlay/" + s.variant + "/" + std::to_string(s.blocks) + "x" +
                           std::to_string(s.channels) + "/batch:" + std::to_string(s.batch) +
                           "/threads:" + std::to_string(s.threads) +
                           "/visits:" + std::to_string(s.visits) + (s.tree_reuse ? "/reuse" : "");
  benchmark::RegisterBenchmark(name.c_str(), [s](benchmark::State& state) { selfplay(state, s); })
      ->Iterations(1)
      ->UseRealTime()
      ->Unit(benchmark::kSecond);
}

const bool registered = [] {
  add({"chess", 2, 32, 32, 1, 100, false});  // OpenSpiel's setting
  add({"chess", 2, 32, 32, 1, 100, true});
  add({"escher", 4, 32, 32, 1, 100, true});  // quickstart's network
  add({"escher", 4, 32, 32, 2, 100, true});
  add({"chess", 6, 64, 64, 1, 100, true});
  return true;
}();

}  // namespace
}  // namespace faultline
