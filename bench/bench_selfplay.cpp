// Self-play speed on the CPU, and its share of the evaluator-only speed: same network, batch size
// and threads, both measured alternately in the same threads, in CPU time, so that other load on
// the machine does not distort the share. The evaluator encodes, computes and reads the results;
// `net_share` is the share of self-play's time in which the network itself is computed.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <time.h>
#include <unistd.h>

#include "model/checkpoint.h"
#include "model/encoding/encoders.h"
#include "model/inference/libtorch_backend.h"
#include "model/inference/network_evaluator.h"
#include "model/training/trainer.h"
#include "rules/families.h"
#include "selfplay/actor_of.h"
#include "selfplay/game_numbers.h"
#include "selfplay/local_links.h"

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

/// Counts the CPU time that a thread spends in another backend.
class TimedBackend final : public Backend {
 public:
  explicit TimedBackend(std::shared_ptr<Backend> inner) : inner_(std::move(inner)) {}
  const BackendAttributes& attributes() const override { return inner_->attributes(); }
  std::unique_ptr<BackendBatch> make_batch() const override { return inner_->make_batch(); }
  void submit(BackendBatch& batch) override {
    timed([&] { inner_->submit(batch); });
  }
  void wait(BackendBatch& batch) override {
    timed([&] { inner_->wait(batch); });
  }
  std::string describe() const override { return inner_->describe(); }
  /// The seconds that the calling thread has spent in backends so far.
  static double seconds() { return seconds_; }

 private:
  template <class Action>
  static void timed(Action&& action) {
    const double begin = cpu_seconds();
    action();
    seconds_ += cpu_seconds() - begin;
  }
  static thread_local double seconds_;
  std::shared_ptr<Backend> inner_;
};
thread_local double TimedBackend::seconds_ = 0;

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
  double seconds = 0;      // of self-play, CPU time
  double net_seconds = 0;  // of them in the backend
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
  double net_begin = TimedBackend::seconds();
  PlayWhile orders({}, [&] {
    if (++batches % kBatchesATurn != 0) return true;
    m.seconds += cpu_seconds() - turn_begin;
    m.net_seconds += TimedBackend::seconds() - net_begin;
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
    net_begin = TimedBackend::seconds();
    return elapsed < kWarmUpSeconds + kSeconds;
  });
  NetBoard nets;
  FunctionSink forgotten;
  ActorOf<P>(variant, config, nullptr,
             {.orders = &orders, .numbers = &numbers, .nets = &nets, .games = &forgotten}, counts,
             &evaluator)
      .run();
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
  Precision precision = Precision::Fp32;
};

/// A network as at the start of training, in the backend that `auto` takes for the precision.
std::shared_ptr<Backend> backend_for(const EncodingInfo& encoding, const Setting& setting) {
  NetConfig net;
  net.blocks = setting.blocks;
  net.channels = setting.channels;
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("bench_selfplay." + std::to_string(::getpid()) + ".pt");
  Trainer(encoding, net, {}, "cpu", 1).save(file);
  auto backend = load_backend(file, encoding, all_backends(),
                              {.device = "cpu", .precision = setting.precision});
  std::filesystem::remove(file);
  return std::make_shared<TimedBackend>(std::move(backend));
}

void selfplay(benchmark::State& state, const Setting& setting) {
  with_family(
      parse_variant_name(setting.variant),
      [&]<Position P>(std::type_identity<P>, const typename P::Variant& variant) {
        Config config;
        config.search.visits = setting.visits;
        config.search.full_search_probability = 1;
        config.search.tree_reuse = setting.tree_reuse;
        config.selfplay.batch = setting.batch;
        config.selfplay.games_per_thread = setting.batch;
        NetworkEvaluator<P> evaluator(variant, backend_for(Encoder<P>::info(variant), setting));
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
        double net_share = 0;
        const auto count = static_cast<double>(results.size());
        for (const Measured& m : results) {
          evaluations += static_cast<double>(m.evaluations) / m.seconds / count;
          moves += static_cast<double>(m.moves) / m.seconds / count;
          net_share += m.net_seconds / m.seconds / count;
          visits += static_cast<double>(m.visits) / m.seconds / count;
          alone += static_cast<double>(m.alone_evaluations) / m.alone_seconds / count;
          batch += static_cast<double>(m.evaluations) / static_cast<double>(m.batches) / count;
        }
        state.counters["evals/s"] = evaluations;
        state.counters["alone/s"] = alone;
        state.counters["share"] = evaluations / alone;
        state.counters["net_share"] = net_share;
        state.counters["moves/s"] = moves;
        state.counters["visits/s"] = visits;
        state.counters["batch"] = batch;
      });
}

void add(const Setting& s) {
  const std::string title = "SelfPlay/" + s.variant + "/" + std::to_string(s.blocks) + "x" +
                            std::to_string(s.channels) + "/batch:" + std::to_string(s.batch) +
                            "/threads:" + std::to_string(s.threads) +
                            "/visits:" + std::to_string(s.visits) + (s.tree_reuse ? "/reuse" : "") +
                            "/" + std::string(name(s.precision));
  benchmark::RegisterBenchmark(title.c_str(), [s](benchmark::State& state) { selfplay(state, s); })
      ->Iterations(1)
      ->UseRealTime()
      ->Unit(benchmark::kSecond);
}

const bool registered = [] {
  for (const Precision precision : kPrecisions) {
    add({"chess", 2, 32, 32, 1, 100, false, precision});  // OpenSpiel's setting
    add({"chess", 2, 32, 32, 1, 100, true, precision});
    add({"escher", 4, 32, 32, 1, 100, true, precision});  // quickstart's network
    add({"escher", 4, 32, 32, 2, 100, true, precision});
    add({"chess", 6, 64, 32, 1, 100, true, precision});
    add({"inferno", 6, 64, 32, 1, 100, true, precision});
  }
  return true;
}();

}  // namespace
}  // namespace faultline
