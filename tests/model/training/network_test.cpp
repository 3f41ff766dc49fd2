// The network's forward pass: the policy's products, softmax, and the equivalence of folded
// networks.
#include "model/training/network.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "model/checkpoint_file.h"
#include "model/inference/cpu_backend.h"
#include "model/inference/libtorch_backend.h"
#include "model/training/losses.h"
#include "model/training/optimizer.h"
#include "model/training/policy_loss.h"
#include "model/training/staged_batch.h"
#include "tests/model/golden.h"
#include "tests/model/inference/shared_levels.h"
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
                                  const NetConfig& net) {
  const NetworkWeights weights = shaken_network(encoding, net);
  const auto out = forward(weights, planes_tensor(train.planes, train.count, encoding), {});
  const auto moves =
      move_index(train.moves, train.first_move, weights.description(), at::Device(test::device()));
  const auto wdl = at::softmax(out.wdl_logits, 1).cpu();
  const auto plies = (out.moves_left * kMovesLeftScale).cpu();
  const auto priors = policy_log_softmax(policy_logits(weights, out.policy_vectors, moves), moves)
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
                               test::random_train_batch<ChessPosition>(19, 4),
                               test::small_net(GetParam()));
}
TEST_P(Folding, MatchesTheTrainingNetworkIfSquaresShareACell) {
  ASSERT_EQ(encoding_of<InfernoPosition>().levels, 5);
  expect_folding_keeps_answers(encoding_of<InfernoPosition>(),
                               test::random_train_batch<InfernoPosition>(19, 4),
                               test::small_net(GetParam()));
}
TEST_P(Folding, MatchesTheTrainingNetworkIfLevelsAreBoards) {
  NetConfig net = test::shared_levels_net();
  net.se_ratio = GetParam();
  expect_folding_keeps_answers(encoding_of<InfernoPosition>(),
                               test::train_batch_of(test::with_every_number_of_levels(4), 4), net);
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
  const NetworkOutput out = forward(weights, planes_tensor(planes, batch.size(), encoding), {});
  const MoveIndex index =
      move_index(moves, first_move, weights.description(), at::Device(test::device()));
  const at::Tensor wdl = at::softmax(out.wdl_logits, 1).cpu();
  const at::Tensor plies = (out.moves_left * kMovesLeftScale).cpu();
  const at::Tensor priors =
      policy_log_softmax(policy_logits(weights, out.policy_vectors, index), index)
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
  weights.set_values(read_values(file, path));
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

/// Losses, and the gradients of the vectors and of all parameters.
std::vector<at::Tensor> policy_parts(const EncodingInfo& encoding, const NetConfig& net,
                                     const TrainBatch& train, const at::Tensor& vectors,
                                     const auto& loss_of) {
  NetworkWeights weights(encoding, net, at::kCPU);
  weights.initialise(1);
  at::manual_seed(7);
  weights["policy.kind_query"].normal_();
  weights["policy.kind_bias"].normal_();
  const auto gradient = weights.require_gradients();
  const auto leaf = vectors.clone().set_requires_grad(true);
  const PolicyLoss loss = loss_of(weights, leaf, train);
  (loss.loss * 1.75).backward();
  return {loss.loss.detach(), loss.entropy, loss.accuracy, leaf.grad(), gradient};
}

template <Position P>
void expect_fused_equals_gathers(const NetConfig& net) {
  const EncodingInfo& encoding = encoding_of<P>();
  TrainBatch train = test::random_train_batch<P>(12, 6);
  // Soft targets at one position, none at another.
  for (std::size_t m = train.first_move[2]; m < train.first_move[3]; ++m)
    train.policy[m] = 1.0F / static_cast<float>(train.first_move[3] - train.first_move[2]);
  for (std::size_t m = train.first_move[5]; m < train.first_move[6]; ++m)
    train.policy[m] = 0;
  const PolicyHeadSpec policy = describe_network(encoding, net).policy;
  at::manual_seed(3);
  const auto vectors =
      at::randn({static_cast<std::int64_t>(train.count) * policy.boards * encoding.cells(),
                 std::int64_t{2} * policy.levels * net.policy_dim});
  const std::vector<at::Tensor> fused = policy_parts(encoding, net, train, vectors, policy_loss);
  const auto by_gathers = [](const NetworkWeights& weights, const at::Tensor& leaf,
                             const TrainBatch& batch) {
    StagedBatch staged(weights.description(), StagedShape::of(batch).padded(), 0, at::kCPU);
    staged.write(batch);
    return policy_loss_by_gathers(weights, leaf, staged.moves(), staged.policy());
  };
  const std::vector<at::Tensor> plain = policy_parts(encoding, net, train, vectors, by_gathers);
  for (std::size_t i = 0; i < fused.size(); ++i) {
    if (i != 2) {
      EXPECT_GT(plain[i].abs().max().item<float>(), 0.0F) << "part " << i;
    }
    EXPECT_TRUE(at::allclose(fused[i], plain[i], 1e-4, 1e-6)) << "part " << i;
  }
}
TEST(Policy, FusedLossesAndGradientsEqualThoseByGathers) {
  expect_fused_equals_gathers<EscherPosition>(test::small_net());
  expect_fused_equals_gathers<InfernoPosition>(test::small_net());
  expect_fused_equals_gathers<InfernoPosition>(test::shared_levels_net());
}

TEST(Training, ABatchInAnotherBatchsMemoryHasItsOwnLosses) {
  const EncodingInfo& encoding = encoding_of<ChessPosition>();
  const NetworkWeights weights = shaken_network(encoding, test::small_net());
  const at::Device device(test::device());
  const TrainBatch large = test::random_train_batch<ChessPosition>(9, 4);
  TrainBatch small = test::random_train_batch<ChessPosition>(9, 5);
  ASSERT_NE(large.moves.size(), small.moves.size());
  small.moves_left[3] = -1;  // unknown
  StagedShape shape = StagedShape::of(large).padded();
  shape.moves = std::max(shape.moves, StagedShape::of(small).moves + 1);
  StagedBatch staged(weights.description(), shape, 2, device);
  staged.write(large, std::vector<float>{1, 2});
  staged.write(small, std::vector<float>{3, 4});
  EXPECT_EQ(staged.numbers()[1].item<float>(), 4);
  StagedBatch alone(weights.description(), StagedShape::of(small), 0, device);
  alone.write(small);
  const auto losses_of = [&](const StagedBatch& batch) {
    const auto out = forward(weights, planes_of(batch.planes(), at::kFloat), {});
    return compute_losses(weights, {}, out, batch).numbers.cpu();
  };
  const auto padded = losses_of(staged), exact = losses_of(alone);
  EXPECT_TRUE(at::allclose(padded, exact, 1e-5, 1e-6));
  small.moves.push_back(small.moves.back());
  small.policy.push_back(0);
  ++small.first_move.back();
  EXPECT_THROW(alone.write(small), std::invalid_argument);  // a move more than there is room for
}

TEST(Training, ABatchKnowsWhichBoardsExist) {
  const EncodingInfo& encoding = encoding_of<InfernoPosition>();
  const NetworkWeights weights = shaken_network(encoding, test::shared_levels_net());
  const auto& boards = weights.description().boards;
  ASSERT_GT(boards.size(), 2U);
  TrainBatch train = test::random_train_batch<InfernoPosition>(9, 4);
  // The second position has lost its last level, the fifth all but the first.
  const auto lose = [&](std::size_t position, std::size_t board) {
    train.planes[position * encoding.floats() +
                 static_cast<std::size_t>(boards[board].front() * encoding.cells())] = 0;
  };
  lose(1, boards.size() - 1);
  for (std::size_t board = 1; board < boards.size(); ++board)
    lose(4, board);
  StagedBatch staged(weights.description(), StagedShape::of(train), 0, at::Device(test::device()));
  staged.write(train);
  const auto found = forward_trunk(weights, staged.planes(), {});
  EXPECT_EQ(found.existing.numel(), static_cast<std::int64_t>(8 * boards.size()));
  EXPECT_TRUE(at::equal(staged.existing(), found.existing));
  const auto known = forward_trunk(weights, staged.planes(), {}, staged.existing());
  EXPECT_TRUE(at::equal(known.x, found.x));
}

TEST(Policy, TheGradientIsTheSlopeOfTheLoss) {
  const EncodingInfo& encoding = encoding_of<ChessPosition>();
  const TrainBatch train = test::random_train_batch<ChessPosition>(4, 6);
  NetworkWeights weights(encoding, test::small_net(), at::kCPU);
  weights.initialise(1);
  at::manual_seed(3);
  const auto vectors = at::randn({4 * encoding.cells(),
                                  std::int64_t{2} * encoding.levels * test::small_net().policy_dim})
                           .set_requires_grad(true);
  policy_loss(weights, vectors, train).loss.backward();
  const auto direction = vectors.grad() / vectors.grad().norm();
  const double step = 0.05;
  const auto loss_at = [&](double t) {
    return policy_loss(weights, vectors.detach() + t * direction, train).loss.item<double>();
  };
  const double slope = (loss_at(step) - loss_at(-step)) / (2 * step);
  EXPECT_NEAR(slope, vectors.grad().norm().item<double>(), 0.01 * slope);
}

TEST(Optimizer, TheLoopEqualsTheOperations) {
  constexpr std::int64_t kCount = 1003, kDecaying = 700;
  TrainParams params;
  params.weight_decay = 0.1;
  at::manual_seed(1);
  const auto begin = at::randn({kCount});
  auto one = begin.clone(), two = begin.clone();
  Optimizer loop(OptimizerKind::AdamW, one), operations(OptimizerKind::AdamW, two);
  for (std::int64_t number = 1; number <= 20; ++number) {
    const auto gradient = at::randn({kCount});
    loop.step(params, {one, gradient.clone(), 0.3, kDecaying, number});
    operations.step_by_operations(params, {two, gradient.clone(), 0.3, kDecaying, number});
  }
  EXPECT_TRUE(at::allclose(one, two, 1e-5, 1e-6));
  EXPECT_FALSE(at::allclose(one, begin, 1e-5, 1e-3));
  for (const char* part : {"momentum", "variance"})
    EXPECT_TRUE(at::allclose(loop.state().at(part), operations.state().at(part), 1e-5, 1e-7));
}

/// The gradient of the whole loss in one of the number formats. `at_once`: a pass that begins with
/// the rounding of all parameters; else each layer rounds its own.
at::Tensor gradient_of_loss(const TrainBatch& train, int se_ratio, at::ScalarType type,
                            bool at_once = true) {
  const EncodingInfo& encoding = encoding_of<ChessPosition>();
  NetworkWeights weights = shaken_network(encoding, test::small_net(se_ratio));
  const auto gradient = weights.require_gradients();
  const ForwardMode mode{.training = true, .type = type};
  if (at_once) weights.begin_pass(type);
  const auto out = forward(weights, planes_tensor(train.planes, train.count, encoding), mode);
  EXPECT_EQ(out.policy_vectors.scalar_type(), at::kFloat);
  EXPECT_EQ(out.wdl_logits.scalar_type(), at::kFloat);
  StagedBatch staged(weights.description(), StagedShape::of(train), 0, at::Device(test::device()));
  staged.write(train);
  compute_losses(weights, {}, out, staged).total.backward();
  if (at_once) weights.gather_gradients(gradient);
  return gradient;
}
TEST(Training, RoundingAllParametersAtOnceGivesTheGradientsOfRoundingThemLayerByLayer) {
  const TrainBatch train = test::random_train_batch<ChessPosition>(32, 6);
  for (const int se_ratio : {0, 4})
    for (const auto type : {at::kFloat, at::kBFloat16}) {
      const auto layers = gradient_of_loss(train, se_ratio, type, false);
      const auto at_once = gradient_of_loss(train, se_ratio, type);
      EXPECT_GT(layers.norm().item<double>(), 0.01);
      if (test::on_cpu()) {
        EXPECT_TRUE(at::equal(layers, at_once)) << se_ratio << " " << type;
      } else {  // sums there are in any order
        EXPECT_LT((layers - at_once).norm().item<double>(), 0.01 * layers.norm().item<double>());
      }
    }
}
TEST(Training, GradientsInBf16AreCloseToThoseInFp32) {
  const TrainBatch train = test::random_train_batch<ChessPosition>(32, 6);
  for (const int se_ratio : {0, 4}) {
    const auto exact = gradient_of_loss(train, se_ratio, at::kFloat);
    const auto rounded = gradient_of_loss(train, se_ratio, at::kBFloat16);
    EXPECT_EQ(rounded.scalar_type(), at::kFloat);
    const double cosine = (exact * rounded).sum().item<double>() /
                          (exact.norm().item<double>() * rounded.norm().item<double>());
    // Processors with instructions for bf16 round less often: 0.98 and more there, 0.96 elsewhere.
    EXPECT_GT(cosine, 0.95) << "se_ratio " << se_ratio;
    EXPECT_LT(cosine, 1.0 - 1e-9);
  }
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

TEST(FlatTensors, HaveGapsThatNoValueIsIn) {
  FlatTensors places;
  EXPECT_EQ(places.append(3), 0);
  EXPECT_EQ(places.append(20), 16);
  EXPECT_EQ(places.append(2, /*adjacent=*/true), 36);
  EXPECT_EQ(places.append(1), 48);
  EXPECT_EQ(places.size(), 49);
  std::vector<float> values(26);
  std::iota(values.begin(), values.end(), 1.0F);
  const auto flat = at::full({49}, -1.0, at::device(at::Device(test::device())));
  places.set_values(values, flat);
  EXPECT_EQ(places.values(flat), values);
  EXPECT_EQ(flat.sum().item<double>(), 26 * 27 / 2);  // zeroes in between
  EXPECT_EQ(flat[36].item<float>(), 24);
  values.push_back(0);
  EXPECT_THROW(places.set_values(values, flat), std::invalid_argument);
  values.resize(25);
  EXPECT_THROW(places.set_values(values, flat), std::invalid_argument);
}

TEST(Network, TensorsAreAlignedForTheLibrariesOfDevices) {
  auto net = test::small_net(3);
  net.channels = 13;
  NetworkWeights weights(encoding_of<InfernoPosition>(), net, at::Device(test::device()));
  const auto aligned = [](const at::Tensor& t) {
    return reinterpret_cast<std::uintptr_t>(t.data_ptr()) % 64 == 0;
  };
  const auto& policy = weights.description().policy;
  const auto& value = weights.description().value;
  for (const auto& tensors : {weights.layout().parameters, weights.layout().statistics})
    for (const TensorSpec& t : tensors) {
      const bool second = t.name == policy.key.weight.name || t.name == policy.key.bias.name ||
                          t.name == value.moves_left.weight.name ||
                          t.name == value.moves_left.bias.name;
      EXPECT_TRUE(second || aligned(weights[t])) << t.name;
      EXPECT_EQ(t.role == TensorRole::Weight, weights[t].is_alias_of(weights.parameters()) &&
                                                  weights[t].storage_offset() < weights.decaying())
          << t.name;
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
