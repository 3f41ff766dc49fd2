// How far the answers of two backends are apart, and what is true of every backend on the CPU.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "model/inference/backend_registry.h"
#include "model/inference/network_evaluator.h"
#include "tests/effort.h"
#include "tests/families.h"
#include "tests/model/inference/networks.h"

namespace faultline::test {

inline NetConfig net_of(int blocks, int channels, int se_ratio = 0) {
  NetConfig net = small_net(se_ratio);
  net.blocks = blocks;
  net.channels = channels;
  return net;
}

/// How far two evaluations of the same positions are apart.
struct Distance {
  double policy = 0, wdl = 0, moves_left = 0;
};

template <Position P>
Distance distance(const EvalBatch<P>& a, const EvalBatch<P>& b) {
  const auto further = [](double& so_far, float x, float y) {
    so_far = std::max(so_far, std::abs(static_cast<double>(x) - static_cast<double>(y)));
  };
  Distance found;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Evaluation x = a.evaluation(i), y = b.evaluation(i);
    further(found.wdl, x.win, y.win);
    further(found.wdl, x.draw, y.draw);
    further(found.wdl, x.loss, y.loss);
    further(found.moves_left, x.moves_left, y.moves_left);
    for (std::size_t m = 0; m < a.priors(i).size(); ++m)
      further(found.policy, a.priors(i)[m], b.priors(i)[m]);
  }
  return found;
}

/// The differences between a backend's answers and those of our own kernels in fp32.
template <Position P>
Distance distance_from_the_kernels(const NetworkValues& values, const BackendOptions& options,
                                   std::size_t positions = effort(21)) {
  const auto samples = random_positions<P>(positions, 5);
  const auto& variant = P::variant({P::info().name, {}});
  auto expected = eval_batch(samples), given = eval_batch(samples);
  NetworkEvaluator<P>(variant, cpu_backends().create(values, {.backend = "cpu"}))
      .evaluate(expected);
  NetworkEvaluator<P>(variant, cpu_backends().create(values, options)).evaluate(given);
  return distance(expected, given);
}

/// The differences between the answers of two networks.
template <Position P>
Distance distance_of_networks(const NetworkValues& a, const NetworkValues& b) {
  const auto samples = random_positions<P>(effort(21), 5);
  const auto& variant = P::variant({P::info().name, {}});
  auto first = eval_batch(samples), second = eval_batch(samples);
  NetworkEvaluator<P>(variant, cpu_backends().create(a, {.backend = "cpu"})).evaluate(first);
  NetworkEvaluator<P>(variant, cpu_backends().create(b, {.backend = "cpu"})).evaluate(second);
  return distance(first, second);
}

/// Positions in one batch get the same bits as in batches of their own, which have other memory.
template <Position P>
void expect_equal_bits_alone(const typename P::Variant& variant,
                             const std::shared_ptr<Backend>& backend,
                             const std::vector<Sample<P>>& samples) {
  NetworkEvaluator<P> evaluator(variant, backend);
  auto batch = eval_batch(samples);
  evaluator.evaluate(batch);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    auto single = eval_batch(std::span(&samples[i], 1));
    evaluator.evaluate(single);
    ASSERT_EQ(batch.evaluation(i).win, single.evaluation(0).win) << i;
    ASSERT_EQ(batch.evaluation(i).moves_left, single.evaluation(0).moves_left) << i;
    ASSERT_EQ(copied(batch.priors(i)), copied(single.priors(0))) << i;
  }
}

/// Several threads with batches of several sizes get what one alone gets.
inline void expect_it_serves_threads(const ChessPosition::Variant& variant,
                                     const std::shared_ptr<Backend>& backend) {
  constexpr std::size_t kThreads = 4, kRounds = 15;
  const auto samples = random_positions<ChessPosition>(30, 4);
  NetworkEvaluator<ChessPosition> evaluator(variant, backend);
  std::vector<EvalBatch<ChessPosition>> expected;  // of all samples but the first i
  for (std::size_t i = 0; i < kThreads + kRounds; ++i) {
    expected.push_back(eval_batch(std::span(samples).subspan(i)));
    evaluator.evaluate(expected.back());
  }
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t round = 0; round < kRounds; ++round) {
        const std::size_t first = t + round;
        auto batch = eval_batch(std::span(samples).subspan(first));
        evaluator.evaluate(batch);
        for (std::size_t i = 0; i < batch.size(); ++i)
          if (batch.evaluation(i).win != expected[first].evaluation(i).win ||
              !std::ranges::equal(batch.priors(i), expected[first].priors(i)))
            ++wrong;
      }
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace faultline::test
