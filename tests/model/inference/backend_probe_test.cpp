// Timing, with backends that take the time they are told on a clock that nothing else moves.
#include "model/inference/backend_probe.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file_lock.h"
#include "model/inference/probe_cache.h"
#include "tests/model/inference/fake_backends.h"
#include "tests/model/inference/networks.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::fake_registry;
using test::FakeBackend;
using test::FakeClock;
using test::kBf16;
using test::kFp32;
using test::kInt8;

/// `rate` positions/s at any batch.
auto constant(double rate) {
  return [rate](Precision, std::size_t count) { return static_cast<double>(count) / rate; };
}

class BackendProbe : public testing::Test {
 protected:
  ProbeResult probe(const std::vector<FakeBackend>& kinds) {
    registry_ = fake_registry(kinds, clock_);
    return probe_backends(request(), {.now = clock_.now()});
  }
  ProbeRequest request() const {
    ProbeRequest request = request_;
    request.backends = &registry_;
    return request;
  }

  FakeClock clock_;
  BackendRegistry registry_;
  ProbeRequest request_{
      .network = describe_network(test::encoding_of<EscherPosition>(), test::small_net()),
      .precisions = {kFp32, kBf16, kInt8},
      .largest_batch = 128};
};

TEST_F(BackendProbe, ChoosesTheFastestBackendAndPrecision) {
  const ProbeResult result =
      probe({{.name = "slow", .seconds = constant(1'000)},
             {.name = "quick",
              .precisions = {kFp32, kBf16, kInt8},
              .seconds =
                  [](Precision p, std::size_t count) {
                    return static_cast<double>(count) / (p == kBf16 ? 9'000 : 3'000);
                  }},
             {.name = "middling", .seconds = constant(5'000)}});
  EXPECT_EQ(result.best.choice.backend, "quick");
  EXPECT_EQ(result.best.choice.precision, kBf16);
  EXPECT_NEAR(result.best.positions_per_second, 9'000, 10);
}

TEST_F(BackendProbe, ChoosesTheBatchThatIsFastest) {
  // A fixed cost per batch, and one that grows beyond a cache of 64 positions.
  const ProbeResult result = probe({{.name = "one", .seconds = [](Precision, std::size_t count) {
                                       const auto n = static_cast<double>(count);
                                       return 1e-3 + n * 1e-4 + (n > 64 ? n * 1e-4 : 0);
                                     }}});
  EXPECT_EQ(result.best.choice.batch, 64U);
}

TEST_F(BackendProbe, AllBoardsOfSharedLevelsExist) {
  NetConfig net = test::small_net();
  net.share_levels = true;
  int positions = 0;
  for (const int levels : {1, 5}) {
    request_.network =
        describe_network(Encoder<InfernoPosition>::info(InfernoVariant{levels}), net);
    probe({{.name = "watched", .watch = [&](const BackendBatch& batch) {
              for (std::size_t i = 0; i < batch.count(); ++i, ++positions)
                for (const BoardPlanes& board : request_.network.boards)
                  ASSERT_EQ(batch.planes()[i * batch.floats() +
                                           static_cast<std::size_t>(board.front()) * 64],
                            1.0F)
                      << levels;
            }}});
  }
  EXPECT_GT(positions, 0);
}

TEST_F(BackendProbe, OfEquallyFastBatchesTheSmallestIsChosen) {
  EXPECT_EQ(probe({{.name = "one", .seconds = constant(2'000)}}).best.choice.batch, 8U);
}

TEST_F(BackendProbe, ABatchThatTheCallerCannotFillIsNotTried) {
  request_.largest_batch = 40;
  const ProbeResult result = probe({{.name = "one", .seconds = [](Precision, std::size_t) {
                                       return 1e-3;  // whatever the batch
                                     }}});
  EXPECT_EQ(result.best.choice.batch, 32U);
  request_.largest_batch = 3;
  EXPECT_EQ(probe({{.name = "one"}}).best.choice.batch, 3U);
}

TEST_F(BackendProbe, WhatIsNamedIsNotChosen) {
  request_.batch = 20;
  request_.options = {.backend = "slow", .precision = PrecisionChoice::Bf16};
  const ProbeResult result =
      probe({{.name = "quick", .precisions = {kFp32, kBf16}, .seconds = constant(9'000)},
             {.name = "slow", .precisions = {kFp32, kBf16}, .seconds = constant(1'000)}});
  EXPECT_EQ(describe(result.best.choice), "slow bf16, batch 20");
  EXPECT_EQ(result.rates.size(), 1U);
}

TEST_F(BackendProbe, PrecisionsThatAreNotAllowedAreNotTimed) {
  request_.precisions = {kFp32};
  const ProbeResult result = probe(
      {{.name = "one", .precisions = {kFp32, kInt8}, .seconds = [](Precision p, std::size_t count) {
          EXPECT_EQ(p, kFp32);
          return static_cast<double>(count) / 1'000;
        }}});
  EXPECT_EQ(result.best.choice.precision, kFp32);
}

TEST_F(BackendProbe, TakesUnderTwoSecondsWithManyCandidates) {
  std::vector<FakeBackend> kinds;
  for (int i = 0; i < 12; ++i)
    kinds.push_back({.name = "backend " + std::to_string(i),
                     .precisions = {kFp32, kBf16, kInt8},
                     .seconds = constant(400 + 10 * i)});  // a batch of 128 takes 0.3 s
  EXPECT_LT(probe(kinds).seconds, 2.0);
}

TEST_F(BackendProbe, ANetworkThatTakesSecondsForAPositionIsTimedOnce) {
  const ProbeResult result =
      probe({{.name = "one", .seconds = constant(0.4)}, {.name = "two", .seconds = constant(0.4)}});
  EXPECT_EQ(result.best.choice.backend, "one");
  EXPECT_EQ(result.best.choice.batch, 8U);
  EXPECT_NEAR(result.seconds, 2.5, 1e-6);
}

/// Rates of a network so large that a candidate's batch does not fit into its share of the time.
double large_network(Precision precision, std::size_t count) {
  return static_cast<double>(count) / (precision == kInt8 ? 250 : precision == kBf16 ? 120 : 15);
}

TEST_F(BackendProbe, ALargeNetworkIsTimedByPositions) {
  request_.processor = {.avx512 = true, .avx512_vnni = true};
  const ProbeResult result = probe({{.name = "cpu", .seconds = constant(12)},
                                    {.name = "onednn",
                                     .precisions = {kFp32, kBf16, kInt8},
                                     .seconds = large_network,
                                     .creation_seconds = 0.15}});
  EXPECT_EQ(describe(result.best.choice), "onednn int8, batch 8");
  EXPECT_FALSE(result.complete);
  EXPECT_LT(result.seconds, 2.0);
}

TEST_F(BackendProbe, WhatThereIsNoTimeForFollowsFromTheProcessor) {
  const std::vector<FakeBackend> kinds = {{.name = "cpu", .seconds = constant(12)},
                                          {.name = "onednn",
                                           .precisions = {kFp32, kBf16, kInt8},
                                           .seconds = large_network,
                                           .creation_seconds = 1}};
  request_.processor = {.avx512 = true, .avx512_vnni = true};
  const ProbeResult result = probe(kinds);
  EXPECT_EQ(describe(result.best.choice), "onednn int8, batch 8");
  EXPECT_FALSE(result.complete);
  request_.processor = {.avx2 = true};
  EXPECT_EQ(describe(probe(kinds).best.choice), "onednn fp32, batch 8");
}

TEST_F(BackendProbe, AColdTimingIsNotComparedWithWarmOnes) {
  // Each backend's first evaluation takes long; the first candidate has the time for a second one.
  auto seen = std::make_shared<std::map<Precision, int>>();
  request_.processor = {.avx512 = true, .avx512_vnni = true};
  const ProbeResult result =
      probe({{.name = "onednn",
              .precisions = {kFp32, kBf16, kInt8},
              .seconds = [seen](Precision p, std::size_t count) {
                const double cold = (*seen)[p]++ == 0 ? 0.5 : 0;
                return cold + static_cast<double>(count) / (p == kFp32 ? 100 : 1'000);
              }}});
  EXPECT_EQ(result.best.choice.precision, kInt8);
  EXPECT_NEAR(result.best.positions_per_second, 1'000, 10);
  EXPECT_FALSE(result.complete);
}

TEST_F(BackendProbe, ASlowFirstBatchDoesNotCount) {
  // Kernels are generated for the first batch of each size.
  auto seen = std::make_shared<std::map<std::size_t, int>>();
  const ProbeResult result =
      probe({{.name = "steady", .seconds = constant(2'000)},
             {.name = "generated", .seconds = [seen](Precision, std::size_t count) {
                return (++(*seen)[count] == 1 ? 0.02 : 0) + static_cast<double>(count) / 8'000;
              }}});
  EXPECT_EQ(result.best.choice.backend, "generated");
  EXPECT_NEAR(result.best.positions_per_second, 8'000, 10);
}

TEST_F(BackendProbe, ABusyNeighbourDoesNotCount) {
  // Every third batch takes four times as long.
  auto batches = std::make_shared<int>(0);
  const ProbeResult result =
      probe({{.name = "steady", .seconds = constant(3'000)},
             {.name = "disturbed", .seconds = [batches](Precision, std::size_t count) {
                return static_cast<double>(count) / 4'000 * (++*batches % 3 == 0 ? 4 : 1);
              }}});
  EXPECT_EQ(result.best.choice.backend, "disturbed");
}

TEST_F(BackendProbe, BatchesForADeviceAreLargeAndTwoAreInFlight) {
  request_.largest_batch = 1'000;
  const ProbeResult result = probe({{.name = "cpu", .seconds = constant(1e6)},
                                    {.name = "gpu",
                                     .device = "cuda:0",
                                     .asynchronous = true,
                                     .seconds = [](Precision, std::size_t count) {
                                       return 1e-3 + 1e-6 * static_cast<double>(count);
                                     }}});
  // Two batches of 512 would need more than 1,000 games.
  EXPECT_EQ(describe(result.best.choice), "gpu fp32 on cuda:0, batch 256");
  EXPECT_NEAR(result.best.positions_per_second, 256 / 1.256e-3, 0.02 * 256 / 1.256e-3);
}

TEST_F(BackendProbe, ABackendThatCannotBeMadeIsLeftOut) {
  const ProbeResult result = probe({{.name = "broken", .fails = true}, {.name = "whole"}});
  EXPECT_EQ(result.best.choice.backend, "whole");
  EXPECT_THROW(probe({{.name = "broken", .fails = true}}), std::runtime_error);
}

TEST_F(BackendProbe, TheBackendsOfThisProgramCanBeTimed) {
  request_.backends = &cpu_backends();
  const ProbeResult result = probe_backends(request_, {.seconds = 0.05});
  EXPECT_GT(result.best.positions_per_second, 0);
  EXPECT_NO_THROW(cpu_backends().attributes(backend_options(result.best.choice)));
}

class ProbeCacheTest : public BackendProbe {
 protected:
  ProbeCacheTest() { registry_ = fake_registry({{.name = "one"}, {.name = "two"}}, clock_); }
  CachedProbe recall(const std::string& program = "faultline 1") {
    return probe_or_recall(request(), ProbeCache(file()), program, {.now = clock_.now()});
  }
  std::filesystem::path file() const { return place_.path() / "caches" / "inference.json"; }

  test::TemporaryFolder place_;
};

TEST_F(ProbeCacheTest, AHitTimesNothing) {
  const CachedProbe first = recall();
  EXPECT_FALSE(first.from_cache);
  const int evaluations = clock_.evaluations;
  EXPECT_GT(evaluations, 0);
  const CachedProbe second = recall();
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(second.result, first.result);
  EXPECT_EQ(clock_.evaluations, evaluations);
}

TEST_F(ProbeCacheTest, AnotherProgramNetworkBatchOrCandidateIsAMiss) {
  recall();
  EXPECT_FALSE(recall("faultline 2").from_cache);
  request_.network.config.blocks = 3;
  EXPECT_FALSE(recall().from_cache);
  request_.batch = 5;
  EXPECT_FALSE(recall().from_cache);
  request_.largest_batch = 32;
  EXPECT_FALSE(recall().from_cache);
  request_.options.backend = "two";
  EXPECT_FALSE(recall().from_cache);
  EXPECT_TRUE(recall().from_cache);
  request_ = {.network = request_.network, .precisions = request_.precisions, .largest_batch = 128};
  request_.network.config.blocks = 2;
  EXPECT_TRUE(recall().from_cache) << "all are kept";
  registry_.add(fake_backend({.name = "three"}, clock_));
  EXPECT_FALSE(recall().from_cache);
}

TEST_F(ProbeCacheTest, ADamagedFileIsIgnoredAndReplaced) {
  recall();
  const std::string good = test::read_text(file());
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[]"), good.substr(0, good.size() / 2),
        std::string(R"({"format": 1, "entries": 3})"),
        std::string(R"({"format": 1, "entries": [3]})"),
        std::string(R"({"format": 99, "entries": []})"), std::string(300, '[')}) {
    test::write_text(file(), bad);
    EXPECT_FALSE(recall().from_cache) << bad;
    EXPECT_TRUE(recall().from_cache) << bad;
  }
}

TEST_F(ProbeCacheTest, ADamagedEntryIsTimedAgain) {
  recall();
  for (const auto& [from, to] : std::map<std::string, std::string>{
           {"\"fp32\"", "\"fp33\""},
           {"\"batch\": 8", "\"batch\": 0"},
           {"\"best\"", "\"rest\""},
           {"\"positions_per_second\": ", "\"positions_per_second\": -"}}) {
    std::string text = test::read_text(file());
    ASSERT_NE(text.find(from), std::string::npos) << from;
    test::write_text(file(), text.replace(text.find(from), from.size(), to));
    EXPECT_FALSE(recall().from_cache) << from;
    EXPECT_TRUE(recall().from_cache) << from;
  }
}

TEST_F(ProbeCacheTest, AnEntryThatCannotBeTheRequestsAnswerIsTimedAgain) {
  recall();
  for (const auto& [from, to] : std::map<std::string, std::string>{
           {"\"backend\": \"one\"", "\"backend\": \"other\""},
           {"\"device\": \"cpu\"", "\"device\": \"cuda:0\""},
           {"\"fp32\"", "\"int8\""},
           {"\"batch\": 8", "\"batch\": 4000000000"},
           {"\"positions_per_second\": ", "\"positions_per_second\": 1e300, \"was\": "}}) {
    std::string text = test::read_text(file());
    for (std::size_t at = text.find("\"result\""); (at = text.find(from, at)) != std::string::npos;
         at += to.size())
      text.replace(at, from.size(), to);
    test::write_text(file(), text);
    EXPECT_FALSE(recall().from_cache) << from;
    EXPECT_TRUE(recall().from_cache) << from;
  }
}

TEST_F(ProbeCacheTest, AResultThatIsNotCompleteIsNotKept) {
  registry_ = fake_registry({{.name = "one", .seconds = constant(0.4)}, {.name = "two"}}, clock_);
  EXPECT_FALSE(recall().from_cache);
  EXPECT_FALSE(recall().from_cache);
}

TEST_F(ProbeCacheTest, OldEntriesAreDropped) {
  const ProbeCache cache(file());
  const ProbeResult result = probe_backends(request(), {.now = clock_.now()});
  for (int i = 0; i < 205; ++i)
    ASSERT_TRUE(cache.keep(std::to_string(i), result));
  EXPECT_FALSE(cache.find("4"));
  EXPECT_TRUE(cache.find("5"));
  EXPECT_TRUE(cache.find("204"));
}

TEST_F(ProbeCacheTest, NothingIsWrittenWhileAnotherProcessWrites) {
  recall();
  {
    const FileLock other(file().string() + ".lock");
    ASSERT_TRUE(other.held());
    EXPECT_FALSE(recall("faultline 2").from_cache);
    EXPECT_TRUE(recall().from_cache) << "reading needs no lock";
  }
  EXPECT_FALSE(recall("faultline 2").from_cache);
  EXPECT_TRUE(recall("faultline 2").from_cache);
}

TEST_F(ProbeCacheTest, WhereItCannotBeWrittenNothingIsKept) {
  test::write_text(place_.path() / "caches", "not a folder");
  EXPECT_FALSE(recall().from_cache);
  EXPECT_FALSE(recall().from_cache);
  EXPECT_FALSE(ProbeCache({}).keep("key", {}));
  EXPECT_FALSE(ProbeCache({}).find("key"));
}

TEST(ProbeCacheFile, IsInTheUsersCacheFolder) {
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("XDG_CACHE_HOME", "/elsewhere", 1);
  EXPECT_EQ(probe_cache_file(), "/elsewhere/faultline/inference.json");
  setenv("XDG_CACHE_HOME", "relative", 1);
  const char* const home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') {
    EXPECT_EQ(probe_cache_file(), std::filesystem::path(home) / ".cache/faultline/inference.json");
  }
  if (before == nullptr)
    unsetenv("XDG_CACHE_HOME");
  else
    setenv("XDG_CACHE_HOME", kept.c_str(), 1);
}

}  // namespace
}  // namespace faultline
