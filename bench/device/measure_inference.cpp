// bench_device inference: evaluations per second without search.
#include <barrier>
#include <chrono>
#include <exception>
#include <memory>
#include <thread>
#include <type_traits>

#include "bench/device/game_positions.h"
#include "bench/device/parts.h"
#include "model/encoding/attack_planes.h"
#include "model/torch_compat.h"
#include "model/training/network_work.h"
#include "model/training/trainer.h"

namespace faultline::bench {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The evaluations of all threads.
struct Evaluations {
  double rate = 0;  // positions per second
  /// Seconds of the host per batch: in submit(), and waiting. What is left is counting.
  double submitting = 0, waiting = 0;
};

/// What `threads` threads reach that keep two batches each in flight (one where the backend
/// is synchronous).
Evaluations evaluations(Backend& backend, const TrainBatch& positions, int threads,
                        double seconds) {
  const std::size_t in_flight = backend.attributes().in_flight;
  std::vector<std::uint64_t> batches(static_cast<std::size_t>(threads));
  std::vector<double> elapsed(batches.size()), submitting(batches.size()), waiting(batches.size());
  std::vector<std::exception_ptr> errors(batches.size());
  std::barrier start(threads);
  std::vector<std::thread> workers;
  for (std::size_t t = 0; t < batches.size(); ++t)
    workers.emplace_back([&, t] {
      bool ready = false;
      try {
        std::vector<std::unique_ptr<BackendBatch>> flying;
        for (std::size_t i = 0; i < in_flight; ++i)
          flying.push_back(backend_batch(backend, positions));
        // Memory is allocated, kernels are chosen and operations recorded in the first submissions.
        for (int i = 0; i <= backend.attributes().warm_up; ++i)
          for (const auto& batch : flying) {
            backend.submit(*batch);
            backend.wait(*batch);
          }
        ready = true;
        start.arrive_and_wait();
        const auto begin = Clock::now();
        for (const auto& batch : flying)
          backend.submit(*batch);
        do {
          for (const auto& batch : flying) {
            const auto before = Clock::now();
            backend.wait(*batch);
            const auto between = Clock::now();
            backend.submit(*batch);
            ++batches[t];
            waiting[t] += std::chrono::duration<double>(between - before).count();
            submitting[t] += seconds_since(between);
          }
        } while (seconds_since(begin) < seconds);
        for (const auto& batch : flying) {
          backend.wait(*batch);
          ++batches[t];
        }
        elapsed[t] = seconds_since(begin);
      } catch (...) {
        errors[t] = std::current_exception();
        if (!ready) start.arrive_and_drop();
      }
    });
  for (std::thread& worker : workers)
    worker.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  Evaluations all;
  const auto count = static_cast<double>(threads);
  for (std::size_t t = 0; t < batches.size(); ++t) {
    const auto done = static_cast<double>(batches[t]);
    all.rate += done * static_cast<double>(positions.count) / elapsed[t];
    all.submitting += submitting[t] / done / count;
    all.waiting += waiting[t] / done / count;
  }
  return all;
}

template <Position P>
void measure(const Settings& settings, const typename P::Variant& variant,
             const std::string& variant_name, Results& results) {
  // As runs have it: net.attack_planes is true by default.
  const EncodingInfo encoding = with_attack_planes(Encoder<P>::info(variant));
  TrainBatch positions;  // as many as the largest batch needs, filled by the first row
  const auto batch_of = [&](int count) {
    if (positions.count == 0) {
      const auto most = static_cast<std::size_t>(
          *std::max_element(settings.batches.begin(), settings.batches.end()));
      positions = train_batch(game_positions(variant_name, encoding, most), encoding, 0, most);
    }
    const auto size = static_cast<std::size_t>(count);
    TrainBatch part;
    part.count = size;
    part.first_move.assign(positions.first_move.begin(),
                           positions.first_move.begin() + static_cast<std::ptrdiff_t>(size) + 1);
    part.moves.assign(
        positions.moves.begin(),
        positions.moves.begin() + static_cast<std::ptrdiff_t>(part.first_move.back()));
    part.planes.assign(
        positions.planes.begin(),
        positions.planes.begin() + static_cast<std::ptrdiff_t>(size * encoding.floats()));
    return part;
  };
  // Bf16 at every size first: what runs use.
  for (auto format = settings.formats.rbegin(); format != settings.formats.rend(); ++format)
    for (const int threads : settings.threads)
      for (const NetConfig& net : settings.nets) {
        std::shared_ptr<Backend> backend;
        for (const int size : settings.batches)
          results.measure(
              {{"part", "inference"},
               {"variant", variant_name},
               {"net", describe(net)},
               {"format", name(*format)},
               {"threads", threads},
               {"batch", size}},
              [&]() -> ordered_json {
                allow_tf32(*format == MatrixFormat::Tf32);
                if (!backend)
                  backend = Trainer(encoding, net, {}, "cpu", 1)
                                .inference_backend(precision(*format), settings.device);
                const TrainBatch batch = batch_of(size);
                const NetworkWork work = network_work(describe_network(encoding, net), batch);
                const Evaluations done = evaluations(*backend, batch, threads, settings.seconds);
                return {{"rate", done.rate},
                        {"submitting", done.submitting},
                        {"waiting", done.waiting},
                        {"flops", work.flops},
                        {"activation_bytes",
                         work.activations * (*format == MatrixFormat::Bf16 ? 2 : 4)},
                        {"to_device", work.to_device},
                        {"from_device", work.from_device}};
              });
      }
}

}  // namespace

void measure_inference(const Settings& settings, Results& results) {
  for (const std::string& variant_name : settings.variants)
    with_measured_family(variant_name, [&]<class P>(std::type_identity<P>, const auto& variant) {
      measure<P>(settings, variant, variant_name, results);
    });
}

}  // namespace faultline::bench
