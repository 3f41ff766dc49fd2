// The LibTorch backend: batches, attributes, devices.
#include "model/inference/libtorch_backend.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "model/inference/batch_service.h"
#include "model/inference/libtorch_layers.h"
#include "model/inference/network_evaluator.h"
#include "model/inference/stream_recorder.h"
#include "model/torch_compat.h"
#include "tests/model/inference/backend_checks.h"
#include "tests/model/inference/shared_levels.h"
#include "tests/model/test_device.h"
#include "tests/model/training/batches.h"

namespace faultline {
namespace {

using test::encoding_of;

std::shared_ptr<Backend> net(const std::string& backend) {
  return all_backends().create(
      test::random_values(encoding_of<ChessPosition>(), test::small_net(), 1),
      {.device = backend == "cpu" ? "cpu" : test::device(),
       .precision = Precision::Fp32,
       .backend = backend});
}

float greatest_difference(std::span<const float> a, std::span<const float> b) {
  EXPECT_EQ(a.size(), b.size());
  float greatest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    greatest = std::max(greatest, std::abs(a[i] - b[i]));
  return greatest;
}

TEST(LibTorchBackend, RefusesABatchThatDoesNotFit) {
  const auto backend = net("libtorch");
  const auto train = test::random_train_batch<ChessPosition>(3, 1);
  const auto batch = test::answered_batch(*backend, train);
  batch->first_move()[3] -= 1;
  EXPECT_THROW(backend->submit(*batch), std::invalid_argument);
  batch->first_move()[3] += 1;
  batch->first_move()[1] = batch->first_move()[2] + 1;
  EXPECT_THROW(backend->submit(*batch), std::invalid_argument);
}

TEST(LibTorchBackend, TwoBatchesInFlightDoNotMix) {
  const auto backend = net("libtorch");
  const auto positions = test::random_train_batch<ChessPosition>(40, 1);
  const auto others = test::random_train_batch<ChessPosition>(17, 2);
  const auto alone = test::answered_batch(*backend, positions);
  const auto first = test::as_backend_batch(*backend, positions);
  const auto second = test::as_backend_batch(*backend, others);
  for (int i = 0; i < 5; ++i) {
    backend->submit(*first);
    backend->submit(*second);
    backend->wait(*first);
    backend->wait(*second);
  }
  test::expect_same_outputs(first->wdl(), alone->wdl(), 1e-5F);
  test::expect_same_outputs(first->priors(), alone->priors(), 1e-5F);
  const auto second_alone = test::answered_batch(*backend, others);
  test::expect_same_outputs(second->priors(), second_alone->priors(), 1e-5F);
}

/// An environment variable, until the end of the test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  ~Variable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// Batches in which the same shapes come again, with other positions, moves and levels.
void expect_answers_as_the_kernels(Precision precision, float tolerance) {
  const auto encoding = encoding_of<InfernoPosition>();
  for (const bool share_levels : {true, false})
    for (const std::uint64_t weights : {1, 2}) {
      SCOPED_TRACE(share_levels);
      auto config = test::small_net();
      config.share_levels = share_levels;
      config.se_ratio = weights == 1 ? 4 : 0;
      const auto values = test::random_values(encoding, config, weights);
      const auto kernels = all_backends().create(values, {.backend = "cpu"});
      const auto backend = all_backends().create(
          values, {.device = test::device(), .precision = precision, .backend = "libtorch"});
      const auto batch = backend->make_batch();
      for (std::uint64_t round = 0; round < 12; ++round) {
        auto samples = test::with_every_number_of_levels(round);
        samples.resize(samples.size() - round % 2);
        const auto positions = test::train_batch_of(samples, round);
        const auto expected = test::answered_batch(*kernels, positions);
        test::copy_positions(positions, *batch);
        backend->submit(*batch);
        backend->wait(*batch);
        EXPECT_LE(greatest_difference(batch->wdl(), expected->wdl()), tolerance) << round;
        EXPECT_LE(greatest_difference(batch->priors(), expected->priors()), tolerance) << round;
      }
    }
}

TEST(LibTorchBackend, FusesNoConvolutionsWhereCudnnIsNot) {
  const auto weight = at::ones({4, 4, 3, 3}), bias = at::ones({4});
  EXPECT_FALSE(FusedConvolutions::has(weight, bias, 8, 8));
}

TEST(LibTorchBackend, PaddingChangesNoAnswer) {
  const Variable padded("FAULTLINE_GPU_OPERATIONS", "recorded");  // which pads on a CPU, too
  expect_answers_as_the_kernels(Precision::Fp32, 1e-5F);
}

TEST(LibTorchBackend, OwnKernelsAnswerAsOthers) {
  const Variable kernels("FAULTLINE_GPU_OPERATIONS", "kernels");  // as loops on a CPU
  const auto encoding = encoding_of<InfernoPosition>();
  EXPECT_NE(
      all_backends()
          .create(test::random_values(encoding, test::small_net(), 1),
                  {.device = test::device(), .precision = Precision::Bf16, .backend = "libtorch"})
          ->describe()
          .find("own kernels"),
      std::string::npos);
  expect_answers_as_the_kernels(Precision::Bf16, 0.05F);
}

TEST(LibTorchBackend, RecordedBatchesAnswerAsOthers) {
  if (test::device() == "cpu" || !has_stream_recording())
    GTEST_SKIP() << "batches are recorded on a GPU, by programs built with CUDA's headers";
  const Variable recorded("FAULTLINE_GPU_OPERATIONS", "recorded");
  const std::uint64_t before = replay_count();
  expect_answers_as_the_kernels(Precision::Fp32, 1e-5F);
  EXPECT_GT(replay_count(), before);
  expect_answers_as_the_kernels(Precision::Bf16, 0.05F);
  EXPECT_FALSE(recording_stopped());
}

TEST(LibTorchBackend, RecordsOnSeveralThreadsWhileNetworksAreReplaced) {
  if (test::device() == "cpu" || !has_stream_recording())
    GTEST_SKIP() << "batches are recorded on a GPU, by programs built with CUDA's headers";
  const auto positions = test::random_train_batch<ChessPosition>(16, 1);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int network = 0; network < 8; ++network) {
        const auto backend = net("libtorch");
        const auto expected = test::answered_batch(*backend, positions);
        const auto batch = backend->make_batch();
        for (int round = 0; round < 8; ++round) {
          test::copy_positions(positions, *batch);
          backend->submit(*batch);
          backend->wait(*batch);
          EXPECT_LE(greatest_difference(batch->priors(), expected->priors()), 1e-5F);
        }
      }
    });
  threads.clear();
  EXPECT_FALSE(recording_stopped());
}

