// TensorBoard's event files: bytes known from TensorFlow's own files, and what is written per
// report.
#include "selfplay/tensorboard_events.h"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "selfplay/progress.h"
#include "tests/outsiders.h"
#include "tests/record/games.h"
#include "tests/selfplay/full_report.h"

namespace faultline {
namespace {

using testing::Contains;
using testing::Pair;

std::filesystem::path only_file(const std::filesystem::path& folder) {
  return std::filesystem::directory_iterator(folder)->path();
}

TEST(TensorBoardEvents, AFileBeginsAsTensorFlowsDo) {
  const test::TemporaryFolder place;
  TensorBoardEvents events(place.path());
  EXPECT_EQ(events.add({{"steps", 7}, {"window", 5}}), "");
  const std::filesystem::path file = only_file(place.path());
  EXPECT_THAT(file.filename().string(), testing::StartsWith("events.out.tfevents."));
  const std::string bytes = test::read_text(file);
  // 24 bytes with the masked CRC-32C of this length; the time; "brain.Event:2" as field 3.
  EXPECT_EQ(bytes.substr(0, 13), std::string("\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22\x09", 13));
  EXPECT_EQ(bytes.substr(21, 15),
            "\x1a\x0d"
            "brain.Event:2");
}

TEST(TensorBoardEvents, AResumedRunsFileSortsLastAndHidesTheStepsThatAreMadeAgain) {
  const test::TemporaryFolder place;
  const std::string later = "events.out.tfevents.9999999999.host.1.v2";  // the clock was ahead
  test::write_text(place.path() / later, "");
  TensorBoardEvents events(place.path());
  EXPECT_EQ(events.add({{"steps", 320}, {"resumed_at_step", 300}}), "");
  const std::filesystem::path file = place.path() / "events.out.tfevents.10000000000.faultline";
  const std::string bytes = test::read_text(file);
  constexpr std::size_t kFirst = 12 + 24 + 4;  // the version
  EXPECT_EQ(bytes.substr(kFirst + 12 + 9, 7), "\x10\xac\x02\x3a\x02\x08\x01")
      << "step = 300, a session_log of 2 bytes with status START";
}

TEST(TensorBoardEvents, ARecordHoldsTimeStepAndScalars) {
  const std::string record = scalars_record(1.5, 300, {{"a/b", 0.25F}});
  std::string expected("\x09\0\0\0\0\0\0\xf8\x3f", 9);  // wall_time = 1.5
  expected += std::string("\x10\xac\x02", 3);           // step = 300
  expected += std::string("\x2a\x0c", 2);               // summary of 12 bytes
  expected += std::string("\x0a\x0a", 2);               // a value of 10 bytes
  expected += std::string(
      "\x0a\x03"
      "a/b",
      5);                                          // tag
  expected += std::string("\x15\0\0\x80\x3e", 5);  // simple_value = 0.25
  EXPECT_EQ(record.substr(12, record.size() - 16), expected);
  std::uint64_t length = 0;
  std::memcpy(&length, record.data(), sizeof length);
  EXPECT_EQ(length, expected.size());
}

TEST(TensorBoardEvents, MetricsAreGroupedAndCountersThatOnlyRiseLeftOut) {
  const Scalars scalars = scalars_of({{"seconds", 12.5},
                                      {"steps", 3},
                                      {"games", 4},
                                      {"held_out_value", 0.75},
                                      {"loss", {{"policy", 1.5}, {"value", 0.5}}},
                                      {"strength", {{"elo_95", {-20, 35}}}},
                                      {"text", "x"}});
  EXPECT_EQ(scalars.size(), 6U);
  EXPECT_THAT(scalars, Contains(Pair("run/games", 4)));
  EXPECT_THAT(scalars, Contains(Pair("held_out/value", 0.75)));
  EXPECT_THAT(scalars, Contains(Pair("loss/policy", 1.5)));
  EXPECT_THAT(scalars, Contains(Pair("strength/elo_95_low", -20)));
  EXPECT_THAT(scalars, Contains(Pair("strength/elo_95_high", 35)));
}

TEST(TensorBoardEvents, AllNumbersOfMetricsAreShownButTimesAndLimits) {
  const auto metrics = nlohmann::ordered_json::parse(metrics_line(test::full_report()));
  std::size_t shown = 0;
  for (const auto& [key, value] : metrics.items()) {
    if (key == "seconds" || key == "cpu_seconds" || key == "steps" || key == "interval" ||
        key == "done" || key == "window_capacity")
      continue;
    const Scalars scalars = scalars_of({{key, value}});
    EXPECT_FALSE(scalars.empty()) << key;
    shown += scalars.size();
  }
  EXPECT_EQ(scalars_of(metrics).size(), shown);
}

TEST(TensorBoardEvents, AFolderThatDoesNotExistIsReportedOnce) {
  TensorBoardEvents events("/nonexistent/folder");
  EXPECT_THAT(events.add({{"steps", 1}}), testing::HasSubstr("No such file or directory"));
  EXPECT_EQ(events.add({{"steps", 2}}), "");
}

TEST(TensorBoardEvents, ProtocolBuffersReadsThemByThePublishedSchema) {
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"})
    if (python.empty() &&
        test::run(std::string(candidate) + " -c 'import google.protobuf'", "/dev/null") == 0)
      python = candidate;
  if (python.empty()) {
    if (test::outsiders_are_required()) FAIL() << "Python's protobuf is required";
    GTEST_SKIP() << "Python's protobuf is not installed (scripts/setup --exports)";
  }
  const test::TemporaryFolder place;
  TensorBoardEvents events(place.path());
  events.add({{"steps", 1}, {"loss", {{"value", 0.5}}}});
  events.add({{"steps", 70'000}, {"loss", {{"value", 0.25}, {"policy", 1.5}}}});
  const std::filesystem::path printed = place.path() / "printed";
  ASSERT_EQ(test::run(python + " " FAULTLINE_SOURCE_DIR "/tests/selfplay/read_events.py '" +
                          only_file(place.path()).string() + "'",
                      printed.string()),
            0)
      << test::read_text(printed);
  EXPECT_EQ(test::read_text(printed),
            "version brain.Event:2\n1 loss/value 0.5\n70000 loss/value 0.25\n70000 loss/policy "
            "1.5\n");
}

}  // namespace
}  // namespace faultline
