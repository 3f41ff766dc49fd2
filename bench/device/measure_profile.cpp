// bench_device profile: what the device does during batches and training steps, kernel by kernel.
#include <algorithm>
#include <chrono>
#include <functional>
#include <type_traits>
#include <vector>

#include "bench/device/device_profile.h"
#include "bench/device/game_positions.h"
#include "bench/device/parts.h"
#include "model/encoding/attack_planes.h"
#include "model/torch_compat.h"
#include "model/training/trainer.h"

namespace faultline::bench {
namespace {

using nlohmann::ordered_json;

constexpr int kRounds = 5;
constexpr int kWarmUp = 10;  // training steps before
constexpr std::size_t kShown = 25;

/// Profiles run(rounds), which ends with the device idle; all figures are per round. "wall" is
/// measured without the profiler, which slows the host down.
ordered_json profiled(const std::function<void(int)>& run) {
  const auto begin = std::chrono::steady_clock::now();
  run(kRounds);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  const DeviceProfile profile = profile_device([&] { run(kRounds); });
  ordered_json kernels = ordered_json::array();
  for (const ProfiledKernel& kernel : profile.kernels) {
    if (kernels.size() == kShown) break;
    kernels.push_back({{"name", kernel.name},
                       {"seconds", kernel.seconds / kRounds},
                       {"calls", static_cast<double>(kernel.calls) / kRounds}});
  }
  return {{"wall", wall.count() / kRounds},
          {"busy", profile.busy / kRounds},
          {"calls", static_cast<double>(profile.calls) / kRounds},
          {"kernels", kernels}};
}

template <Position P>
void measure(const Settings& settings, const typename P::Variant& variant,
             const std::string& variant_name, Results& results) {
  const EncodingInfo encoding = with_attack_planes(Encoder<P>::info(variant));
  Window window;
  const auto positions = [&](int size) {
    if (window.size() == 0)
      window = game_positions(variant_name, encoding,
                              static_cast<std::size_t>(std::ranges::max(settings.batches)));
    return train_batch(window, encoding, 0, static_cast<std::size_t>(size));
  };
  for (const MatrixFormat format : settings.formats)
    for (const NetConfig& net : settings.nets)
      for (const int size : settings.batches) {
        const auto key = [&](const char* what) -> ordered_json {
          return {{"part", "profile"},    {"what", what},           {"variant", variant_name},
                  {"net", describe(net)}, {"format", name(format)}, {"batch", size}};
        };
        results.measure(key("inference"), [&] {
          allow_tf32(format == MatrixFormat::Tf32);
          const auto backend = Trainer(encoding, net, {}, "cpu", 1)
                                   .inference_backend(precision(format), settings.device);
          const auto batch = backend_batch(*backend, positions(size));
          const auto evaluate = [&](int times) {
            for (int i = 0; i < times; ++i) {
              backend->submit(*batch);
              backend->wait(*batch);
            }
          };
          evaluate(backend->attributes().warm_up + 3);
          return profiled(evaluate);
        });
        results.measure(key("training"), [&] {
          allow_tf32(format == MatrixFormat::Tf32);
          TrainParams params;
          params.precision =
              format == MatrixFormat::Bf16 ? TrainingPrecision::Bf16 : TrainingPrecision::Fp32;
          Trainer trainer(encoding, net, params, settings.device, 1);
          const TrainBatch batch = positions(size);
          const auto train = [&](int steps) {
            for (int i = 0; i < steps; ++i)
              trainer.step(batch);
            static_cast<void>(trainer.weights_hash());  // waits
          };
          train(kWarmUp);
          return profiled(train);
        });
      }
}

}  // namespace

void measure_profile(const Settings& settings, Results& results) {
  for (const std::string& variant_name : settings.variants)
    with_measured_family(variant_name, [&]<class P>(std::type_identity<P>, const auto& variant) {
      measure<P>(settings, variant, variant_name, results);
    });
}

}  // namespace faultline::bench
