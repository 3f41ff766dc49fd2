// The page in a real browser, and its assets against their sources.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/replay_store.h"
#include "rules/families.h"
#include "tests/app/run_program.h"
#include "tests/outsiders.h"
#include "tests/report/recorded_games.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;

const fs::path kPage = fs::path(FAULTLINE_SOURCE_DIR) / "page";
const fs::path kModules = kPage / "node_modules";

/// "" if there is none.
std::string chromium() {
  for (const char* const program : {"/usr/bin/chromium", "/usr/bin/chromium-browser"})
    if (fs::exists(program)) return program;
  return "";
}

bool has_node() {
  return test::run("node --version", "/dev/null") == 0;
}

/// The page is the same whatever built the program, and a browser slow enough without sanitizers.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// Fails, or skips the test, with what is missing.
#define NEED(is_there, what)                                                  \
  if (!(is_there)) {                                                          \
    if (test::outsiders_are_required()) FAIL() << (what) << " is required";   \
    GTEST_SKIP() << (what) << " is missing; scripts/setup --browser gets it"; \
  }

/// The families with options that make their boards move.
std::string variant_of(const std::string& family) {
  const std::map<std::string, std::string> kOptions = {{"earthquake", ":dx=1,aftershock=3"},
                                                       {"inferno", ":levels=3"}};
  const auto options = kOptions.find(family);
  return family + (options == kOptions.end() ? "" : options->second);
}

/// A run's folder with games of random moves and some metrics.
fs::path make_run(const TemporaryFolder& folder, const std::string& name,
                  const std::string& variant) {
  const fs::path run = folder.path() / name;
  fs::create_directories(run);
  test::write_text(run / "config.toml",
                   "[run]\nvariant = \"" + variant + "\"\n[selfplay]\nresign_playthrough = 0.1\n");
  std::string metrics;
  for (int i = 1; i <= 30; ++i)
    metrics += "{\"seconds\":" + std::to_string(10 * i) + ",\"games\":" + std::to_string(7 * i) +
               ",\"steps\":" + std::to_string(20 * i) + ",\"white_wins\":0.5,\"draws\":0.2," +
               "\"black_wins\":0.3,\"cut\":0.1,\"mean_plies\":" + std::to_string(50 + i) +
               ",\"held_out_value\":" + std::to_string(0.8 + 2.0 / (10 + i)) +
               ",\"constant_value\":1.02,\"strength\":{\"steps\":" + std::to_string(i / 5 * 100) +
               ",\"elo\":" + std::to_string(5 * i) + ",\"elo_95\":[" + std::to_string(4 * i - 20) +
               "," + std::to_string(6 * i + 20) +
               "]},\"loss\":{\"policy\":2.5,\"value\":" + std::to_string(0.7 + 3.0 / (10 + i)) +
               "}}\n";
  test::write_text(run / "metrics.jsonl", metrics);
  const std::string canonical = find_game(variant).variant();
  ReplayStore store(run / "games", canonical, 100);
  for (std::uint64_t i = 0; i < 3; ++i)
    store.append(test::random_record(canonical, i, i == 2 ? 40 : 25));
  return run;
}

TEST(ReportCommand, WritesOneFileAndReplacesIt) {
  const TemporaryFolder folder;
  const fs::path run = make_run(folder, "small", "gardner");
  const std::string out = folder.write("report.html", "old");
  const ProgramResult result = run_faultline({"report", run.string(), "-o", out});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr(out), HasSubstr(" kB")));
  EXPECT_THAT(test::read_text(out), AllOf(HasSubstr("<!doctype html>"), HasSubstr("small")));
  for (const auto& entry : fs::directory_iterator(folder.path()))
    EXPECT_NE(entry.path().extension(), ".tmp");
}

