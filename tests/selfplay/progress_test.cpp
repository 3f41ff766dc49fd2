// Progress lines and metrics.jsonl, also when writing to disk fails.
#include "selfplay/progress.h"

#include <filesystem>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/selfplay/games.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

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
  EXPECT_EQ(progress_line(report).find("resignations"), std::string::npos);
  report.resign_tests = 40;
  report.resign_errors = 3;
  EXPECT_NE(progress_line(report).find("resignations wrong 8%"), std::string::npos);
}

TEST(Progress, TheLineShowsAHundredPercentOnlyAtTheEnd) {
  RunReport report;
  report.done = 0.997;
  EXPECT_EQ(progress_line(report).rfind(" 99%", 0), 0U) << progress_line(report);
  report.done = 1;  // all games are played, but not all trained on
  EXPECT_EQ(progress_line(report).rfind(" 99%", 0), 0U) << progress_line(report);
  report.finished = true;
  EXPECT_EQ(progress_line(report).rfind("100%", 0), 0U) << progress_line(report);
}

}  // namespace
}  // namespace faultline