TEST(LibTorchBackend, RefusesOtherWaysOfSubmitting) {
  const Variable wrong("FAULTLINE_GPU_OPERATIONS", "quickly");
  EXPECT_THROW(
      all_backends().create(test::random_values(encoding_of<ChessPosition>(), test::small_net(), 1),
                            {.device = test::device(), .backend = "libtorch"}),
      std::invalid_argument);
}

TEST(LibTorchBackend, ReplacesItsNetworkInPlace) {
  const auto encoding = encoding_of<ChessPosition>();
  const auto positions = test::random_train_batch<ChessPosition>(5, 1);
  NetConfig config = test::small_net();
  config.se_ratio = 4;
  const FoldedNetwork first = fold(test::random_values(encoding, config, 1)),
                      second = fold(test::random_values(encoding, config, 2));
  for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
    const Variable kernels("FAULTLINE_GPU_OPERATIONS", "kernels");
    const auto make = [&](const FoldedNetwork& network) {
      return make_libtorch_backend(network, test::device(), precision);
    };
    const auto changed = make(first), other = make(second);
    const auto expected = test::answered_batch(*other, positions);
    const auto batch = test::as_backend_batch(*changed, positions);
    const auto difference = [&](Backend& backend, BackendBatch& answers) {
      backend.submit(answers);
      backend.wait(answers);
      return greatest_difference(answers.priors(), expected->priors()) +
             greatest_difference(answers.wdl(), expected->wdl());
    };
    EXPECT_GT(difference(*changed, *batch), 0.01F);
    EXPECT_TRUE(changed->replace(second, {}));
    EXPECT_EQ(difference(*changed, *batch), 0.0F);
    config.channels += 8;
    EXPECT_FALSE(changed->replace(fold(test::random_values(encoding, config, 2)), {}));
    config.channels -= 8;
    // Through a service: twice, since it has two backends.
    BatchService service({make}, first, {.steps = 1});
    service.replace(first, {.steps = 2});
    const auto part = test::as_backend_batch(service, positions);
    EXPECT_GT(difference(service, *part), 0.01F);
    service.replace(second, {.steps = 3});
    test::copy_positions(positions, *part);
    EXPECT_EQ(difference(service, *part), 0.0F);
    EXPECT_EQ(part->network(), (NetworkIdentity{.steps = 3}));
  }
}

