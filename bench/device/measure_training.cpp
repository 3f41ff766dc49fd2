// bench_device training: samples per second of training steps.
#include <chrono>
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

/// Steps until memory is allocated, kernels are chosen, and a step may have been recorded.
constexpr int kWarmUp = 10;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Calls per second of `call`, for about `seconds`, at least once; `warm_up` calls before.
template <class F>
double calls_per_second(int warm_up, double seconds, F&& call) {
  for (int i = 0; i < warm_up; ++i)
    call();
  const auto begin = Clock::now();
  int calls = 0;
  do {
    call();
    ++calls;
  } while (seconds_since(begin) < seconds);
  return calls / seconds_since(begin);
}

template <Position P>
void measure(const Settings& settings, const typename P::Variant& variant,
             const std::string& variant_name, Results& results) {
  // As runs have it: net.attack_planes is true by default.
  const EncodingInfo encoding = with_attack_planes(Encoder<P>::info(variant));
  Window window;
  for (const MatrixFormat format : settings.formats) {
    for (const NetConfig& net : settings.nets)
      for (const int size : settings.batches)
        results.measure(
            {{"part", "training"},
             {"variant", variant_name},
             {"net", describe(net)},
             {"format", name(format)},
             {"batch", size}},
            [&]() -> ordered_json {
              if (window.size() == 0)
                window = game_positions(variant_name, encoding,
                                        static_cast<std::size_t>(settings.positions));
              allow_tf32(format == MatrixFormat::Tf32);
              const auto count = static_cast<std::size_t>(size);
              const TrainBatch batch = train_batch(window, encoding, 0, count);
              TrainParams params;
              params.precision =
                  format == MatrixFormat::Bf16 ? TrainingPrecision::Bf16 : TrainingPrecision::Fp32;
              Trainer trainer(encoding, net, params, settings.device, 1);
              // A step ends with its losses on the host, on a GPU with those of the step before:
              // one step is in flight at the beginning and at the end.
              const double steps =
                  calls_per_second(kWarmUp, settings.seconds, [&] { trainer.step(batch); });
              const double built =
                  calls_per_second(1, 0.2, [&] { train_batch(window, encoding, 0, count); });
              return {{"rate", steps * size},
                      {"flops", 3 * network_work(describe_network(encoding, net), batch).flops},
                      {"building", built * size}};
            });
  }
}

}  // namespace

void measure_training(const Settings& settings, Results& results) {
  for (const std::string& variant_name : settings.variants)
    with_measured_family(variant_name, [&]<class P>(std::type_identity<P>, const auto& variant) {
      measure<P>(settings, variant, variant_name, results);
    });
}

}  // namespace faultline::bench
