// The backend "onednn" against our own kernels: every board, precision and batch size, from several
// threads.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/calibration.h"
#include "model/checkpoint.h"
#include "model/inference/cpu_backend.h"
#include "model/inference/network_evaluator.h"
#include "model/inference/onednn/backend.h"
#include "model/inference/onednn/library.h"
#include "tests/families.h"
#include "tests/model/golden.h"
#include "tests/model/inference/backend_checks.h"
#include "tests/model/inference/networks.h"
#include "tests/model/inference/shared_levels.h"

namespace faultline {
namespace {

using test::encoding_of;
using test::eval_batch;

using test::Distance;
using test::distance;
using test::net_of;

template <Position P>
Distance distance_from_the_kernels(const NetworkValues& values, Precision precision) {
  return test::distance_from_the_kernels<P>(
      values, {.device = "cpu", .precision = precision, .backend = "onednn"});
}

bool runs(Precision precision) {
  return cpu_backends().find("onednn").attributes({.precision = precision}).has_value();
}

template <class P>
class OnednnOnTheBoardOf : public testing::Test {};
TYPED_TEST_SUITE(OnednnOnTheBoardOf, test::EveryFamily);

TYPED_TEST(OnednnOnTheBoardOf, Fp32EqualsTheKernels) {
  using P = TypeParam;
  for (const int se_ratio : {0, 4})
    for (const int channels : {12, 32}) {
      const auto values = test::random_values(encoding_of<P>(), net_of(2, channels, se_ratio), 3);
      const Distance d = distance_from_the_kernels<P>(values, Precision::Fp32);
      EXPECT_LE(d.policy, 1e-5) << channels << " channels, se_ratio " << se_ratio;
      EXPECT_LE(d.wdl, 1e-5);
      EXPECT_LE(d.moves_left, 1e-3);
    }
}

TYPED_TEST(OnednnOnTheBoardOf, Bf16IsCloseToTheKernels) {
  using P = TypeParam;
  if (!runs(Precision::Bf16)) GTEST_SKIP() << "this processor does not compute in bf16";
  for (const int se_ratio : {0, 4})
    for (const int channels : {12, 32, 48}) {
      const auto values = test::random_values(encoding_of<P>(), net_of(2, channels, se_ratio), 3);
      const Distance d = distance_from_the_kernels<P>(values, Precision::Bf16);
      EXPECT_LE(d.policy, 0.02) << channels << " channels, se_ratio " << se_ratio;
      EXPECT_LE(d.wdl, 0.02);
      EXPECT_LE(d.moves_left, 1);
      EXPECT_GT(d.policy, 0);  // it is another precision
    }
}

TYPED_TEST(OnednnOnTheBoardOf, Int8IsCloseToTheKernels) {
  using P = TypeParam;
  for (const int se_ratio : {0, 4})
    for (const int channels : {12, 32}) {
      const auto values = test::random_values(encoding_of<P>(), net_of(2, channels, se_ratio), 3);
      const Distance d = distance_from_the_kernels<P>(values, Precision::Int8);
      EXPECT_LE(d.policy, 0.06) << channels << " channels, se_ratio " << se_ratio;
      EXPECT_LE(d.wdl, 0.06);
      EXPECT_LE(d.moves_left, 3);
      EXPECT_GT(d.policy, 0);
    }
}

TEST(Onednn, ComputesLevelsThatAreBoards) {
  const auto samples = test::with_every_number_of_levels(5);
  const auto answers = [&](const NetworkValues& of, const BackendOptions& options) {
    auto batch = eval_batch(samples);
    NetworkEvaluator<InfernoPosition>(InfernoVariant{5}, cpu_backends().create(of, options))
        .evaluate(batch);
    return batch;
  };
  for (const int channels : {12, 32}) {
    const auto values =
        test::random_values(encoding_of<InfernoPosition>(), test::shared_levels_net(channels), 3);
    const auto exact = answers(values, {.backend = "cpu"});
    for (const auto& [precision, most] :
         {std::pair{Precision::Fp32, 1e-5}, {Precision::Bf16, 0.02}, {Precision::Int8, 0.06}}) {
      if (!runs(precision)) continue;
      const Distance d = distance(
          exact, answers(values, {.device = "cpu", .precision = precision, .backend = "onednn"}));
      EXPECT_LE(d.policy, most) << name(precision) << ", " << channels << " channels";
      EXPECT_LE(d.wdl, most) << name(precision) << ", " << channels << " channels";
    }
  }
}

TEST(Onednn, ComputesALargerTowerWithSqueezeAndExcitation) {
  for (const int se_ratio : {0, 8}) {
    const auto values =
        test::random_values(encoding_of<ChessPosition>(), net_of(6, 64, se_ratio), 9);
    const Distance fp32 = distance_from_the_kernels<ChessPosition>(values, Precision::Fp32);
    EXPECT_LE(fp32.policy, 2e-5) << se_ratio;
    EXPECT_LE(fp32.wdl, 2e-5);
    const Distance int8 = distance_from_the_kernels<ChessPosition>(values, Precision::Int8);
    EXPECT_LE(int8.policy, 0.08) << se_ratio;
    EXPECT_LE(int8.wdl, 0.08);
    if (!runs(Precision::Bf16)) continue;
    const Distance bf16 = distance_from_the_kernels<ChessPosition>(values, Precision::Bf16);
    EXPECT_LE(bf16.policy, 0.03) << se_ratio;
    EXPECT_LE(bf16.wdl, 0.03);
  }
}

template <Position P>
void expect_trained_networks_agree(const std::string& family) {
  const auto answers = test::golden_answers(family);
  const auto& variant = P::variant({family, {}});
  auto expected = test::golden_batch<P>(answers);
  const auto load = [&](const BackendOptions& options) {
    return load_backend(test::golden_file(family + ".pt"), encoding_of<P>(), cpu_backends(),
                        options);
  };
  NetworkEvaluator<P>(variant, load({.backend = "onednn"})).evaluate(expected);
  test::expect_golden(expected, answers);
  for (const Precision precision : {Precision::Bf16, Precision::Int8}) {
    if (!runs(precision)) continue;
    auto given = test::golden_batch<P>(answers);
    NetworkEvaluator<P>(variant, load({.precision = precision, .backend = "onednn"}))
        .evaluate(given);
    const Distance d = distance(expected, given);
    EXPECT_LE(d.policy, 0.01) << name(precision);
    EXPECT_LE(d.wdl, 0.01) << name(precision);
    EXPECT_LE(d.moves_left, 1) << name(precision);
  }
}
TEST(Onednn, AnswersAsTheTrainingNetworkDid) {
  expect_trained_networks_agree<ChessPosition>("chess");
}
TEST(Onednn, AnswersAsTheTrainingNetworkDidOnStackedLevels) {
  expect_trained_networks_agree<InfernoPosition>("inferno");
}

class OnednnIn : public testing::TestWithParam<Precision> {
 protected:
  void SetUp() override {
    if (!runs(GetParam())) GTEST_SKIP() << "this processor does not compute in it";
  }
  static std::shared_ptr<Backend> backend(std::uint64_t seed, int se_ratio = 4) {
    return cpu_backends().create(
        test::random_values(encoding_of<ChessPosition>(), net_of(2, 32, se_ratio), seed),
        {.device = "cpu", .precision = GetParam(), .backend = "onednn"});
  }
  static const ChessPosition::Variant& chess() { return ChessPosition::variant({"chess", {}}); }
};
INSTANTIATE_TEST_SUITE_P(Precisions, OnednnIn, testing::ValuesIn(kPrecisions),
                         [](const auto& tested) { return std::string(name(tested.param)); });

/// Bit for bit: what a position's network outputs are does not depend on the rest of its batch, so
/// that a deterministic run need not batch its positions in one way.
TEST_P(OnednnIn, GivesAPositionTheSameBitsInBatchesOfEverySize) {
  if (onednn::has_matrix_units() && GetParam() != Precision::Fp32)
    GTEST_SKIP() << "not promised with AMX, whose kernels oneDNN may choose by the batch";
  const auto samples = test::random_positions<ChessPosition>(33, 2);
  for (const int se_ratio : {0, 4}) {
    NetworkEvaluator<ChessPosition> evaluator(chess(), backend(1, se_ratio));
    std::vector<EvalBatch<ChessPosition>> single;
    for (const auto& sample : samples) {
      single.push_back(eval_batch(std::span(&sample, 1)));
      evaluator.evaluate(single.back());
    }
    EvalBatch<ChessPosition> batch;
    for (std::size_t count = 1; count <= samples.size(); ++count) {
      batch.clear();
      for (std::size_t i = 0; i < count; ++i)
        batch.add(samples[i].position, samples[i].repetitions, samples[i].moves);
      evaluator.evaluate(batch);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(batch.evaluation(i).win, single[i].evaluation(0).win) << i << " of " << count;
        ASSERT_EQ(batch.evaluation(i).moves_left, single[i].evaluation(0).moves_left);
        ASSERT_EQ(test::copied(batch.priors(i)), test::copied(single[i].priors(0)));
      }
    }
  }
}

TEST_P(OnednnIn, GivesEqualNetworksEqualBits) {
  const auto samples = test::random_positions<ChessPosition>(9, 6);
  auto first = eval_batch(samples), second = eval_batch(samples);
  NetworkEvaluator<ChessPosition>(chess(), backend(4)).evaluate(first);
  NetworkEvaluator<ChessPosition>(chess(), backend(4)).evaluate(second);
  const Distance d = distance(first, second);
  EXPECT_EQ(d.policy + d.wdl + d.moves_left, 0);
}

TEST_P(OnednnIn, ServesSeveralThreadsAtOnce) {
  test::expect_it_serves_threads(chess(), backend(2));
}

TEST_P(OnednnIn, RefusesABatchOfAnotherNetwork) {
  const auto first = backend(1), second = backend(1);
  const auto batch = first->make_batch();
  batch->resize(0, 0);
  EXPECT_THROW(second->submit(*batch), std::invalid_argument);
}

TEST_P(OnednnIn, DescribesItselfForLogs) {
  const auto made = backend(1);
  EXPECT_EQ(made->attributes().name, "onednn");
  EXPECT_EQ(made->attributes().precision, GetParam());
  EXPECT_EQ(made->describe().find("onednn " + std::string(name(GetParam()))), 0U);
}

/// A position in a batch for `backend`.
std::unique_ptr<BackendBatch> start_of_chess(Backend& backend) {
  using P = ChessPosition;
  const P start = P::start(P::variant({"chess", {}}));
  P::MoveList moves;
  start.legal_moves(moves);
  auto batch = backend.make_batch();
  batch->resize(1, moves.size());
  Encoder<P>::encode(start, 0, batch->planes(0));
  for (std::size_t m = 0; m < moves.size(); ++m)
    batch->moves()[m] = Encoder<P>::policy_index(start, moves[m]);
  batch->first_move()[0] = 0;
  batch->first_move()[1] = static_cast<std::uint32_t>(moves.size());
  return batch;
}

/// Finite weights whose products are not.
NetworkValues overflowing_values() {
  auto values = test::random_values(encoding_of<ChessPosition>(), test::small_net(), 1);
  for (float& parameter : values.parameters)
    parameter *= 1e15F;
  return values;
}

TEST(OnednnOutputs, ThatAreNotFiniteAreRefused) {
  for (const char* name : {"onednn", "cpu"})
    for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
      const BackendOptions options{.precision = precision, .backend = name};
      if (!cpu_backends().find(name).attributes(options)) continue;
      const auto backend = cpu_backends().create(overflowing_values(), options);
      const auto batch = start_of_chess(*backend);
      EXPECT_THROW(
          {
            backend->submit(*batch);
            backend->wait(*batch);
          },
          std::runtime_error)
          << name;
    }
}

