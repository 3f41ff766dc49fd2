// Evaluators with backends: invalid batches are refused, networks can be swapped at run time,
// results do not depend on the rest of the batch, answered positions are left unchanged.
#include "model/inference/network_evaluator.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/model/inference/backend_checks.h"
#include "tests/model/inference/networks.h"

namespace faultline {
namespace {

using test::encoding_of;
using test::eval_batch;

std::shared_ptr<Backend> net(std::uint64_t seed) {
  return test::random_backend(encoding_of<ChessPosition>(), seed);
}

const ChessPosition::Variant& chess() {
  return ChessPosition::variant({"chess", {}});
}

TEST(NetworkEvaluator, RefusesANetworkOfAnotherEncoding) {
  const auto samples = test::random_positions<ChessPosition>(2, 2);
  NetworkEvaluator<ChessPosition> evaluator(chess(),
                                            test::random_backend(encoding_of<EscherPosition>(), 1));
  auto batch = eval_batch(samples);
  EXPECT_THROW(evaluator.submit(batch), std::invalid_argument);
}

TEST(CpuBackend, RefusesABatchThatDoesNotFit) {
  const auto backend = net(1);
  const auto batch = backend->make_batch();
  batch->resize(3, 6);
  std::ranges::fill(batch->planes(), 0.0F);
  std::ranges::fill(batch->moves(), PolicyIndex{0, 0, 0});
  std::ranges::copy(std::array{0U, 2U, 4U, 6U}, batch->first_move().begin());
  backend->submit(*batch);
  EXPECT_NEAR(batch->priors()[5], 0.5F, 1e-6);
  batch->first_move()[3] = 5;
  EXPECT_THROW(backend->submit(*batch), std::invalid_argument);
  std::ranges::copy(std::array{0U, 5U, 4U, 6U}, batch->first_move().begin());
  EXPECT_THROW(backend->submit(*batch), std::invalid_argument);
}

TEST(CpuBackend, ServesSeveralThreadsAtOnceInInt8) {
  const BackendOptions int8 = {.device = "cpu", .precision = Precision::Int8, .backend = "cpu"};
  if (!cpu_backends().find("cpu").attributes(int8))
    GTEST_SKIP() << "this processor has no AVX-512 with VNNI";
  const auto values = test::random_values(encoding_of<ChessPosition>(), test::net_of(2, 32), 1);
  test::expect_it_serves_threads(chess(), cpu_backends().create(values, int8));
}

TEST(CpuBackend, RefusesABatchOfAnotherNetwork) {
  const auto other = test::random_backend(encoding_of<EscherPosition>(), 1);
  EXPECT_THROW(net(1)->submit(*other->make_batch()), std::invalid_argument);
}

TEST(CpuBackend, EvaluatesAPositionTheSameInAnyBatch) {
  const auto samples = test::random_positions<ChessPosition>(33, 2);
  NetworkEvaluator<ChessPosition> evaluator(chess(), net(1));
  auto all = eval_batch(samples);
  evaluator.evaluate(all);
  EvalBatch<ChessPosition> single;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    single.clear();  // keeps its workspace: buffers are reused
    single.add(samples[i].position, samples[i].repetitions, samples[i].moves);
    evaluator.evaluate(single);
    EXPECT_NEAR(single.evaluation(0).win, all.evaluation(i).win, 1e-5);
    EXPECT_NEAR(single.evaluation(0).moves_left, all.evaluation(i).moves_left, 1e-3);
    ASSERT_EQ(single.priors(0).size(), all.priors(i).size());
    for (std::size_t m = 0; m < samples[i].moves.size(); ++m)
      EXPECT_NEAR(single.priors(0)[m], all.priors(i)[m], 1e-5);
  }
}

TEST(NetworkEvaluator, AcceptsAnEmptyBatch) {
  NetworkEvaluator<ChessPosition> evaluator(chess(), net(1));
  EvalBatch<ChessPosition> batch;
  evaluator.evaluate(batch);
  EXPECT_TRUE(batch.empty());
}

TEST(NetworkEvaluator, ABatchInFlightKeepsItsNetwork) {
  const auto samples = test::random_positions<ChessPosition>(5, 3);
  const auto first = net(1), second = net(2);
  NetworkEvaluator<ChessPosition> evaluator(chess(), first);
  auto expected = eval_batch(samples), batch = eval_batch(samples);
  evaluator.evaluate(expected);
  evaluator.submit(batch);
  evaluator.set_backend(second);
  evaluator.wait(batch);
  EXPECT_EQ(batch.evaluation(4).win, expected.evaluation(4).win);
  evaluator.evaluate(batch);
  EXPECT_NE(batch.evaluation(4).win, expected.evaluation(4).win);
}

TEST(NetworkEvaluator, SwapsNetworksWhileThreadsEvaluate) {
  const auto samples = test::random_positions<ChessPosition>(6, 4);
  std::vector<std::shared_ptr<Backend>> nets = {net(1), net(2)};
  std::vector<float> answers;  // each network's output for the last position
  for (const auto& n : nets) {
    NetworkEvaluator<ChessPosition> evaluator(chess(), n);
    auto batch = eval_batch(samples);
    evaluator.evaluate(batch);
    answers.push_back(batch.evaluation(5).win);
  }
  ASSERT_GT(std::abs(answers[0] - answers[1]), 1e-4);

  NetworkEvaluator<ChessPosition> evaluator(chess(), nets[0]);
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::array<std::atomic<int>, 2> seen{};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      auto batch = eval_batch(samples);
      while (!stop) {
        evaluator.evaluate(batch);
        const float win = batch.evaluation(5).win;
        const auto which = std::abs(win - answers[0]) < std::abs(win - answers[1]) ? 0U : 1U;
        ++seen[which];
        if (std::abs(win - answers[which]) > 1e-6) ++wrong;
      }
    });
  for (std::size_t swap = 1; seen[0] < 20 || seen[1] < 20 || swap < 50; ++swap) {
    evaluator.set_backend(nets[swap % 2]);
    std::this_thread::yield();
  }
  stop = true;
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

/// A backend that must not be called.
class Untouchable final : public Backend {
 public:
  const BackendAttributes& attributes() const override { return attributes_; }
  std::unique_ptr<BackendBatch> make_batch() const override { throw std::logic_error("asked"); }
  void submit(BackendBatch&) override { throw std::logic_error("asked"); }
  void wait(BackendBatch&) override { throw std::logic_error("asked"); }
  std::string describe() const override { return "untouchable"; }

 private:
  BackendAttributes attributes_;
};

TEST(NetworkEvaluator, CallsNoBackendWithoutPositions) {
  const auto samples = test::random_positions<ChessPosition>(1, 5);
  NetworkEvaluator<ChessPosition> evaluator(chess(), std::make_shared<Untouchable>());
  EvalBatch<ChessPosition> batch;
  evaluator.evaluate(batch);
  batch.add(samples[0].position, 0, samples[0].moves);
  EXPECT_THROW(evaluator.evaluate(batch), std::logic_error);
}

}  // namespace
}  // namespace faultline
