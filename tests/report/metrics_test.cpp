// A run's metrics as columns.
#include "report/metrics.h"

#include <cmath>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "report/run_curves.h"

namespace faultline {
namespace {

Metrics read(const std::string& text) {
  std::istringstream in(text);
  return Metrics(in);
}

TEST(Metrics, HaveAColumnForEveryNumber) {
  const Metrics metrics = read(
      "{\"steps\":1,\"loss\":{\"policy\":2.5}}\n"
      "{\"steps\":2,\"elo_95\":[-10,20],\"name\":\"text\"}\n");
  EXPECT_EQ(metrics.lines(), 2U);
  EXPECT_EQ(metrics.column("loss.policy")[0], 2.5);
  EXPECT_TRUE(std::isnan(metrics.column("loss.policy")[1]));
  EXPECT_EQ(metrics.column("elo_95.1")[1], 20);
  EXPECT_EQ(metrics.last("loss.policy"), 2.5);
  EXPECT_FALSE(metrics.has("name"));
  EXPECT_TRUE(metrics.column("name").empty());
  EXPECT_TRUE(std::isnan(metrics.last("name")));
}

TEST(Metrics, CountDamagedLinesAndLeaveThemOut) {
  const Metrics metrics = read("{\"steps\":1}\n{\"steps\":2\n17\n\n{\"steps\":3}\n");
  EXPECT_EQ(metrics.lines(), 2U);
  EXPECT_EQ(metrics.damaged_lines(), 2U);
  EXPECT_EQ(metrics.last("steps"), 3);
}

TEST(Metrics, ReplaceTheStepsThatAResumedRunDidAgain) {
  const Metrics metrics = read(
      "{\"steps\":10,\"x\":1}\n{\"steps\":20,\"x\":2}\n{\"steps\":30,\"x\":3}\n"
      "{\"steps\":15,\"x\":4}\n{\"steps\":25,\"x\":5}\n");
  EXPECT_EQ(metrics.column("steps"), (std::vector<double>{10, 15, 25}));
  EXPECT_EQ(metrics.column("x"), (std::vector<double>{1, 4, 5}));
  EXPECT_EQ(metrics.replaced_lines(), 2U);
}

TEST(Metrics, LeaveOutWhatASessionKnewBeyondTheStateThatTheNextOneResumedFrom) {
  const Metrics metrics = read(
      "{\"steps\":10,\"seconds\":10}\n{\"steps\":12,\"seconds\":20}\n{\"steps\":12,\"seconds\":30}"
      "\n"
      "{\"steps\":13,\"seconds\":40}\n"
      "{\"steps\":14,\"seconds\":22,\"resumed_at_step\":12}\n{\"steps\":15,\"seconds\":32}\n");
  EXPECT_EQ(metrics.column("steps"), (std::vector<double>{10, 12, 14, 15}));
  EXPECT_EQ(metrics.column("seconds"), (std::vector<double>{10, 20, 22, 32}));
  EXPECT_EQ(metrics.replaced_lines(), 2U);
}

TEST(Metrics, AreThinnedToMeansAndLastTotals) {
  std::string text;
  for (int i = 1; i <= 10; ++i)
    text += "{\"steps\":" + std::to_string(i) + ",\"speed\":" + std::to_string(i) + "}\n";
  const Metrics thin = read(text).thinned(5);
  EXPECT_EQ(thin.column("steps"), (std::vector<double>{2, 4, 6, 8, 10}));
  EXPECT_EQ(thin.column("speed"), (std::vector<double>{1.5, 3.5, 5.5, 7.5, 9.5}));
  EXPECT_EQ(read(text).thinned(10).lines(), 10U);
}

TEST(RunCurves, CompareValueLossesWithTheConstantPredictor) {
  const Section section = curves_section(
      read("{\"seconds\":10,\"steps\":1,\"loss\":{\"value\":0.9},\"held_out_value\":0.95,"
           "\"constant_value\":1.05}\n"
           "{\"seconds\":20,\"steps\":2,\"loss\":{\"value\":0.8}}\n"));
  const auto& [axes, charts] = std::get<Curves>(section.content);
  ASSERT_EQ(axes.size(), 2U);
  EXPECT_EQ(axes[0].values, (std::vector<double>{10, 20}));
  ASSERT_EQ(charts.size(), 1U) << "charts without values are left out";
  const std::vector<Series>& series = charts[0].series;
  ASSERT_EQ(series.size(), 3U);
  EXPECT_EQ(series[1].name, "held out");
  EXPECT_EQ(series[1].values[0], 0.95);
  EXPECT_TRUE(std::isnan(series[1].values[1]));
  EXPECT_EQ(series[2].style, "reference");
}

TEST(RunCurves, DrawEachMeasurementOfStrengthOnce) {
  const std::string first = "\"strength\":{\"steps\":90,\"elo\":-50,\"elo_95\":[-80.25,-20]}}\n";
  const std::string second = "\"strength\":{\"steps\":190,\"elo\":10,\"elo_95\":[-20,40]}}\n";
  const auto section =
      strength_section(read("{\"seconds\":1,\"steps\":50}\n{\"seconds\":2," + first +
                            "{\"seconds\":3," + first + "{\"seconds\":4," + second));
  ASSERT_TRUE(section.has_value());
  const auto& [axes, charts] = std::get<Curves>(section->content);
  EXPECT_EQ(axes[0].values, (std::vector<double>{90, 190}));
  EXPECT_EQ(axes[1].values, (std::vector<double>{2, 4}));
  const Series& series = charts[0].series[0];
  EXPECT_EQ(series.values, (std::vector<double>{-50, 10}));
  EXPECT_EQ(series.low, (std::vector<double>{-80.25, -20}));
  EXPECT_EQ(series.high, (std::vector<double>{-20, 40}));
  EXPECT_FALSE(strength_section(read("{\"steps\":50}\n")).has_value());
}

}  // namespace
}  // namespace faultline
