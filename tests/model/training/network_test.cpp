// The network's forward pass: the policy's products, softmax, and the equivalence of folded
// networks.
#include "model/training/network.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "model/checkpoint_file.h"
#include "model/inference/cpu_backend.h"
#include "model/inference/libtorch_backend.h"
#include "tests/model/golden.h"
#include "tests/model/test_device.h"
#include "tests/model/training/batches.h"

namespace faultline {
namespace {

using test::encoding_of;

/// A network with no tensor at its initial value, running statistics and kinds included.
NetworkWeights shaken_network(const EncodingInfo& encoding, const NetConfig& net) {
  NetworkWeights weights(encoding, net, at::Device(test::device()));
  weights.initialise(5);
  at::manual_seed(5);
  weights.parameters().add_(at::randn_like(weights.parameters()), 0.05);
  weights.statistics().mul_(at::rand_like(weights.statistics()) + 0.5).add_(0.01);
  return weights;
}

at::Tensor planes_tensor(const std::vector<float>& planes, std::size_t count,
                         const EncodingInfo& e) {
  return at::from_blob(const_cast<float*>(planes.data()),
                       {static_cast<std::int64_t>(count), e.plane_count(), e.height, e.width},
                       at::kFloat)
      .to(at::Device(test::device()), /*non_blocking=*/false, /*copy=*/true);
}

/// Names and devices.
std::vector<std::pair<std::string, std::string>> backends_to_test() {
  std::vector<std::pair<std::string, std::string>> all = {{"cpu", "cpu"}, {"libtorch", "cpu"}};
  if (!test::on_cpu()) all.emplace_back("libtorch", test::device());
  return all;
}

void expect_folding_keeps_answers(const EncodingInfo& encoding, const TrainBatch& train,
                                  int se_ratio) {
  const NetworkWeights weights = shaken_network(encoding, test::small_net(se_ratio));
  const auto out = forward(weights, planes_tensor(train.planes, train.count, encoding), false);
  const auto moves = move_index(train.moves, train.first_move, encoding.policy_cells(),
                                at::Device(test::device()));
  const auto wdl = at::softmax(out.wdl_logits, 1).cpu();
  const auto plies = (out.moves_left * kMovesLeftScale).cpu();
  const auto priors = policy_log_softmax(policy_logits_by_gathers(weights, out, moves), moves)
                          .exp()
                          .flatten()
                          .index_select(0, moves.padded)
                          .cpu();

  // Sums of hundreds of products in another order.
  const float tolerance = test::on_cpu() ? 1e-5F : 1e-4F;
  for (const auto& [name, device] : backends_to_test()) {
    const auto backend = all_backends().create(
        weights.values(), {.device = device, .precision = Precision::Fp32, .backend = name});
    EXPECT_EQ(backend->attributes().name, name);
    const auto batch = test::answered_batch(*backend, train);
    ASSERT_EQ(batch->wdl().size(), 3 * train.count);
    ASSERT_EQ(batch->priors().size(), train.moves.size());
    for (std::size_t i = 0; i < batch->wdl().size(); ++i)
      EXPECT_NEAR(batch->wdl()[i], wdl.data_ptr<float>()[i], tolerance);
    for (std::size_t i = 0; i < train.count; ++i)
      EXPECT_NEAR(batch->moves_left()[i], plies.data_ptr<float>()[i], 20 * tolerance);
    for (std::size_t m = 0; m < batch->priors().size(); ++m)
      EXPECT_NEAR(batch->priors()[m], priors.data_ptr<float>()[m], tolerance);
  }
}
// 19 positions: full and partial tiles of the dense layers.
class Folding : public testing::TestWithParam<int> {};

TEST_P(Folding, MatchesTheTrainingNetwork) {
  expect_folding_keeps_answers(encoding_of<ChessPosition>(),
                               test::random_train_batch<ChessPosition>(19, 4), GetParam());
}
TEST_P(Folding, MatchesTheTrainingNetworkIfSquaresShareACell) {
  ASSERT_EQ(encoding_of<InfernoPosition>().levels, 5);
  expect_folding_keeps_answers(encoding_of<InfernoPosition>(),
                               test::random_train_batch<InfernoPosition>(19, 4), GetParam());
}
INSTANTIATE_TEST_SUITE_P(WithAndWithoutSqueezeAndExcitation, Folding, testing::Values(0, 4));

/// Evaluations by the training network's forward pass.
template <Position P>
void answer(const NetworkWeights& weights, EvalBatch<P>& batch) {
  const EncodingInfo& encoding = weights.encoding();
  std::vector<float> planes(batch.size() * encoding.floats());
  std::vector<PolicyIndex> moves;
  std::vector<std::uint32_t> first_move = {0};
  for (std::size_t i = 0; i < batch.size(); ++i) {
    Encoder<P>::encode(batch.position(i), batch.repetitions(i),
                       std::span(planes).subspan(i * encoding.floats(), encoding.floats()));
    for (const Move m : batch.moves(i))
      moves.push_back(Encoder<P>::policy_index(batch.position(i), m));
    first_move.push_back(static_cast<std::uint32_t>(moves.size()));
  }
  const NetworkOutput out = forward(weights, planes_tensor(planes, batch.size(), encoding), false);
  const MoveIndex index =
      move_index(moves, first_move, encoding.policy_cells(), at::Device(test::device()));
  const at::Tensor wdl = at::softmax(out.wdl_logits, 1).cpu();
  const at::Tensor plies = (out.moves_left * kMovesLeftScale).cpu();
  const at::Tensor priors = policy_log_softmax(policy_logits(weights, out, index), index)
                                .exp()
                                .flatten()
                                .index_select(0, index.padded)
                                .cpu();
  batch.prepare_results();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const float* p = wdl.data_ptr<float>() + 3 * i;
    batch.evaluation(i) = {p[0], p[1], p[2], plies.data_ptr<float>()[i]};
    std::copy_n(priors.data_ptr<float>() + batch.first_move(i), batch.priors(i).size(),
                batch.priors(i).begin());
  }
}

template <Position P>
void expect_training_network_answers_as_recorded(const std::string& family) {
  const auto path = test::golden_file(family + ".pt");
  const auto file = CheckpointFile::read(path);
  const CheckpointInfo info = info_of(file, path);
  NetworkWeights weights(info.encoding, info.net, at::Device(test::device()));
  weights.set_values(
      read_values(file, path, info.has_ema ? WeightsPart::Ema : WeightsPart::Trained));
  const auto answers = test::golden_answers(family);
  auto batch = test::golden_batch<P>(answers);
  answer(weights, batch);
  test::expect_golden(batch, answers, test::on_cpu() ? 1e-5 : 1e-4);
}
TEST(GoldenCheckpoint, TheTrainingNetworkAnswersAsItDid) {
  expect_training_network_answers_as_recorded<ChessPosition>("chess");
  expect_training_network_answers_as_recorded<InfernoPosition>("inferno");
}

TEST(FoldedBackend, DoesNotFollowLaterChangesOfTheWeights) {
  NetworkWeights weights = shaken_network(encoding_of<ChessPosition>(), test::small_net());
  const auto train = test::random_train_batch<ChessPosition>(4, 4);
  for (const auto& [name, device] : backends_to_test()) {
    const auto backend = all_backends().create(
        weights.values(), {.device = device, .precision = Precision::Fp32, .backend = name});
    const auto before = test::answered_batch(*backend, train);
    weights.parameters().mul_(0.5);
    weights.statistics().fill_(3);
    const auto after = test::answered_batch(*backend, train);
    test::expect_same_outputs(before->wdl(), after->wdl(), 1e-5F);
    test::expect_same_outputs(before->priors(), after->priors(), 1e-5F);
  }
}

TEST(Bf16, IsCloseToFp32) {
  const NetworkWeights weights = shaken_network(encoding_of<ChessPosition>(), test::small_net(4));
  const auto train = test::random_train_batch<ChessPosition>(8, 4);
  const auto exact = test::answered_batch(*make_cpu_backend(fold(weights.values())), train);
  const auto rounded = test::answered_batch(
      *make_libtorch_backend(fold(weights.values()), test::device(), Precision::Bf16), train);
  EXPECT_NE(test::copied(rounded->priors()), test::copied(exact->priors()));
  for (std::size_t i = 0; i < exact->wdl().size(); ++i)
    EXPECT_NEAR(rounded->wdl()[i], exact->wdl()[i], 0.05);
  for (std::size_t i = 0; i < exact->priors().size(); ++i)
    EXPECT_NEAR(rounded->priors()[i], exact->priors()[i], 0.05);
}

void expect_fused_equals_gathers(const EncodingInfo& encoding, const TrainBatch& train) {
  at::manual_seed(3);
  NetConfig net = test::small_net();
  const auto moves = move_index(train.moves, train.first_move, encoding.policy_cells(), at::kCPU);
  const auto rows = static_cast<std::int64_t>(train.count) * encoding.policy_cells();
  const auto queries = at::randn({rows, net.policy_dim}), keys = at::randn({rows, net.policy_dim});
  const auto upstream = at::randn({static_cast<std::int64_t>(train.moves.size())});

  const auto run = [&](auto&& logits_of) {
    NetworkWeights weights(encoding, net, at::kCPU);
    weights.initialise(1);
    weights["policy.kind_query"].normal_();
    weights["policy.kind_bias"].normal_();
    auto gradient = weights.require_gradients();
    NetworkOutput out;
    out.queries = queries.clone().set_requires_grad(true);
    out.keys = keys.clone().set_requires_grad(true);
    const auto logits = logits_of(weights, out, moves);
    (logits * upstream).sum().backward();
    return std::vector<at::Tensor>{logits.detach(), out.queries.grad(), out.keys.grad(), gradient};
  };
  at::manual_seed(7);
  const auto fused = run(policy_logits);
  at::manual_seed(7);
  const auto plain = run(policy_logits_by_gathers);
  for (std::size_t i = 0; i < fused.size(); ++i) {
    EXPECT_GT(plain[i].abs().max().item<float>(), 0.0F);
    EXPECT_TRUE(at::allclose(fused[i], plain[i], 1e-4, 1e-5)) << "part " << i;
  }
}
TEST(Policy, FusedProductsAndGradientsEqualTheGathers) {
  expect_fused_equals_gathers(encoding_of<EscherPosition>(),
                              test::random_train_batch<EscherPosition>(12, 6));
  expect_fused_equals_gathers(encoding_of<InfernoPosition>(),
                              test::random_train_batch<InfernoPosition>(12, 6));
}

TEST(Policy, ProbabilitiesSumToOnePerPosition) {
  const auto backend =
      Trainer(encoding_of<EscherPosition>(), test::small_net(), {}, test::device(), 1)
          .inference_backend();
  const auto batch =
      test::answered_batch(*backend, test::random_train_batch<EscherPosition>(40, 8));
  const auto wdl = batch->wdl();
  for (std::size_t i = 0; i < batch->count(); ++i) {
    float sum = 0;
    for (std::size_t m = batch->first_move()[i]; m < batch->first_move()[i + 1]; ++m) {
      EXPECT_GT(batch->priors()[m], 0.0F);
      sum += batch->priors()[m];
    }
    EXPECT_NEAR(sum, 1.0F, 1e-5);
    EXPECT_NEAR(wdl[3 * i] + wdl[3 * i + 1] + wdl[3 * i + 2], 1.0F, 1e-5);
    EXPECT_GT(batch->moves_left()[i], 0.0F);
  }
}

TEST(Network, StartsTheSameForTheSameSeed) {
  const EncodingInfo& encoding = encoding_of<ChessPosition>();
  NetworkWeights one(encoding, {}, at::kCPU), two(encoding, {}, at::kCPU),
      other(encoding, {}, at::kCPU);
  one.initialise(1);
  two.initialise(1);
  other.initialise(2);
  EXPECT_TRUE(at::equal(one.parameters(), two.parameters()));
  EXPECT_FALSE(at::equal(one.parameters(), other.parameters()));
}

TEST(Network, StartsNearUniform) {
  const auto backend = Trainer(encoding_of<ChessPosition>(), {}, {}, "cpu", 1).inference_backend();
  const auto batch = test::answered_batch(*backend, test::random_train_batch<ChessPosition>(30, 9));
  const auto first_move = batch->first_move();
  for (std::size_t i = 0; i < batch->count(); ++i) {
    if (first_move[i + 1] - first_move[i] < 10) continue;
    for (std::size_t m = first_move[i]; m < first_move[i + 1]; ++m)
      EXPECT_LT(batch->priors()[m], 0.5F);
  }
}

}  // namespace
}  // namespace faultline
