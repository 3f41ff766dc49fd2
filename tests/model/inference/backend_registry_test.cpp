// The registry: backends by name, and which one is chosen for a user's options.
#include "model/inference/backend_registry.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "model/inference/cpu_backend.h"
#include "tests/model/inference/networks.h"

namespace faultline {
namespace {

/// Claims to run "gpu" and "auto".
BackendInfo imaginary_gpu() {
  return {.name = "turbo",
          .help = "imaginary: device gpu",
          .attributes = [](const BackendOptions& options) -> std::optional<BackendAttributes> {
            if (options.device != "gpu" && options.device != "auto") return std::nullopt;
            return BackendAttributes{.name = "turbo", .device = "gpu", .runs_on_cpu = false};
          },
          .create = [](const FoldedNetwork& network,
                       const BackendOptions&) { return make_cpu_backend(network); }};
}

std::string refusal(const BackendRegistry& registry, const BackendOptions& options) {
  try {
    registry.attributes(options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BackendRegistry, ReportsAttributesBeforeCreatingABackend) {
  const BackendAttributes attributes = cpu_backends().attributes({.backend = "cpu"});
  EXPECT_EQ(attributes.name, "cpu");
  EXPECT_EQ(attributes.device, "cpu");
  EXPECT_TRUE(attributes.runs_on_cpu);
  EXPECT_FALSE(attributes.asynchronous());
  const auto backend = cpu_backends().create(
      test::random_values(test::encoding_of<ChessPosition>(), test::small_net(), 1),
      {.backend = "cpu"});
  EXPECT_EQ(backend->attributes().name, "cpu");
  EXPECT_EQ(backend->attributes().best_batch, attributes.best_batch);
}

/// "cpu" alone.
const BackendRegistry& one_backend() {
  static const BackendRegistry registry = [] {
    BackendRegistry one;
    register_cpu_backend(one);
    return one;
  }();
  return registry;
}

TEST(BackendRegistry, NamesTheNearestBackend) {
  EXPECT_EQ(cpu_backends().find("cpu").name, "cpu");
  EXPECT_EQ(refusal(one_backend(), {.backend = "cpuu"}),
            "unknown backend 'cpuu'; did you mean 'cpu'?; this program has cpu");
}

TEST(BackendRegistry, ListsTheBackendsForAnUnsupportedDevice) {
  EXPECT_EQ(refusal(one_backend(), {.device = "cuda"}),
            "no backend of this program runs on device 'cuda' in fp32; it has cpu (kernels of this "
            "program: device cpu; precisions fp32, int8 (with AVX512_VNNI))");
  EXPECT_NE(refusal(one_backend(), {.precision = Precision::Bf16}).find("in bf16"),
            std::string::npos);
  EXPECT_NE(refusal(cpu_backends(), {.device = "cuda", .backend = "cpu"}).find("does not run on"),
            std::string::npos);
  EXPECT_NE(
      refusal(cpu_backends(), {.precision = Precision::Bf16, .backend = "cpu"}).find("in bf16"),
      std::string::npos);
}

TEST(BackendRegistry, PrefersAFasterDeviceThanTheCpuForAuto) {
  BackendRegistry registry = one_backend();
  registry.add(imaginary_gpu());
  EXPECT_EQ(registry.attributes({}).name, "turbo");
  EXPECT_EQ(registry.attributes({.device = "cpu"}).name, "cpu");
  EXPECT_EQ(registry.attributes({.device = "auto", .backend = "cpu"}).name, "cpu");
  EXPECT_THROW(registry.add(imaginary_gpu()), std::invalid_argument);
}

TEST(BackendRegistry, PrefersOneDnnToOurKernels) {
  const auto& all = cpu_backends().all();
  if (std::ranges::count(all, "onednn", &BackendInfo::name) == 0)
    GTEST_SKIP() << "built without oneDNN";
  EXPECT_EQ(cpu_backends().attributes({}).name, "onednn");
  EXPECT_EQ(cpu_backends().attributes({.precision = Precision::Int8}).precision, Precision::Int8);
}

}  // namespace
}  // namespace faultline
