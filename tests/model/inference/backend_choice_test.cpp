// What "auto" stands for on processors that tests make up.
#include "model/inference/backend_choice.h"

#include <array>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/model/inference/fake_backends.h"

namespace faultline {
namespace {

using test::fake_backend;
using test::fake_registry;
using test::FakeBackend;
using test::kBf16;
using test::kFp32;
using test::kInt8;

class BackendChoice : public testing::Test {
 protected:
  std::string chosen(const DeviceOptions& options, const ProcessorFeatures& processor,
                     std::span<const Precision> allowed = kSelfPlayPrecisions, int channels = 32) {
    return describe(choose_inference(registry_, options,
                                     {.precisions = allowed, .channels = channels}, processor));
  }
  std::string refusal(const DeviceOptions& options) {
    try {
      choose_inference(registry_, options, {}, {});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  }

  // Not in the order of preference.
  BackendRegistry registry_ =
      fake_registry({FakeBackend{.name = "cpu", .precisions = {kFp32, kInt8}},
                     FakeBackend{.name = "onednn", .precisions = {kFp32, kBf16, kInt8}}});
  const ProcessorFeatures plain_{.vendor = "GenuineIntel", .avx2 = true};
  const ProcessorFeatures vnni_{.vendor = "GenuineIntel", .avx512 = true, .avx512_vnni = true};
  const ProcessorFeatures zen_{
      .vendor = "AuthenticAMD", .avx512 = true, .avx512_vnni = true, .avx512_bf16 = true};
};

TEST_F(BackendChoice, TakesThePrecisionsThatTheProcessorComputesNatively) {
  EXPECT_EQ(chosen({}, plain_), "onednn fp32, batch 24");
  EXPECT_EQ(chosen({}, vnni_), "cpu int8, batch 24");
  EXPECT_EQ(chosen({}, vnni_, kPlayPrecisions), "cpu int8, batch 24");
  EXPECT_EQ(chosen({}, zen_, kPlayPrecisions), "cpu int8, batch 24");
  EXPECT_EQ(chosen({}, {.vendor = "GenuineIntel", .avx_vnni = true}), "onednn int8, batch 24");
  ProcessorFeatures matrix_units = vnni_;
  matrix_units.amx_int8 = true;
  EXPECT_EQ(chosen({}, matrix_units), "onednn int8, batch 24");
  EXPECT_EQ(chosen({}, {.vendor = "GenuineIntel", .amx_bf16 = true}), "onednn bf16, batch 24");
}

TEST_F(BackendChoice, TakesOnlyWhatThePolicyAllows) {
  constexpr std::array kFloats = {kFp32, kBf16};
  EXPECT_EQ(chosen({}, zen_, kFloats), "onednn bf16, batch 24");
  EXPECT_EQ(chosen({}, vnni_, kFloats), "onednn fp32, batch 24");
  EXPECT_EQ(chosen({}, zen_, kDeterministicPrecisions), "onednn fp32, batch 24");
}

TEST_F(BackendChoice, WhatIsNamedIsTaken) {
  EXPECT_EQ(chosen({.backend = "cpu"}, zen_), "cpu int8, batch 24");
  EXPECT_EQ(chosen({.backend = "cpu"}, plain_), "cpu fp32, batch 24");
  EXPECT_EQ(
      chosen({.backend = "onednn", .precision = PrecisionChoice::Int8}, plain_, kPlayPrecisions),
      "onednn int8, batch 24");
  EXPECT_EQ(chosen({.backend = "onednn"}, zen_), "onednn int8, batch 24");
  EXPECT_EQ(chosen({.backend = "cpu"}, zen_, kPlayPrecisions, 1024), "cpu int8, batch 24");
}

TEST_F(BackendChoice, WithoutTheFastestBackendTheNextOneIsTaken) {
  const BackendRegistry own = fake_registry({FakeBackend{.name = "cpu"}});
  EXPECT_EQ(describe(choose_inference(own, {}, {}, zen_)), "cpu fp32, batch 24");
}

TEST_F(BackendChoice, WideNetworksAreLeftToOneDnn) {
  EXPECT_EQ(chosen({}, zen_, kPlayPrecisions, kWidestOwn), "cpu int8, batch 24");
  EXPECT_EQ(chosen({}, zen_, kPlayPrecisions, kWidestOwn + 1), "onednn int8, batch 24");
}

TEST_F(BackendChoice, ABatchIsNoLargerThanTheCallerCanFill) {
  const auto batch = [&](std::size_t largest) {
    return choose_inference(registry_, {}, {.largest_batch = largest}, zen_).batch;
  };
  EXPECT_EQ(batch(100), 24U);
  EXPECT_EQ(batch(3), 3U);
  registry_.add(fake_backend({.name = "gpu", .device = "cuda:0", .asynchronous = true}));
  EXPECT_EQ(batch(2000), 512U);
  EXPECT_EQ(batch(301), 150U) << "two are in flight";
  EXPECT_EQ(batch(1), 1U);
}

TEST_F(BackendChoice, ADeviceOtherThanTheCpuIsPreferredInThePolicysFirstPrecision) {
  registry_.add(fake_backend({.name = "gpu", .precisions = {kBf16, kFp32}, .device = "cuda:0"}));
  EXPECT_EQ(chosen({}, zen_, kPlayPrecisions), "gpu fp32 on cuda:0, batch 512");
  EXPECT_EQ(chosen({}, zen_, kSelfPlayPrecisions), "gpu bf16 on cuda:0, batch 512");
  EXPECT_EQ(chosen({.precision = PrecisionChoice::Bf16}, zen_, kPlayPrecisions),
            "gpu bf16 on cuda:0, batch 512");
  EXPECT_EQ(chosen({.device = "cpu"}, zen_, kPlayPrecisions), "cpu int8, batch 24");
}

TEST_F(BackendChoice, RefusesWhatNothingSupportsAndSaysWhatThereIs) {
  EXPECT_EQ(refusal({.backend = "onednm"}),
            "unknown backend 'onednm'; did you mean 'onednn'?; this program has cpu, onednn");
  EXPECT_EQ(refusal({.backend = "cpu", .precision = PrecisionChoice::Bf16}),
            "backend 'cpu' does not run on device 'auto' in bf16 (a fake)");
  EXPECT_NE(refusal({.device = "cuda"}).find("no backend of this program runs on device 'cuda'"),
            std::string::npos);
}

TEST_F(BackendChoice, TheOptionsOfAChoiceSelectIt) {
  const InferenceChoice choice = choose_inference(registry_, {}, {}, zen_);
  const BackendAttributes attributes = registry_.attributes(backend_options(choice));
  EXPECT_EQ(attributes.name, "cpu");
  EXPECT_EQ(attributes.precision, kInt8);
}

}  // namespace
}  // namespace faultline
