// The lab in a real browser, with the server that is tested as users have it.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/app/run_program.h"
#include "tests/outsiders.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = FAULTLINE_SOURCE_DIR;
const fs::path kModules = kSource / "page/node_modules";

/// "" if there is none.
std::string chromium() {
  for (const char* const program : {"/usr/bin/chromium", "/usr/bin/chromium-browser"})
    if (fs::exists(program)) return program;
  return "";
}

/// Fails, or skips the test, with what is missing.
#define NEED(is_there, what)                                                  \
  if (!(is_there)) {                                                          \
    if (test::outsiders_are_required()) FAIL() << (what) << " is required";   \
    GTEST_SKIP() << (what) << " is missing; scripts/setup --browser gets it"; \
  }

std::string quoted(const fs::path& path) {
  return test::in_quotes(path);
}

TEST(LabPage, DoesWhatItsUsersExpect) {
  NEED(test::run("node --version", "/dev/null") == 0 && fs::exists(kModules / "playwright-core"),
       "playwright-core (npm)");
  NEED(!chromium().empty(), "Chromium");
  const TemporaryFolder folder;
  const fs::path log = folder.path() / "log";
  const fs::path lab = folder.path() / "lab";
  fs::create_directories(lab);
  const fs::path program = fs::path(FAULTLINE_BINARY_DIR) / "bin/faultline";
  // FAULTLINE_LAB_PICTURES: a folder where pictures of the views are left.
  const char* const pictures = std::getenv("FAULTLINE_LAB_PICTURES");
  EXPECT_EQ(test::run("XDG_STATE_HOME=" + quoted(folder.path() / "state") + " node " +
                          quoted(kSource / "tests/web/lab_check.mjs") + " " + quoted(kModules) +
                          " " + chromium() + " " + quoted(pictures != nullptr ? pictures : "-") +
                          " " + quoted(program) + " " + quoted(lab),
                      log),
            0)
      << test::read_text(log);
}

}  // namespace
}  // namespace faultline
