// The LibTorch backend: batches, attributes, devices.
#include "model/inference/libtorch_backend.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "model/torch_compat.h"
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
  EXPECT_FALSE(half.asynchronous);
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

}  // namespace
}  // namespace faultline
