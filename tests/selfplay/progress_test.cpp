// Progress lines and metrics.jsonl, also when writing to disk fails.
#include "selfplay/progress.h"

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/wrapped_text.h"
#include "tests/record/games.h"
#include "tests/selfplay/full_report.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// The whole line, as it is printed where there is no terminal.
std::string line_of(const RunReport& report) {
  return fmt::format("{}", fmt::join(progress_parts(report), ""));
}

TEST(Progress, ATornLineIsRemovedBeforeTheNext) {
  const test::TemporaryFolder place;
  const fs::path file = place.path() / "metrics.jsonl";
  std::ostringstream out;
  for (const std::string& before : {std::string("{\"a\":1}\n"), std::string()}) {
    test::write_text(file, before + "{\"b\":");
    ProgressPrinter(out, false, file).report({});
    EXPECT_EQ(test::read_text(file), before + metrics_line({}) + "\n");
  }
  test::write_text(file, "{}\n");
  const ProgressPrinter printer(out, false, file);
  EXPECT_EQ(test::read_text(file), "{}\n");
}

TEST(Progress, AFailedWriteIsReportedOnceAndRetried) {
  const test::TemporaryFolder place;
  const fs::path file = place.path() / "metrics.jsonl";
  fs::create_symlink("/dev/full", file);
  std::ostringstream out;
  ProgressPrinter printer(out, false, file);
  printer.report({});
  printer.report({});
  const std::string warning = "warning: " + file.string() + ": cannot be written: No space left";
  const auto at = out.str().find(warning);
  EXPECT_NE(at, std::string::npos) << out.str();
  EXPECT_EQ(out.str().find(warning, at + 1), std::string::npos) << out.str();
  fs::remove(file);
  printer.report({});
  printer.report({});
  EXPECT_EQ(test::read_text(file), metrics_line({}) + "\n" + metrics_line({}) + "\n");
}

TEST(Progress, AMetricsFileThatCannotBeOpenedIsRefusedWithTheReason) {
  const test::TemporaryFolder place;
  std::ostringstream out;
  try {
    const ProgressPrinter printer(out, false, place.path());
    FAIL() << "a folder was accepted as a file";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be written: Is a directory"),
              std::string::npos)
        << error.what();
  }
}

TEST(Progress, TheLineShowsHowManyResignationsWouldHaveBeenWrong) {
  RunReport report;
  EXPECT_EQ(line_of(report).find("resignations"), std::string::npos);
  report.resign_tests = 40;
  report.resign_errors = 3;
  EXPECT_NE(line_of(report).find("resignations wrong 8%"), std::string::npos);
}

TEST(Progress, TheLineShowsAllThatAReportHas) {
  EXPECT_EQ(
      line_of(test::full_report()),
      " 25%  30:00 left  games 1,200  positions 34,567  step 890  loss 2.500 (policy 1.750, "
      "value 0.625)  Elo +312 (+250 to +370)  held out: policy 1.875, value 0.750 (constant 1.040)"
      "  7500 evals/s (80% of the actors' time)  250.0 moves/s  window 20,000  W/D/B 50/30/20%"
      "  50 plies, 5% cut  resignations wrong 8%");
}

TEST(Progress, ANarrowTerminalShowsTheMostImportantParts) {
  const std::vector<std::string> parts = progress_parts(test::full_report());
  EXPECT_EQ(fitting(parts, 79),
            " 25%  30:00 left  games 1,200  positions 34,567  step 890  loss 2.500");
  EXPECT_EQ(fitting(parts, 40), " 25%  30:00 left  games 1,200  step 890");
  EXPECT_EQ(fitting(parts, 3), " 25");
}

TEST(Progress, MetricsHaveAllThatAReportHas) {
  auto metrics = nlohmann::json::parse(metrics_line(test::full_report()));
  EXPECT_NEAR(metrics["constant_value"].get<double>(), 1.0397, 1e-4);
  metrics.erase("constant_value");
  EXPECT_EQ(metrics, nlohmann::json::parse(R"({
    "seconds": 600.0, "games": 1200, "positions": 34567, "steps": 890, "cpu_seconds": 1190.0,
    "evaluations": 5000000, "done": 0.25, "window": 20000, "window_capacity": 25000, "lag": 1,
    "learning_rate": 0.002, "interval": 10.0, "games_per_second": 2.0, "moves_per_second": 250.0,
    "visits_per_second": 8000.0, "evaluations_per_second": 7500.0, "steps_per_second": 1.5,
    "mean_batch": 15.0, "actors_paused": 0.125, "evaluator_share": 0.8, "searches_cut": 3,
    "held_out_policy": 1.875, "held_out_policy_entropy": 1.5, "held_out_value": 0.75,
    "mean_plies": 50.0, "white_wins": 0.5, "black_wins": 0.2, "draws": 0.3, "cut": 0.05,
    "resign_tests": 40, "resign_errors": 3,
    "strength": {"steps": 800, "elo": 312.0, "elo_95": [250.0, 370.0], "games": 40},
    "loss": {"total": 2.5, "policy": 1.75, "policy_entropy": 1.25, "value": 0.625,
             "moves_left": 0.0, "policy_accuracy": 0.0, "value_accuracy": 0.0, "grad_norm": 0.0}
  })"));
}

TEST(Progress, TheLineShowsAHundredPercentOnlyAtTheEnd) {
  RunReport report;
  report.done = 0.997;
  EXPECT_EQ(line_of(report).rfind(" 99%", 0), 0U) << line_of(report);
  report.done = 1;  // all games are played, but not all trained on
  EXPECT_EQ(line_of(report).rfind(" 99%", 0), 0U) << line_of(report);
  report.finished = true;
  EXPECT_EQ(line_of(report).rfind("100%", 0), 0U) << line_of(report);
}

}  // namespace
}  // namespace faultline
