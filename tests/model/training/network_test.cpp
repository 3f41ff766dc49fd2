// The network's forward pass: the policy's products, softmax, and what folding must not change.
#include "model/training/network.h"

#include <cmath>
#include <string>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "model/inference/backends.h"
#include "model/inference/head_kernels.h"
#include "tests/model/inference/batches.h"

namespace faultline {
namespace {

using test::encoding_of;

/// A network with nothing left at its starting value, running statistics and kinds included.
NetworkWeights shaken_network(const EncodingInfo& encoding, const NetConfig& net) {
  NetworkWeights weights(encoding, net, at::kCPU);
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
      .clone();
}

void expect_folding_keeps_answers(const EncodingInfo& encoding, const TrainBatch& train,
                                  int se_ratio) {
  const NetworkWeights weights = shaken_network(encoding, test::small_net(se_ratio));
  const auto out = forward(weights, planes_tensor(train.planes, train.count, encoding), false);
  const auto moves = move_index(train.moves, train.first_move, encoding.policy_cells(), at::kCPU);
  const auto wdl = at::softmax(out.wdl_logits, 1);
  const auto plies = out.moves_left * kMovesLeftScale;
  const auto priors = policy_log_softmax(policy_logits_by_gathers(weights, out, moves), moves)
                          .exp()
                          .flatten()
                          .index_select(0, moves.padded);

  for (const auto& backend : {make_cpu_backend(fold(weights, at::kCPU, at::kFloat)),
                              make_device_backend(fold(weights, at::kCPU, at::kFloat))}) {
    BackendBatch batch = test::as_backend_batch(train);
    backend->submit(batch);
    backend->wait(batch);
    ASSERT_EQ(batch.wdl.size(), 3 * train.count);
    ASSERT_EQ(batch.priors.size(), train.moves.size());
    for (std::size_t i = 0; i < batch.wdl.size(); ++i)
      EXPECT_NEAR(batch.wdl[i], wdl.data_ptr<float>()[i], 1e-5);
    for (std::size_t i = 0; i < train.count; ++i)
      EXPECT_NEAR(batch.moves_left[i], plies.data_ptr<float>()[i], 2e-4);
    for (std::size_t m = 0; m < batch.priors.size(); ++m)
      EXPECT_NEAR(batch.priors[m], priors.data_ptr<float>()[m], 1e-5);
  }
}
// 19 positions: full and partial tiles of the dense levels.
class Folding : public testing::TestWithParam<int> {};

TEST_P(Folding, GivesWhatTheTrainingNetworkGives) {
  expect_folding_keeps_answers(encoding_of<ChessPosition>(),
                               test::random_train_batch<ChessPosition>(19, 4), GetParam());
}
TEST_P(Folding, GivesWhatTheTrainingNetworkGivesWhereSquaresShareACell) {
  ASSERT_EQ(encoding_of<InfernoPosition>().levels, 5);
  expect_folding_keeps_answers(encoding_of<InfernoPosition>(),
                               test::random_train_batch<InfernoPosition>(19, 4), GetParam());
}
INSTANTIATE_TEST_SUITE_P(WithAndWithoutSqueezeAndExcitation, Folding, testing::Values(0, 4));

TEST(FoldedBackend, DoesNotFollowLaterChangesOfTheWeights) {
  NetworkWeights weights = shaken_network(encoding_of<ChessPosition>(), test::small_net());
  const auto backend = make_cpu_backend(fold(weights, at::kCPU, at::kFloat));
  BackendBatch before = test::as_backend_batch(test::random_train_batch<ChessPosition>(4, 4));
  BackendBatch after = test::as_backend_batch(test::random_train_batch<ChessPosition>(4, 4));
  backend->submit(before);
  weights.parameters().zero_();
  weights.statistics().fill_(3);
  backend->submit(after);
  EXPECT_EQ(before.wdl, after.wdl);
  EXPECT_EQ(before.priors, after.priors);
}

TEST(Bf16, StaysNearTheFloats) {
  const NetworkWeights weights = shaken_network(encoding_of<ChessPosition>(), test::small_net(4));
  const auto train = test::random_train_batch<ChessPosition>(8, 4);
  BackendBatch exact = test::as_backend_batch(train), rounded = test::as_backend_batch(train);
  make_cpu_backend(fold(weights, at::kCPU, at::kFloat))->submit(exact);
  const auto backend = make_device_backend(fold(weights, at::kCPU, at::kBFloat16));
  backend->submit(rounded);
  backend->wait(rounded);
  for (std::size_t i = 0; i < exact.wdl.size(); ++i)
    EXPECT_NEAR(rounded.wdl[i], exact.wdl[i], 0.05);
  for (std::size_t i = 0; i < exact.priors.size(); ++i)
    EXPECT_NEAR(rounded.priors[i], exact.priors[i], 0.05);
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

TEST(Policy, SharesSumToOneOverEachPositionsMoves) {
  const auto backend =
      Trainer(encoding_of<EscherPosition>(), test::small_net(), {}, "cpu", 1).inference_backend();
  BackendBatch batch = test::as_backend_batch(test::random_train_batch<EscherPosition>(40, 8));
  backend->submit(batch);
  backend->wait(batch);
  for (std::size_t i = 0; i < batch.count; ++i) {
    float sum = 0;
    for (std::size_t m = batch.first_move[i]; m < batch.first_move[i + 1]; ++m) {
      EXPECT_GT(batch.priors[m], 0.0F);
      sum += batch.priors[m];
    }
    EXPECT_NEAR(sum, 1.0F, 1e-5);
    EXPECT_NEAR(batch.wdl[3 * i] + batch.wdl[3 * i + 1] + batch.wdl[3 * i + 2], 1.0F, 1e-5);
    EXPECT_GT(batch.moves_left[i], 0.0F);
  }
}

TEST(Softmax, BearsLargeLogits) {
  std::array<float, 3> values = {1000.0F, 999.0F, -1000.0F};
  softmax(values);
  EXPECT_NEAR(values[0], 1 / (1 + std::exp(-1.0F)), 1e-6);
  EXPECT_NEAR(values[1], 1 - values[0], 1e-6);
  EXPECT_EQ(values[2], 0.0F);
  EXPECT_NEAR(softplus(-200.0F), 0.0F, 1e-6);
  EXPECT_NEAR(softplus(200.0F), 200.0F, 1e-4);
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

TEST(Network, StartsWithoutStrongOpinions) {
  const auto backend = Trainer(encoding_of<ChessPosition>(), {}, {}, "cpu", 1).inference_backend();
  BackendBatch batch = test::as_backend_batch(test::random_train_batch<ChessPosition>(30, 9));
  backend->submit(batch);
  backend->wait(batch);
  for (std::size_t i = 0; i < batch.count; ++i) {
    const std::size_t moves = batch.first_move[i + 1] - batch.first_move[i];
    if (moves < 10) continue;
    for (std::size_t m = batch.first_move[i]; m < batch.first_move[i + 1]; ++m)
      EXPECT_LT(batch.priors[m], 0.5F);
  }
}

TEST(Network, RefusesAShapeOutsideItsLimits) {
  NetConfig net;
  net.channels = 0;
  try {
    network_layout(encoding_of<ChessPosition>(), net);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "net.channels is 0; it must lie between 4 and 2048");
  }
}

}  // namespace
}  // namespace faultline