TEST(ReportCommand, NamesThePageAfterTheFolderAndReplacesPagesAlone) {
  const TemporaryFolder folder;
  make_run(folder, "small", "gardner");
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  EXPECT_THAT(run_faultline({"report", "small"}).out, HasSubstr("small.html: "));
  EXPECT_EQ(run_faultline({"report", "small"}).exit_code, 0) << "replaces its own page";
  folder.write("small.html", "<!doctype html>\nmine");
  const ProgramResult refused = run_faultline({"report", "small"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("small.html: exists and is not a report's page"));
  fs::current_path(before);
}

TEST(ReportCommand, SaysWhatItCannotDo) {
  const TemporaryFolder folder;
  const std::string run = make_run(folder, "small", "gardner").string();
  const std::string out = (folder.path() / "out.html").string();
  struct Refusal {
    std::vector<std::string> arguments;
    std::string message;
  };
  for (const auto& [arguments, message] : std::vector<Refusal>{
           {{"report", "no-such-run", "-o", out}, "there is no such folder"},
           {{"report", folder.path().string(), "-o", out}, "is not a tournament's folder"},
           {{"report", run + "/config.toml", "-o", out}, "has no game that can be read"},
           {{"report", run, "-o", run}, "is a folder; -o takes a file"},
           {{"report", run, "-o", out + "/none/x.html"}, "there is no folder"},
           {{"report", run, "-o", out, "--games", "1000"}, "--games"}}) {
    const ProgramResult result = run_faultline(arguments);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_FALSE(fs::exists(out));
  }
}

TEST(ReportPageAssets, MatchTheirSources) {
  if (kSanitized) GTEST_SKIP() << "for the release build";
  NEED(has_node() && fs::exists(kModules / "esbuild"), "esbuild (npm)");
  const TemporaryFolder folder;
  const fs::path log = folder.path() / "log";
  EXPECT_EQ(test::run("cd " + test::in_quotes(kPage) + " && node build.js --check", log), 0)
      << test::read_text(log);
  EXPECT_EQ(
      test::run("cd " + test::in_quotes(kPage) + " && node node_modules/typescript/bin/tsc", log),
      0)
      << test::read_text(log);
}

TEST(ReportPageInABrowser, ShowsAndStepsThroughGamesOfEveryFamily) {
  if (kSanitized) GTEST_SKIP() << "for the release build";
  NEED(has_node() && fs::exists(kModules / "playwright-core"), "playwright-core (npm)");
  NEED(!chromium().empty(), "Chromium");
  const TemporaryFolder folder;
  std::string pages;
  for (const FamilyInfo* family : all_families()) {
    const fs::path run = make_run(folder, family->name, variant_of(family->name));
    const fs::path page = folder.path() / (family->name + ".html");
    const ProgramResult result =
        run_faultline({"report", run.string(), "-o", page.string(), "--games", "2"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    pages += " " + test::in_quotes(page);
  }
  // And a survey, whose sections are others.
  const fs::path survey = folder.path() / "survey";
  const fs::path page = folder.path() / "survey.html";
  ASSERT_EQ(run_faultline({"survey", "gardner", "escher", "--visits", "2,4", "--games", "20",
                           "--max-plies", "60", "--playouts", "5", "--perft-nodes", "1000", "--out",
                           survey.string()})
                .exit_code,
            0);
  ASSERT_EQ(
      run_faultline({"report", survey.string(), "-o", page.string(), "--games", "2"}).exit_code, 0);
  pages += " " + test::in_quotes(page);
  // FAULTLINE_REPORT_PICTURES: a folder where pictures of the pages are left.
  const char* const pictures = std::getenv("FAULTLINE_REPORT_PICTURES");
  const fs::path log = folder.path() / "log";
  const fs::path check = fs::path(FAULTLINE_SOURCE_DIR) / "tests/report/browser_check.mjs";
  EXPECT_EQ(test::run("node " + test::in_quotes(check) + " " + test::in_quotes(kModules) + " " +
                          chromium() + " " + test::in_quotes(pictures != nullptr ? pictures : "-") +
                          pages,
                      log),
            0)
      << test::read_text(log);
}

}  // namespace
}  // namespace faultline