TEST(LibTorchBackend, RefusesABatchOfAnotherNetwork) {
  const auto first = net("libtorch"), second = net("libtorch");
  EXPECT_THROW(second->submit(*first->make_batch()), std::invalid_argument);
}

TEST(LibTorchBackend, ComputesTheLevelsThatThereAreAsTheKernelsDo) {
  const auto samples = test::with_every_number_of_levels(5);
  for (const int se_ratio : {0, 4}) {
    auto net = test::shared_levels_net();
    net.se_ratio = se_ratio;
    const auto values = test::random_values(encoding_of<InfernoPosition>(), net, 3);
    const auto answers = [&](const BackendOptions& options) {
      auto batch = test::eval_batch(samples);
      NetworkEvaluator<InfernoPosition>(InfernoVariant{5}, all_backends().create(values, options))
          .evaluate(batch);
      return batch;
    };
    const test::Distance d = test::distance(
        answers({.backend = "cpu"}), answers({.device = test::device(), .backend = "libtorch"}));
    EXPECT_LE(d.policy, 1e-5) << se_ratio;
    EXPECT_LE(d.wdl, 1e-5) << se_ratio;
    EXPECT_LE(d.moves_left, 1e-3) << se_ratio;
  }
}

TEST(LibTorchBackend, RefusesAMoveOnALevelThatHasVanished) {
  const auto backend = all_backends().create(
      test::random_values(encoding_of<InfernoPosition>(), test::shared_levels_net(), 3),
      {.device = test::device(), .backend = "libtorch"});
  const auto one_level = test::with_levels_left(InfernoVariant{5}, 1, 5);
  const auto batch = backend->make_batch();
  batch->resize(1, 1);
  Encoder<InfernoPosition>::encode(one_level[0].position, 0, batch->planes());
  batch->first_move()[1] = 1;
  const auto submit_move_on = [&](std::int32_t cell) {
    batch->moves()[0] = {.from = cell, .to = cell, .kind = 0};
    backend->submit(*batch);
    backend->wait(*batch);
  };
  EXPECT_NO_THROW(submit_move_on(0));
  EXPECT_THROW(submit_move_on(1), std::invalid_argument);  // levels are innermost
}

TEST(LibTorchBackend, RefusesABatchOfAnotherBackend) {
  const auto kernels = net("cpu"), libtorch = net("libtorch");
  EXPECT_THROW(kernels->submit(*libtorch->make_batch()), std::invalid_argument);
  EXPECT_THROW(libtorch->submit(*kernels->make_batch()), std::invalid_argument);
}

TEST(LibTorchBackend, SupportsEveryDeviceAndBf16ButIsNotPreferredOnACpu) {
  const auto backend_for = [](const std::string& device, Precision precision,
                              const std::string& backend = "") {
    return all_backends().attributes(
        {.device = device, .precision = precision, .backend = backend});
  };
  EXPECT_NE(backend_for("cpu", Precision::Fp32).name, "libtorch");
  const BackendAttributes half = backend_for("cpu", Precision::Bf16, "libtorch");
  EXPECT_EQ(half.name, "libtorch");
  EXPECT_EQ(half.precision, Precision::Bf16);
  EXPECT_TRUE(half.runs_on_cpu);
  EXPECT_FALSE(half.asynchronous());
  EXPECT_EQ(net("libtorch")->attributes().name, "libtorch");
  EXPECT_THROW(backend_for("cuda:99", Precision::Fp32), std::invalid_argument);
}

TEST(Devices, AreNamedAndRefused) {
  EXPECT_EQ(resolve_device("cpu"), "cpu");
  EXPECT_FALSE(resolve_device("auto").empty());
  EXPECT_THROW(resolve_device("gpu"), std::invalid_argument);
  EXPECT_THROW(resolve_device("cuda:99"), std::invalid_argument);
  EXPECT_THROW(resolve_device("cuda:x"), std::invalid_argument);
  EXPECT_NE(torch_description().find("LibTorch"), std::string::npos);
}

TEST(LibTorch, DoesNotReplaceTheStandardLibrary) {
  // Some LibTorch wheels export pieces of an older std::filesystem (LibTorch.cmake).
  using RemoveAll = std::uintmax_t (*)(const std::filesystem::path&);
  const RemoveAll remove_all = std::filesystem::remove_all;
  Dl_info where{};
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(remove_all), &where), 0);
  const std::string file = where.dli_fname;
  EXPECT_EQ(file.find("libtorch"), std::string::npos) << file;
  EXPECT_EQ(file.find("libc10"), std::string::npos) << file;
}

}  // namespace
}  // namespace faultline