TEST(OnednnInt8, NeedsAsManyRangesAsTheNetworkHasActivations) {
  const auto& encoding = encoding_of<ChessPosition>();
  FoldedNetwork network = fold(test::random_values(encoding, net_of(2, 16), 1));
  EXPECT_THROW(make_onednn_backend(network, Precision::Int8), std::invalid_argument);
  network.ranges = calibrate(network, random_game_planes(encoding, 8));
  EXPECT_NO_THROW(make_onednn_backend(network, Precision::Int8));
  network.ranges->values.pop_back();
  EXPECT_THROW(make_onednn_backend(network, Precision::Int8), std::invalid_argument);
}

TEST(OnednnInt8, ServesAnUntrainedNetwork) {
  // Its blocks are the identity: all weights of their second convolutions are zero.
  const auto& encoding = encoding_of<ChessPosition>();
  auto values = test::random_values(encoding, net_of(2, 16), 1);
  const NetworkLayout layout = network_layout(values.description);
  auto value = values.parameters.begin();
  for (const TensorSpec& t : layout.parameters) {
    if (t.name.ends_with("norm2.weight")) std::fill_n(value, t.numel(), 0.0F);
    value += t.numel();
  }
  EXPECT_LE(distance_from_the_kernels<ChessPosition>(values, Precision::Int8).policy, 0.03);
}

TEST(OnednnKernelCache, DoesNotGrowWithTheNumberOfNetworks) {
  const auto& encoding = encoding_of<ChessPosition>();
  for (int policy_dim = 4; policy_dim < 200; policy_dim += 12) {
    NetConfig net = net_of(1, 16);
    net.policy_dim = policy_dim;
    cpu_backends().create(test::random_values(encoding, net, 1), {.backend = "onednn"});
  }
  EXPECT_LE(dnnl::get_primitive_cache_capacity(), 256);
}

}  // namespace
}  // namespace faultline
