// bench_device selfplay: evaluations per second of self-play as configurations have it, the same
// while a network is published every second, and of the evaluator alone with the same batches and
// threads.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <type_traits>

#include "base/cpu_clock.h"
#include "bench/device/parts.h"
#include "model/encoding/attack_planes.h"
#include "model/encoding/encoders.h"
#include "model/inference/batch_service.h"
#include "model/inference/libtorch_backend.h"
#include "model/inference/network_evaluator.h"
#include "model/torch_compat.h"
#include "model/training/trainer.h"
#include "selfplay/actor_of.h"
#include "selfplay/game_numbers.h"
#include "selfplay/local_links.h"

namespace faultline::bench {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Passes batches on and keeps a copy of the latest ones when asked to; one per thread.
template <Position P>
class CopyingEvaluator final : public Evaluator<P> {
 public:
  CopyingEvaluator(Evaluator<P>& inner, std::size_t copies) : inner_(&inner), copies_(copies) {}
  void submit(EvalBatch<P>& batch) override {
    if (wanted_ > 0) {
      EvalBatch<P>& copy = copies_[--wanted_];
      copy.clear();
      for (std::size_t i = 0; i < batch.size(); ++i)
        copy.add(batch.position(i), batch.repetitions(i), batch.moves(i));
    }
    inner_->submit(batch);
  }
  void wait(EvalBatch<P>& batch) override { inner_->wait(batch); }
  void want_copies() { wanted_ = copies_.size(); }
  std::vector<EvalBatch<P>>& copies() { return copies_; }

