// Backends behind evaluators: bad batches are refused, nets are exchanged under way, batches do not
// depend on their neighbours.
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "model/inference/network_evaluator.h"
#include "model/torch_compat.h"
#include "tests/model/inference/batches.h"

namespace faultline {
namespace {

using test::encoding_of;

std::shared_ptr<Backend> net(std::uint64_t seed) {
  return Trainer(encoding_of<ChessPosition>(), test::small_net(), {}, "cpu", seed)
      .inference_backend();
}

EvalBatch<ChessPosition> eval_batch(const std::vector<test::Sample<ChessPosition>>& samples) {
  EvalBatch<ChessPosition> batch;
  for (const auto& s : samples)
    batch.add(s.position, s.repetitions, s.moves);
  return batch;
}

TEST(Backend, RefusesABatchThatDoesNotFit) {
  const auto backend = net(1);
  BackendBatch batch = test::as_backend_batch(test::random_train_batch<ChessPosition>(3, 1));
  batch.planes.pop_back();
  EXPECT_THROW(backend->submit(batch), std::invalid_argument);
  batch = test::as_backend_batch(test::random_train_batch<ChessPosition>(3, 1));
  batch.first_move.pop_back();
  EXPECT_THROW(backend->submit(batch), std::invalid_argument);
}

TEST(Backend, JudgesAPositionTheSameInAnyBatch) {
  const auto samples = test::random_positions<ChessPosition>(33, 2);
  const auto& variant = ChessPosition::variant({"chess", {}});
  NetworkEvaluator<ChessPosition> evaluator(variant, net(1));
  auto all = eval_batch(samples);
  evaluator.evaluate(all);
  EvalBatch<ChessPosition> single;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    single.clear();  // keeps its workspace: buffers are used again
    single.add(samples[i].position, samples[i].repetitions, samples[i].moves);
    evaluator.evaluate(single);
    EXPECT_NEAR(single.evaluation(0).win, all.evaluation(i).win, 1e-5);
    EXPECT_NEAR(single.evaluation(0).moves_left, all.evaluation(i).moves_left, 1e-3);
    ASSERT_EQ(single.priors(0).size(), all.priors(i).size());
    for (std::size_t m = 0; m < samples[i].moves.size(); ++m)
      EXPECT_NEAR(single.priors(0)[m], all.priors(i)[m], 1e-5);
  }
}

TEST(NetworkEvaluator, BearsAnEmptyBatch) {
  NetworkEvaluator<ChessPosition> evaluator(ChessPosition::variant({"chess", {}}), net(1));
  EvalBatch<ChessPosition> batch;
  evaluator.evaluate(batch);
  EXPECT_TRUE(batch.empty());
}

TEST(NetworkEvaluator, ABatchInFlightKeepsItsNet) {
  const auto samples = test::random_positions<ChessPosition>(5, 3);
  const auto first = net(1), second = net(2);
  NetworkEvaluator<ChessPosition> evaluator(ChessPosition::variant({"chess", {}}), first);
  auto expected = eval_batch(samples), batch = eval_batch(samples);
  evaluator.evaluate(expected);
  evaluator.submit(batch);
  evaluator.set_backend(second);
  evaluator.wait(batch);
  EXPECT_EQ(batch.evaluation(4).win, expected.evaluation(4).win);
  evaluator.evaluate(batch);
  EXPECT_NE(batch.evaluation(4).win, expected.evaluation(4).win);
}

TEST(NetworkEvaluator, ExchangesNetsWhileThreadsEvaluate) {
  const auto samples = test::random_positions<ChessPosition>(6, 4);
  const auto& variant = ChessPosition::variant({"chess", {}});
  std::vector<std::shared_ptr<Backend>> nets = {net(1), net(2)};
  std::vector<float> answers;  // what each net says of the last position
  for (const auto& n : nets) {
    NetworkEvaluator<ChessPosition> evaluator(variant, n);
    auto batch = eval_batch(samples);
    evaluator.evaluate(batch);
    answers.push_back(batch.evaluation(5).win);
  }
  ASSERT_GT(std::abs(answers[0] - answers[1]), 1e-4);

  NetworkEvaluator<ChessPosition> evaluator(variant, nets[0]);
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

TEST(Devices, AreNamedAndRefused) {
  EXPECT_EQ(resolve_device("cpu"), "cpu");
  EXPECT_FALSE(resolve_device("auto").empty());
  EXPECT_THROW(resolve_device("gpu"), std::invalid_argument);
  EXPECT_THROW(resolve_device("cuda:99"), std::invalid_argument);
  EXPECT_THROW(resolve_device("cuda:x"), std::invalid_argument);
  EXPECT_NE(torch_description().find("LibTorch"), std::string::npos);
}

}  // namespace
}  // namespace faultline
