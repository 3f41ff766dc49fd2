// What a run's games are evaluated with: by the configuration and the processor, with a record of
// what has changed.
#include "selfplay/run_inference.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/model/inference/fake_backends.h"

namespace faultline {
namespace {

using test::fake_registry;
using test::FakeBackend;
using test::kBf16;
using test::kFp32;
using test::kInt8;

const ProcessorFeatures kZen{
    .vendor = "AuthenticAMD", .avx512 = true, .avx512_vnni = true, .avx512_bf16 = true};
const ProcessorFeatures kOther{.vendor = "GenuineIntel", .avx2 = true};

class RunInferenceTest : public testing::Test {
 protected:
  RunInferenceTest() {
    machine({{.name = "cpu", .precisions = {kFp32, kInt8}},
             {.name = "onednn", .precisions = {kFp32, kBf16, kInt8}}});
  }
  void machine(const std::vector<FakeBackend>& kinds) { registry_ = fake_registry(kinds); }
  /// One session: settles, and stores what it added as RunPersistence does.
  std::string session(const std::vector<std::string>& settings = {}) {
    Config config = config_;
    for (const std::string& setting : settings)
      set_option(config, setting);
    const SettledInference settled = settle_inference(config, state_, registry_, processor_);
    if (settled.added) state_.inference.push_back(*settled.added);
    messages_ = settled.messages;
    return describe(settled.choice);
  }

  BackendRegistry registry_;
  ProcessorFeatures processor_ = kZen;
  Config config_;
  RunState state_;
  std::vector<std::string> messages_;
};

TEST_F(RunInferenceTest, FollowsFromTheProcessorAndIsStored) {
  EXPECT_EQ(session(), "cpu int8, batch 24");
  EXPECT_EQ(messages_,
            std::vector<std::string>{"Inference: cpu int8, batch 24 (by the processor)"});
  ASSERT_EQ(state_.inference.size(), 1U);
  EXPECT_EQ(state_.inference[0].processor, describe(kZen));
  EXPECT_EQ(session(), "cpu int8, batch 24");
  EXPECT_EQ(state_.inference.size(), 1U) << "the same again is no change";
}

TEST_F(RunInferenceTest, DependsOnTheNetworksWidth) {
  EXPECT_EQ(session({"net.channels=1024"}), "onednn int8, batch 24");
}

TEST_F(RunInferenceTest, ABatchIsNoLargerThanAThreadsGamesCanFill) {
  EXPECT_EQ(session({"selfplay.games_per_thread=5"}), "cpu int8, batch 5");
  EXPECT_EQ(session({"selfplay.games_per_thread=5", "search.leaves_per_tree=2"}),
            "cpu int8, batch 10");
}

TEST_F(RunInferenceTest, WhatIsNamedIsTaken) {
  EXPECT_EQ(session({"device.backend=cpu", "device.precision=fp32", "selfplay.batch=48"}),
            "cpu fp32, batch 48");
  EXPECT_EQ(messages_, std::vector<std::string>{"Inference: cpu fp32, batch 48 (as configured)"});
  EXPECT_THROW(session({"device.backend=cpu", "device.precision=bf16"}), std::invalid_argument);
}

TEST_F(RunInferenceTest, AChangeIsToldAndRecorded) {
  session();
  state_.steps = 500;
  EXPECT_EQ(session({"device.precision=bf16"}), "onednn bf16, batch 24");
  EXPECT_EQ(messages_,
            (std::vector<std::string>{
                "Inference: onednn bf16, batch 24 (as configured, the rest by the processor)",
                "The run was computed by cpu int8, batch 24 up to here"}));
  ASSERT_EQ(state_.inference.size(), 2U);
  EXPECT_EQ(state_.inference[1].from_step, 500);
}

TEST_F(RunInferenceTest, OnAnotherMachineAnotherBackendTakesOver) {
  session();
  machine({{.name = "cpu"}});
  processor_ = kOther;
  EXPECT_EQ(session(), "cpu fp32, batch 24");
  machine({{.name = "cpu"}, {.name = "gpu", .precisions = {kFp32, kBf16}, .device = "cuda:0"}});
  EXPECT_EQ(session(), "gpu bf16 on cuda:0, batch 64");
  config_.device.device = "cuda:0,cuda:1";
  EXPECT_EQ(session(), "gpu bf16 on cuda:0,cuda:1, batch 64");
  EXPECT_EQ(session({"device.device=cpu"}), "cpu fp32, batch 24");
}

TEST_F(RunInferenceTest, ADeterministicRunComputesInFp32) {
  config_.run.deterministic = true;
  config_.selfplay.games_per_thread = 200;
  EXPECT_EQ(session(), "onednn fp32, batch 64");
  EXPECT_EQ(session(), "onednn fp32, batch 64");
  EXPECT_EQ(messages_.size(), 1U);
  EXPECT_EQ(session({"device.precision=bf16", "selfplay.batch=7"}), "onednn bf16, batch 7");
}

TEST_F(RunInferenceTest, ADeterministicRunWarnsWhereItWillNotBeEqual) {
  config_.run.deterministic = true;
  session();
  session({"selfplay.batch=8"});
  EXPECT_NE(messages_.back().find("warning: the run is deterministic"), std::string::npos);
  session({"selfplay.batch=8"});
  EXPECT_EQ(messages_.size(), 1U);
  processor_ = kOther;
  session({"selfplay.batch=8"});
  EXPECT_NE(messages_.back().find("its type of processor (" + describe(kZen)), std::string::npos);
}

}  // namespace
}  // namespace faultline
