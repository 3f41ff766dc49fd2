// What starts clusters (deploy/, scripts/cluster) passes the linters that Debian has.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "tests/outsiders.h"

namespace faultline {
namespace {

void expect_clean(const std::string& linter, const std::string& arguments) {
  if (std::system(("command -v " + linter + " >/dev/null").c_str()) != 0) {
    if (test::outsiders_are_required()) FAIL() << linter << " is required";
    GTEST_SKIP() << linter << " is not installed (scripts/setup --cluster)";
  }
  EXPECT_EQ(std::system(("cd '" FAULTLINE_SOURCE_DIR "' && " + linter + " " + arguments).c_str()),
            0);
}

TEST(Deploy, ScriptsAreClean) {
  expect_clean("shellcheck",
               "-e SC1091 scripts/cluster deploy/slurm/*.sh deploy/nats/add-user "
               "deploy/nats/make-certificates");
}

TEST(Deploy, UnitsAreClean) {
  expect_clean("systemd-analyze", "verify deploy/systemd/*.service");
}

TEST(Deploy, ManifestsAreClean) {
  expect_clean("yamllint",
               "-s -d '{extends: default, rules: {line-length: {max: 120}, braces: "
               "{max-spaces-inside: 0}}}' "
               "deploy/kubernetes/*.yaml");
}

}  // namespace
}  // namespace faultline
