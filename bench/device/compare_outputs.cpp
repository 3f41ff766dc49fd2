// bench_device outputs: the device's answers against the CPU's.
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <type_traits>

#include "bench/device/game_positions.h"
#include "bench/device/parts.h"
#include "model/encoding/attack_planes.h"
#include "model/torch_compat.h"
#include "model/training/trainer.h"

namespace faultline::bench {
namespace {

using nlohmann::ordered_json;

/// Largest and mean difference.
struct Difference {
  double largest = 0, sum = 0;
  std::size_t count = 0;

  void add(std::span<const float> a, std::span<const float> b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double d = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
      largest = std::max(largest, d);
      sum += d;
    }
    count += a.size();
  }
  ordered_json json() const {
    return {{"max", largest}, {"mean", sum / static_cast<double>(std::max<std::size_t>(1, count))}};
  }
};

/// Answers to `positions` in batches of at most 256.
struct Answers {
  std::vector<float> priors, wdl, moves_left;
};
Answers answers(Backend& backend, const std::vector<TrainBatch>& positions) {
  Answers all;
  for (const TrainBatch& part : positions) {
    const auto batch = backend_batch(backend, part);
    backend.submit(*batch);
    backend.wait(*batch);
    const auto append = [](std::vector<float>& to, std::span<const float> from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(all.priors, batch->priors());
    append(all.wdl, batch->wdl());
    append(all.moves_left, batch->moves_left());
  }
  return all;
}

/// The share of positions whose likeliest move is the same.
double agreement(const Answers& a, const Answers& b, const std::vector<TrainBatch>& positions) {
  std::size_t move = 0, same = 0, count = 0;
  for (const TrainBatch& part : positions)
    for (std::size_t i = 0; i < part.count; ++i) {
      const auto moves = static_cast<std::ptrdiff_t>(part.first_move[i + 1] - part.first_move[i]);
      const auto best = [&](const Answers& of) {
        const auto begin = of.priors.begin() + static_cast<std::ptrdiff_t>(move);
        return std::max_element(begin, begin + moves) - begin;
      };
      same += best(a) == best(b) ? 1 : 0;
      move += static_cast<std::size_t>(moves);
      ++count;
    }
  return static_cast<double>(same) / static_cast<double>(count);
}

template <Position P>
void compare(const Settings& settings, const typename P::Variant& variant,
             const std::string& variant_name, const NetConfig& net, Results& results) {
  // As runs have it: net.attack_planes is true by default.
  const EncodingInfo encoding = with_attack_planes(Encoder<P>::info(variant));
  std::unique_ptr<Trainer> trainer;
  std::vector<TrainBatch> positions;
  Answers expected;
  std::string reference;
  // Only when the first row asks for it: rows may be there already.
  const auto prepare = [&] {
    if (trainer) return;
    constexpr std::size_t kBatch = 256;
    const Window window =
        game_positions(variant_name, encoding, static_cast<std::size_t>(settings.positions));
    TrainParams params;
    params.learning_rate = 2e-3;
    auto fresh = std::make_unique<Trainer>(encoding, net, params, settings.device, 1);
    for (int i = 0; i < settings.steps; ++i)
      fresh->step(train_batch(window, encoding, static_cast<std::size_t>(i) * kBatch, kBatch));
    const auto count = static_cast<std::size_t>(settings.positions);
    for (std::size_t first = 0; first < count; first += kBatch)
      positions.push_back(train_batch(window, encoding, first, std::min(kBatch, count - first)));
    const auto backend = fresh->inference_backend(Precision::Fp32, "cpu");
    reference = backend->describe();
    expected = answers(*backend, positions);
    trainer = std::move(fresh);
  };
  for (const MatrixFormat format : settings.formats)
    results.measure({{"part", "outputs"},
                     {"variant", variant_name},
                     {"net", describe(net)},
                     {"format", name(format)}},
                    [&]() -> ordered_json {
                      prepare();
                      allow_tf32(format == MatrixFormat::Tf32);
                      const auto backend =
                          trainer->inference_backend(precision(format), settings.device);
                      const Answers got = answers(*backend, positions);
                      Difference policy, wdl, moves_left;
                      policy.add(got.priors, expected.priors);
                      wdl.add(got.wdl, expected.wdl);
                      moves_left.add(got.moves_left, expected.moves_left);
                      return {{"positions", settings.positions},
                              {"steps", settings.steps},
                              {"policy", policy.json()},
                              {"wdl", wdl.json()},
                              {"moves_left", moves_left.json()},
                              {"same_best_move", agreement(got, expected, positions)},
                              {"backend", backend->describe()},
                              {"reference", reference}};
                    });
}

}  // namespace

void compare_outputs(const Settings& settings, Results& results) {
  for (const std::string& variant_name : settings.variants)
    with_measured_family(variant_name, [&]<class P>(std::type_identity<P>, const auto& variant) {
      for (const NetConfig& net : settings.nets)
        compare<P>(settings, variant, variant_name, net, results);
    });
}

}  // namespace faultline::bench
