// The rows of a metrics.jsonl while it grows, is cut and is resumed.
#include "web/run_rows.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/metrics.h"
#include "tests/web/lab_runs.h"

namespace faultline::web {
namespace {

using test::append_text;
using test::metrics_row;
using test::TemporaryFolder;

struct RunRowsTest : testing::Test {
  TemporaryFolder folder;
  std::filesystem::path file = folder.path() / "metrics.jsonl";
  RunRows rows{file};

  std::vector<double> steps() const {
    std::vector<double> steps;
    for (const ReportJson& row : rows.read(0))
      steps.push_back(row.at("steps"));
    return steps;
  }
};

TEST_F(RunRowsTest, AreWhatWasAppended) {
  rows.update();
  EXPECT_EQ(rows.size(), 0U);
  append_text(file, metrics_row(1) + metrics_row(2));
  rows.update();
  ASSERT_EQ(rows.size(), 2U);
  append_text(file, metrics_row(3));
  const auto edition = rows.edition();
  rows.update();
  EXPECT_EQ(steps(), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(rows.read(2).size(), 1U);
  EXPECT_EQ(rows.edition(), edition);
  EXPECT_TRUE(rows.complete());
}

TEST_F(RunRowsTest, HaveNumbersByTheirKeysInObjectsAndArrays) {
  append_text(
      file,
      "{\"seconds\":1.23456789,\"steps\":7,\"text\":\"x\",\"none\":null,"
      "\"strength\":{\"elo\":-1.5,\"elo_95\":[-3,2],\"deep\":{\"a\":{\"b\":4}},\"games\":9},"
      "\"last\":1234567}\n");
  rows.update();
  EXPECT_EQ(
      rows.read(0).at(0).dump(),
      "{\"seconds\":1.23457,\"steps\":7,\"strength.elo\":-1.5,\"strength.elo_95.0\":-3,"
      "\"strength.elo_95.1\":2,\"strength.deep.a.b\":4,\"strength.games\":9,\"last\":1234567}");
}

TEST_F(RunRowsTest, LeaveOutALineUntilItIsComplete) {
  const std::string second = metrics_row(2);
  append_text(file, metrics_row(1) + second.substr(0, 20));
  rows.update();
  EXPECT_EQ(rows.size(), 1U);
  append_text(file, second.substr(20));
  rows.update();
  EXPECT_EQ(steps(), (std::vector<double>{1, 2}));
}

TEST_F(RunRowsTest, OfStepsThatAreDoneAgainAreHiddenAsInReports) {
  for (int step = 1; step <= 9; ++step)
    append_text(file, metrics_row(step));
  rows.update();
  const auto edition = rows.edition();
  append_text(file, metrics_row(6, ",\"resumed_at_step\":5"));
  append_text(file, metrics_row(7));
  rows.update();
  EXPECT_EQ(steps(), (std::vector<double>{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_NE(rows.edition(), edition);
  EXPECT_FALSE(rows.complete());
  EXPECT_EQ(steps(), Metrics::of_file(file).column("steps"));

  RunRows anew{file};
  anew.update();
  EXPECT_EQ(anew.size(), 7U);
  EXPECT_FALSE(anew.complete()) << "a page may have rows that are hidden now";
}

TEST_F(RunRowsTest, BeginAgainWhenTheFileWasWrittenAnewOrIsGone) {
  append_text(file, metrics_row(1) + metrics_row(2));
  rows.update();
  auto edition = rows.edition();
  test::write_text(file, metrics_row(8));  // shorter
  rows.update();
  EXPECT_EQ(steps(), (std::vector<double>{8}));
  EXPECT_NE(rows.edition(), edition);
  edition = rows.edition();
  test::write_text(file, metrics_row(3) + metrics_row(4) + metrics_row(5));  // longer
  rows.update();
  EXPECT_EQ(steps(), (std::vector<double>{3, 4, 5}));
  EXPECT_NE(rows.edition(), edition);
  edition = rows.edition();
  std::filesystem::remove(file);
  rows.update();
  EXPECT_EQ(rows.size(), 0U);
  EXPECT_NE(rows.edition(), edition);
}

TEST_F(RunRowsTest, OfLongFilesAreThinnedAndEndWithTheLast) {
  std::string text;
  for (int step = 1; step <= 9999; ++step)
    text += metrics_row(step, step == 5003 ? ",\"resumed_at_step\":5002" : "");
  append_text(file, text);
  rows.update();
  EXPECT_GT(rows.size(), RunRows::kMost / 2);
  EXPECT_LE(rows.size(), RunRows::kMost + 2);
  const std::vector<double> shown = steps();
  EXPECT_EQ(shown.front(), 1);
  EXPECT_EQ(shown.back(), 9999);
  EXPECT_THAT(shown, testing::Contains(5003)) << "where a session began";
  EXPECT_FALSE(rows.complete());
  append_text(file, metrics_row(10000));
  rows.update();
  EXPECT_EQ(steps().back(), 10000);
}

TEST_F(RunRowsTest, AreThinnedAnewBeforeTheyAreTooMany) {
  append_text(file, metrics_row(1));
  rows.update();
  for (int begin = 2; begin < 4000; begin += 500) {
    std::string text;
    for (int step = begin; step < begin + 500; ++step)
      text += metrics_row(step);
    append_text(file, text);
    rows.update();
    EXPECT_LE(rows.size(), 2 * RunRows::kMost + 500);
    EXPECT_EQ(steps().back(), begin + 499);
  }
}

TEST_F(RunRowsTest, OfDamagedLinesHaveNoNumbers) {
  append_text(file, "garbage\n[1,2]\n\n{\"steps\":1,}\n" + std::string(70'000, 'x') + "\n" +
                        metrics_row(2));
  rows.update();
  const auto read = rows.read(0);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0], ReportJson::object());
  EXPECT_EQ(read[1].at("steps"), 2);
}

TEST_F(RunRowsTest, LastRowIsThatOfTheLastCompleteLine) {
  EXPECT_EQ(last_row(file), ReportJson::object());
  append_text(file, metrics_row(1));
  EXPECT_EQ(last_row(file).at("steps"), 1);
  append_text(file, metrics_row(2) + "{\"steps\":3");
  EXPECT_EQ(last_row(file).at("steps"), 2);
}

}  // namespace
}  // namespace faultline::web