 private:
  Evaluator<P>* inner_;
  std::vector<EvalBatch<P>> copies_;
  std::size_t wanted_ = 0;
};

/// Runs `body(thread)` on that many threads and rethrows the first exception.
template <class F>
void on_threads(int count, F&& body) {
  std::vector<std::thread> threads;
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
  for (std::size_t t = 0; t < errors.size(); ++t)
    threads.emplace_back([&, t] {
      try {
        body(t);
      } catch (...) {
        errors[t] = std::current_exception();
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

/// Calls publish(1), publish(2), … from `from` until `until`, in seconds since `begin`; how long
/// each took.
std::vector<double> publish_every_second(Clock::time_point begin, double from, double until,
                                         const std::function<void(std::int64_t)>& publish) {
  std::vector<double> took;
  for (double at = from; at < until; at += 1) {
    std::this_thread::sleep_until(
        begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(at)));
    const auto start = Clock::now();
    publish(static_cast<std::int64_t>(took.size()) + 1);
    took.push_back(seconds_since(start));
  }
  return took;
}

struct Played {
  double seconds = 0;
  double processor_seconds = 0;  // of all threads
  std::uint64_t evaluations = 0, batches = 0, moves = 0, visits = 0;
};

template <Position P>
ordered_json measure(const Settings& settings, const typename P::Variant& variant, Config config,
                     int threads, MatrixFormat format) {
  allow_tf32(format == MatrixFormat::Tf32);
  // Openings of random plies, so that the games are at different stages at once.
  config.selfplay.random_plies = std::max(config.selfplay.random_plies, 40);
  const EncodingInfo info = Encoder<P>::info(variant);
  const Trainer trainer(config.net.attack_planes ? with_attack_planes(info) : info, config.net, {},
                        settings.device, 1);
  const auto on_cpu = [&] { return trainer.inference_backend(precision(format), "cpu"); };
  const auto make = [&](const FoldedNetwork& folded) {
    return make_libtorch_backend(folded, settings.device, precision(format));
  };
  std::shared_ptr<Backend> backend;  // as a run has it
  if (settings.on_cpu())
    backend = on_cpu();
  else
    backend = std::make_shared<BatchService>(std::vector<MakeBackend>{make}, trainer.folded(),
                                             NetworkIdentity{});
  const int groups = static_cast<int>(backend->attributes().in_flight);
  // A run would time several batches; the backend's own preference is near.
  if (config.selfplay.batch == 0) {
    const int most = std::max(1, config.selfplay.games_per_thread / groups);
    config.selfplay.batch = std::min(static_cast<int>(backend->attributes().best_batch), most);
  }
  // The game itself, not those with fewer levels that a run begins with.
  config.selfplay.one_level_games = 0;
  config.selfplay.rising_level_games = 0;
  NetworkEvaluator<P> network(variant, backend);

  std::vector<CopyingEvaluator<P>> evaluators;
  for (int t = 0; t < threads; ++t)
    evaluators.emplace_back(network, static_cast<std::size_t>(groups));
  GameNumbers numbers({}, 0);
  ActorCounts counts;
  const CpuClock processor;
  // Ends, in seconds: of the warm-up, of the measurement, of that with publications.
  const std::array<double, 3> ends = {0.5 * settings.seconds, 1.5 * settings.seconds,
                                      2 * settings.seconds};
  const auto begin = Clock::now();
  std::array<Played, 3> seen;        // by one thread at these
  std::vector<double> publications;  // seconds of each
  on_threads(threads + 1, [&](std::size_t t) {
    if (t == static_cast<std::size_t>(threads)) {
      publications = publish_every_second(begin, ends[1], ends[2], [&](std::int64_t number) {
        const NetworkIdentity identity{number, trainer.weights_hash()};
        if (settings.on_cpu())
          network.set_backend(on_cpu(), identity);
        else
          backend->replace(trainer.folded(), identity);
      });
      return;
    }
    std::size_t next = 0;
    PlayWhile orders({}, [&] {
      const double elapsed = seconds_since(begin);
      if (next < ends.size() && elapsed >= ends[next]) {
        if (next == 0) evaluators[t].want_copies();
        if (t == 0)
          seen[next] = {elapsed,        processor.seconds(), counts.evaluations,
                        counts.batches, counts.moves,        counts.visits};
        ++next;
      }
      return next < ends.size();
    });
    NetBoard nets;
    FunctionSink forgotten;
    ActorOf<P>(variant, config, nullptr,
               {.orders = &orders, .numbers = &numbers, .nets = &nets, .games = &forgotten}, counts,
               &evaluators[t], static_cast<std::size_t>(groups))
        .run();
  });

  // The evaluator alone: the copies again and again, as many in flight.
  std::vector<double> alone(static_cast<std::size_t>(threads));
  on_threads(threads, [&](std::size_t t) {
    std::vector<EvalBatch<P>>& batches = evaluators[t].copies();
    const auto start = Clock::now();
    std::uint64_t done = 0;
    for (EvalBatch<P>& batch : batches)
      network.submit(batch);
    do {
      for (EvalBatch<P>& batch : batches) {
        network.wait(batch);
        done += batch.size();
        network.submit(batch);
      }
    } while (seconds_since(start) < settings.seconds / 4);
    for (EvalBatch<P>& batch : batches) {
      network.wait(batch);
      done += batch.size();
    }
    alone[t] = static_cast<double>(done) / seconds_since(start);
  });
  const double evaluator_rate = std::accumulate(alone.begin(), alone.end(), 0.0);

  const auto per_second = [&](auto Played::*counter, std::size_t phase = 1) {
    const Played &from = seen[phase - 1], &to = seen[phase];
    return static_cast<double>(to.*counter - from.*counter) / (to.seconds - from.seconds);
  };
  const double rate = per_second(&Played::evaluations);
  if (!(rate > 0) || !(evaluator_rate > 0))
    throw std::runtime_error("not one batch was evaluated while it was measured");
  return {{"rate", rate},
          {"alone", evaluator_rate},
          {"share", rate / evaluator_rate},
          {"rate_publishing", per_second(&Played::evaluations, 2)},
          {"publications", publications.size()},
          {"publication", std::accumulate(publications.begin(), publications.end(), 0.0) /
                              static_cast<double>(publications.size())},
          {"cores", per_second(&Played::processor_seconds)},
          {"moves_rate", per_second(&Played::moves)},
          {"visits_rate", per_second(&Played::visits)},
          {"batch", rate / per_second(&Played::batches)},
          {"games_at_once", config.selfplay.games_per_thread * threads},
          {"visits", config.search.visits}};
}

}  // namespace

void measure_selfplay(const Settings& settings, Results& results) {
  for (const std::string& file : settings.configs) {
    Config config = load_config(file);
    for (const int threads : settings.threads)
      for (auto format = settings.formats.rbegin(); format != settings.formats.rend(); ++format)
        with_measured_family(config.run.variant, [&]<class P>(std::type_identity<P>,
                                                              const auto& variant) {
          results.measure({{"part", "selfplay"},
                           {"config", file},
                           {"variant", config.run.variant},
                           {"net", describe(config.net)},
                           {"format", name(*format)},
                           {"threads", threads}},
                          [&] { return measure<P>(settings, variant, config, threads, *format); });
        });
  }
}

}  // namespace faultline::bench
