// What a run's games are evaluated with: chosen once, stored, kept, and replaced only when asked.
#include "selfplay/run_inference.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/inference/backend_choice.h"
#include "selfplay/run_persistence.h"
#include "tests/model/inference/fake_backends.h"
#include "tests/model/inference/networks.h"
#include "tests/record/games.h"

namespace faultline {
namespace {

using test::fake_registry;
using test::FakeBackend;
using test::FakeClock;
using test::kBf16;
using test::kFp32;
using test::kInt8;

const ProcessorFeatures kZen{
    .vendor = "AuthenticAMD", .avx512 = true, .avx512_vnni = true, .avx512_bf16 = true};
const ProcessorFeatures kOther{.vendor = "GenuineIntel", .avx2 = true};

class RunInferenceTest : public testing::Test {
 protected:
  RunInferenceTest() {
    config_.selfplay.games_per_thread = 64;
    machine({{.name = "cpu"}, {.name = "onednn", .precisions = {kFp32, kBf16, kInt8}}});
  }
  void machine(const std::vector<FakeBackend>& kinds) {
    registry_ = fake_registry(kinds, clock_);
    sources_ = {.backends = &registry_,
                .probe =
                    [this](const ProbeRequest& request) {
                      ++probes_;
                      request_ = request;
                      backend_candidates(*request.backends, request.options, request.precisions);
                      const InferenceChoice choice{
                          .backend = "onednn", .precision = kInt8, .batch = 32};
                      return CachedProbe{.result = {.best = {choice, 12'345.6}, .rates = {}},
                                         .from_cache = false};
                    },
                .processor = kZen};
  }
  /// One session: settles, and stores what it added as RunPersistence does.
  std::string session(const std::vector<std::string>& settings = {}, bool choose_again = false) {
    Config config = config_;
    for (const std::string& setting : settings)
      set_option(config, setting);
    const SettledInference settled =
        settle_inference(config, state_, choose_again, network_, sources_, "runs/a");
    if (settled.added) state_.inference.push_back(*settled.added);
    messages_ = settled.messages;
    return describe(settled.choice);
  }
  template <class Error>
  std::string refusal(const std::vector<std::string>& settings = {}) {
    try {
      session(settings);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }

  FakeClock clock_;
  BackendRegistry registry_;
  InferenceSources sources_;
  Config config_;
  NetworkDescription network_ =
      describe_network(test::encoding_of<EscherPosition>(), test::small_net());
  RunState state_;
  int probes_ = 0;
  ProbeRequest request_;
  std::vector<std::string> messages_;
};

TEST_F(RunInferenceTest, ANewRunIsTimedAndStoresTheChoice) {
  EXPECT_EQ(session(), "onednn int8, batch 32");
  EXPECT_EQ(probes_, 1);
  EXPECT_EQ(request_.largest_batch, 64U);
  EXPECT_FALSE(request_.batch);
  EXPECT_EQ(request_.precisions,
            std::vector<Precision>(kSelfPlayPrecisions.begin(), kSelfPlayPrecisions.end()));
  EXPECT_EQ(messages_, std::vector<std::string>{"Inference: onednn int8, batch 32 (timed: 12,345 "
                                                "positions/s on one core)"});
  ASSERT_EQ(state_.inference.size(), 1U);
  EXPECT_EQ(state_.inference[0].processor, describe(kZen));
}

TEST_F(RunInferenceTest, ResumingTimesNothing) {
  session();
  EXPECT_EQ(session(), "onednn int8, batch 32");
  EXPECT_EQ(probes_, 1);
  EXPECT_EQ(messages_,
            std::vector<std::string>{"Inference: onednn int8, batch 32 (stored in the run)"});
  EXPECT_EQ(state_.inference.size(), 1U);
}

TEST_F(RunInferenceTest, AnOverrideOnResumeIsRecordedAndLasts) {
  session();
  state_.steps = 500;
  EXPECT_EQ(session({"device.precision=bf16"}), "onednn bf16, batch 32");
  EXPECT_EQ(messages_,
            (std::vector<std::string>{"Inference: onednn bf16, batch 32 (--set "
                                      "device.precision=bf16)",
                                      "The run was computed by onednn int8, batch 32 up to here"}));
  ASSERT_EQ(state_.inference.size(), 2U);
  EXPECT_EQ(state_.inference[1].from_step, 500);
  EXPECT_EQ(state_.inference[1].reason, "--set device.precision=bf16");
  EXPECT_EQ(session(), "onednn bf16, batch 32");
  EXPECT_EQ(session({"device.precision=bf16"}), "onednn bf16, batch 32");
  EXPECT_EQ(state_.inference.size(), 2U) << "the same again is no override";
  EXPECT_EQ(session({"selfplay.batch=16"}), "onednn bf16, batch 16");
  EXPECT_EQ(probes_, 1);
}

TEST_F(RunInferenceTest, AnOverrideThatExcludesTheRestReplacesItWithoutTiming) {
  session();
  EXPECT_EQ(session({"device.backend=cpu"}), "cpu fp32, batch 32");
  EXPECT_EQ(session({"device.precision=bf16"}), "onednn bf16, batch 32");
  EXPECT_EQ(probes_, 1);
}

TEST_F(RunInferenceTest, ChoosingAgainIsAskedFor) {
  session();
  state_.steps = 70;
  EXPECT_EQ(session({}, true), "onednn int8, batch 32");
  EXPECT_EQ(probes_, 2);
  ASSERT_EQ(state_.inference.size(), 2U);
  EXPECT_EQ(state_.inference[1].from_step, 70);
}

TEST_F(RunInferenceTest, ChoosingAgainWarnsWhereADeterministicRunChanges) {
  config_.run.deterministic = true;
  session({"selfplay.batch=4"});
  session({"selfplay.batch=4"}, true);
  EXPECT_EQ(messages_.size(), 1U) << "nothing changed";
  session({}, true);
  ASSERT_EQ(messages_.size(), 3U);
  EXPECT_EQ(messages_[1], "The run was computed by onednn fp32, batch 4 up to here");
  EXPECT_NE(messages_[2].find("warning: the run is deterministic"), std::string::npos);
}

TEST_F(RunInferenceTest, ChoosingAgainForgetsWhatTheRunsOwnConfigurationNames) {
  const test::TemporaryFolder place;
  const std::string file = place.write("config.toml",
                                       "[run]\nvariant = \"escher\"\n[device]\n"
                                       "device = \"cuda:3\"\nbackend = \"onednn\"\n"
                                       "precision = \"bf16\"\n[selfplay]\nbatch = 48\n"
                                       "[learner]\nprecision = \"bf16\"\n");
  Config config = load_config(file);
  set_option(config, "device.precision=int8");
  const Config forgot = without_choices_of_the_run(config, place.path());
  EXPECT_EQ(forgot.device.device, kAuto);
  EXPECT_EQ(forgot.device.backend, kAuto);
  EXPECT_EQ(forgot.device.precision, PrecisionChoice::Int8) << "this session's own";
  EXPECT_EQ(forgot.selfplay.batch, 0);
  EXPECT_EQ(forgot.learner.train.precision, TrainingPrecision::Auto);
  EXPECT_EQ(without_choices_of_the_run(config, place.path() / "other").device.backend, "onednn")
      << "another file's are asked for";
}

TEST_F(RunInferenceTest, WhatIsNamedFromTheStartIsNotTimed) {
  EXPECT_EQ(session({"device.backend=cpu", "device.precision=fp32", "selfplay.batch=48"}),
            "cpu fp32, batch 48");
  EXPECT_EQ(probes_, 0);
  EXPECT_EQ(messages_, std::vector<std::string>{"Inference: cpu fp32, batch 48 (as configured)"});
}

TEST_F(RunInferenceTest, WhatIsNamedIsPassedToTheTiming) {
  session({"device.precision=int8", "selfplay.batch=48", "search.leaves_per_tree=2"});
  EXPECT_EQ(request_.batch, 48U);
  EXPECT_EQ(request_.largest_batch, 128U);
  EXPECT_EQ(request_.options.precision, PrecisionChoice::Int8);
}

TEST_F(RunInferenceTest, ADeterministicRunTimesNothingAndComputesInFp32) {
  config_.run.deterministic = true;
  config_.selfplay.games_per_thread = 200;
  EXPECT_EQ(session(), "onednn fp32, batch 64");
  EXPECT_EQ(probes_, 0);
  EXPECT_EQ(session(), "onednn fp32, batch 64");
  EXPECT_EQ(messages_.size(), 1U);
}

TEST_F(RunInferenceTest, ADeterministicRunComputesInThePrecisionThatItNames) {
  config_.run.deterministic = true;
  EXPECT_EQ(session({"device.precision=bf16", "selfplay.batch=7"}), "onednn bf16, batch 7");
  EXPECT_EQ(probes_, 0);
}

TEST_F(RunInferenceTest, ADeterministicRunWarnsWhereItWillNotBeEqual) {
  config_.run.deterministic = true;
  session();
  session({"selfplay.batch=8"});
  EXPECT_NE(messages_.back().find("warning: the run is deterministic"), std::string::npos);
  sources_.processor = kOther;
  session();
  EXPECT_NE(messages_.back().find("another type of processor"), std::string::npos);
}

TEST_F(RunInferenceTest, ARunOfAnEarlierVersionStoresAChoiceWhenItIsResumed) {
  state_.checkpoint = "nets/000500.pt";
  state_.steps = 500;
  EXPECT_EQ(session(), "onednn int8, batch 32");
  ASSERT_EQ(state_.inference.size(), 1U);
  EXPECT_EQ(state_.inference[0].from_step, 500);
}

TEST_F(RunInferenceTest, AStoredChoiceThatIsNotPossibleHereIsRefusedWithTheOptions) {
  session();
  machine({{.name = "cpu"}, {.name = "onednn"}});  // no int8
  EXPECT_EQ(refusal<RunError>(),
            "runs/a: its games are evaluated by onednn int8, which is not possible here: backend "
            "'onednn' does not run on device 'cpu' in int8 (a fake). To go on with another choice, "
            "name one (--set device.backend=NAME, --set device.precision=NAME, --set "
            "device.device=NAME), or let this machine choose again with --probe");
  EXPECT_EQ(session({"device.precision=fp32"}), "onednn fp32, batch 32");
  machine({{.name = "cpu"}});
  EXPECT_NE(refusal<RunError>().find("unknown backend 'onednn'"), std::string::npos);
  EXPECT_EQ(session({"device.backend=cpu"}), "cpu fp32, batch 32");
}

TEST_F(RunInferenceTest, ADeviceThatIsGoneIsRefusedUntilAnotherIsNamed) {
  machine({{.name = "cpu"}, {.name = "gpu", .precisions = {kBf16}, .device = "cuda:0"}});
  state_.inference.push_back(
      {.choice = {.backend = "gpu", .device = "cuda:0", .precision = kBf16, .batch = 512}});
  EXPECT_EQ(session(), "gpu bf16 on cuda:0, batch 512");
  machine({{.name = "cpu"}, {.name = "gpu", .precisions = {kBf16}, .device = "cuda:1"}});
  EXPECT_NE(refusal<RunError>().find("gpu bf16 on cuda:0, which is not possible here"),
            std::string::npos);
  EXPECT_EQ(session({"device.device=cpu", "selfplay.batch=64"}), "cpu fp32, batch 64");
}

TEST_F(RunInferenceTest, OnAnotherKindOfDeviceNothingStaysThatIsNotNamed) {
  machine({{.name = "cpu"},
           {.name = "onednn", .precisions = {kFp32, kBf16, kInt8}},
           {.name = "gpu", .precisions = {kFp32, kBf16}, .device = "cuda:0"}});
  state_.inference.push_back(
      {.choice = {.backend = "gpu", .device = "cuda:0", .precision = kBf16, .batch = 512}});
  EXPECT_EQ(session({"device.device=cpu"}), "onednn int8, batch 24") << "as the processor has it";
  EXPECT_EQ(session({"device.device=cuda:0"}), "gpu fp32 on cuda:0, batch 24");
  EXPECT_EQ(session({"device.device=cpu", "device.precision=bf16", "selfplay.batch=7"}),
            "onednn bf16, batch 7");
}

TEST_F(RunInferenceTest, AnImpossibleChoiceIsRefusedWhateverElseIsOverridden) {
  session();
  machine({{.name = "cpu"}, {.name = "onednn"}});  // no int8
  EXPECT_NE(refusal<RunError>({"selfplay.batch=4"}).find("which is not possible here"),
            std::string::npos);
  EXPECT_NE(refusal<RunError>({"selfplay.batch=4", "device.backend=onednn"}).find("not possible"),
            std::string::npos);
}

TEST_F(RunInferenceTest, WhatNoBackendSupportsIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal<ConfigError>({"device.backend=onednm"}),
            "--set device.backend=onednm: [device]: unknown backend 'onednm'; did you mean "
            "'onednn'?; this program has cpu, onednn");
  session();
  EXPECT_EQ(refusal<ConfigError>({"device.backend=cpu", "device.precision=bf16"}),
            "--set device.backend=cpu, --set device.precision=bf16: [device]: backend 'cpu' does "
            "not run on device 'cpu' in bf16 (a fake)");
}

TEST_F(RunInferenceTest, TheRunsStateKeepsItOnceItIsKnownToWork) {
  const test::TemporaryFolder place;
  const RunOptions options{.folder = place.path() / "run", .resume = true};
  const auto settle = [&](const std::vector<std::string>& settings, bool works = true) {
    RunPersistence persistence(config_, "escher", options);
    state_ = persistence.state();
    Config config = config_;
    for (const std::string& setting : settings)
      set_option(config, setting);
    persistence.settle(settle_inference(config, state_, false, network_, sources_, "runs/a"));
    if (works) persistence.store_inference();
    return persistence.inference_messages().front();
  };
  {
    RunPersistence persistence(config_, "escher", options);
    persistence.settle(
        settle_inference(config_, persistence.state(), false, network_, sources_, "runs/a"));
    EXPECT_FALSE(persistence.folder().read_state()) << "there is nothing to resume from yet";
    persistence.save({}, [](const std::filesystem::path& file) { test::write_text(file, "net"); });
  }
  EXPECT_EQ(settle({}), "Inference: onednn int8, batch 32 (stored in the run)");
  settle({"device.precision=bf16"}, false);
  EXPECT_EQ(settle({}), "Inference: onednn int8, batch 32 (stored in the run)");
  EXPECT_EQ(settle({"device.precision=fp32"}),
            "Inference: onednn fp32, batch 32 (--set device.precision=fp32)");
  EXPECT_EQ(settle({}), "Inference: onednn fp32, batch 32 (stored in the run)")
      << "although the session between was killed before it saved";
  EXPECT_EQ(probes_, 1);
}

}  // namespace
}  // namespace faultline
