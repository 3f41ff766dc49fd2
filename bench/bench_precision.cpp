// What a precision costs in accuracy: how far a network's outputs are from those of fp32, on
// positions of a run's games.
//
//   bench_precision NET.pt RUN [POSITIONS]       RUN: a run's folder; 10000 positions by default
//
// Prints one line per backend and precision: differences of single policy probabilities, of win,
// draw and loss, and of the moves left, from the backend "cpu"; how often the same move has the
// highest prior; and the mean Kullback-Leibler divergence of the policy.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "model/checkpoint_file.h"
#include "model/encoding/encoders.h"
#include "model/inference/activation_ranges.h"
#include "model/inference/backend_registry.h"
#include "model/inference/folded_network.h"
#include "model/inference/network_evaluator.h"
#include "record/game_record.h"
#include "record/stored_games.h"
#include "rules/families.h"

namespace faultline {
namespace {

struct Difference {
  double sum = 0, largest = 0;
  std::size_t count = 0;
  void add(float a, float b) {
    const double by = std::abs(static_cast<double>(a) - static_cast<double>(b));
    sum += by;
    largest = std::max(largest, by);
    ++count;
  }
  double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
};

struct Comparison {
  Difference policy, wdl, moves_left;
  double divergence = 0;
  std::size_t positions = 0, same_move = 0;
};

std::size_t highest(std::span<const float> priors) {
  return static_cast<std::size_t>(std::ranges::max_element(priors) - priors.begin());
}

constexpr std::size_t kBatch = 32;

/// `count` unfinished positions from the newest games, every third of each game, since neighbours
/// are alike: of plies 0, 3, 6 …, or 1, 4, 7 … if `first` is 1.
template <Position P>
std::vector<EvalBatch<P>> batches_of(const typename P::Variant& variant,
                                     const std::filesystem::path& games, std::size_t count,
                                     std::size_t first = 0) {
  constexpr std::size_t kStride = 3;
  StoredGames found(scan_games(games, variant.canonical_name()));
  std::vector<EvalBatch<P>> batches;
  std::size_t taken = 0;
  for (std::uint64_t game = found.size(); game-- > 0 && taken < count;) {
    std::size_t ply = 0;
    replay_game<P>(variant, found.read(game),
                   [&](const PositionHistory<P>& history, const auto& moves, const PlyRecord&) {
                     if (ply++ % kStride != first || taken == count) return;
                     if (taken++ % kBatch == 0) batches.emplace_back();
                     batches.back().add(history.position(), history.repetitions(),
                                        {moves.begin(), moves.end()});
                   });
  }
  return batches;
}

/// The playing weights of a checkpoint, with the activation ranges that it has or, if it has none,
/// those that it would have had: of positions from the newest games.
template <Position P>
NetworkValues values_of(const std::filesystem::path& net, const typename P::Variant& variant,
                        const std::filesystem::path& games) {
  const EncodingInfo& encoding = Encoder<P>::info(variant);
  const CheckpointFile file = CheckpointFile::read(net);
  const CheckpointInfo info = info_of(file, net);
  require_encoding(net, info.encoding, encoding);
  NetworkValues values = read_values(file, net);
  if (values.ranges) return values;
  std::vector<float> planes;
  for (const EvalBatch<P>& batch : batches_of<P>(variant, games, kCalibrationPositions, 1))
    for (std::size_t i = 0; i < batch.size(); ++i) {
      planes.resize(planes.size() + encoding.floats());
      Encoder<P>::encode(batch.position(i), batch.repetitions(i),
                         std::span(planes).last(encoding.floats()));
    }
  values.ranges = calibrate(fold(values), planes);
  return values;
}

template <Position P>
void compare(const EvalBatch<P>& expected, const EvalBatch<P>& given, Comparison& all) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Evaluation a = expected.evaluation(i), b = given.evaluation(i);
    all.wdl.add(a.win, b.win);
    all.wdl.add(a.draw, b.draw);
    all.wdl.add(a.loss, b.loss);
    all.moves_left.add(a.moves_left, b.moves_left);
    const auto p = expected.priors(i), q = given.priors(i);
    for (std::size_t m = 0; m < p.size(); ++m) {
      all.policy.add(p[m], q[m]);
      if (p[m] > 0) all.divergence += static_cast<double>(p[m] * std::log(p[m] / q[m]));
    }
    if (highest(p) == highest(q)) ++all.same_move;
    ++all.positions;
  }
}

template <Position P>
void run(const typename P::Variant& variant, const std::filesystem::path& net,
         const std::filesystem::path& games, std::size_t count) {
  const NetworkValues values = values_of<P>(net, variant, games);
  auto expected = batches_of<P>(variant, games, count);
  const auto evaluate = [&](std::vector<EvalBatch<P>>& batches, const BackendOptions& options) {
    NetworkEvaluator<P> evaluator(variant, cpu_backends().create(values, options));
    for (EvalBatch<P>& batch : batches)
      evaluator.evaluate(batch);
  };
  evaluate(expected, {.device = "cpu", .backend = "cpu"});
  fmt::print(
      "| backend | positions | policy: largest | mean | win/draw/loss: largest | mean | plies "
      "left: "
      "largest | mean | same move | divergence |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const BackendInfo& backend : cpu_backends().all())
    for (const Precision precision : kPrecisions) {
      const BackendOptions options{
          .device = "cpu", .precision = precision, .backend = backend.name};
      if (!backend.attributes(options)) continue;
      auto given = batches_of<P>(variant, games, count);
      evaluate(given, options);
      Comparison all;
      for (std::size_t i = 0; i < given.size(); ++i)
        compare(expected[i], given[i], all);
      const auto positions = static_cast<double>(all.positions);
      fmt::print(
          "| {} {} | {} | {:.6f} | {:.7f} | {:.6f} | {:.7f} | {:.3f} | {:.4f} | {:.2f} % | "
          "{:.2e} |\n",
          backend.name, name(precision), all.positions, all.policy.largest, all.policy.mean(),
          all.wdl.largest, all.wdl.mean(), all.moves_left.largest, all.moves_left.mean(),
          100 * static_cast<double>(all.same_move) / positions, all.divergence / positions);
    }
}

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  using namespace faultline;
  if (argc != 3 && argc != 4) {
    fmt::print("usage: bench_precision NET.pt RUN [POSITIONS]\n");
    return argc == 1 ? 0 : 2;  // scripts/bench runs every benchmark without arguments
  }
  try {
    const long positions = argc == 4 ? std::strtol(argv[3], nullptr, 10) : 10'000;
    if (positions < 1) throw std::invalid_argument("POSITIONS must be a positive number");
    const std::filesystem::path net = argv[1];
    const CheckpointInfo info = read_checkpoint_info(net);
    with_family(parse_variant_name(info.encoding.variant),
                [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) {
                  run<P>(variant, net, std::filesystem::path(argv[2]) / "games",
                         static_cast<std::size_t>(positions));
                });
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_precision: {}\n", error.what());
    return 1;
  }
}
