// The limits of control groups, and the processors that a process may use.
#include "base/control_groups.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>

#include "base/machine_memory.h"
#include "base/processor.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// Files as the system has them: a group for `membership`, and `files` with their texts.
ControlGroupFiles system_with(const test::TemporaryFolder& folder, const std::string& membership,
                              const std::vector<std::pair<std::string, std::string>>& files) {
  for (const auto& [name, text] : files) {
    fs::create_directories((folder.path() / name).parent_path());
    test::write_text(folder.path() / name, text);
  }
  return {.membership = folder.write("membership", membership), .root = folder.path()};
}

TEST(AvailableProcessors, FollowTheQuotaOfVersion2OfAnyGroupAbove) {
  const test::TemporaryFolder folder;
  const auto files = system_with(
      folder, "0::/a/b\n", {{"a/b/cpu.max", "max 100000\n"}, {"a/cpu.max", "50000 100000\n"}});
  EXPECT_EQ(available_processors(files), 1);
}

TEST(AvailableProcessors, FollowTheQuotaOfVersion1) {
  const test::TemporaryFolder folder;
  const auto files =
      system_with(folder, "5:memory:/\n4:cpu,cpuacct:/docker/x\n",
                  {{"cpu/cpu.cfs_quota_us", "100000\n"}, {"cpu/cpu.cfs_period_us", "100000\n"}});
  EXPECT_EQ(available_processors(files), 1);
}

TEST(AvailableProcessors, AreThoseOfTheMachineWithoutAQuota) {
  const test::TemporaryFolder folder;
  const auto none = system_with(folder, "", {});
  const auto unlimited = system_with(folder, "0::/a\n", {{"a/cpu.max", "max 100000\n"}});
  EXPECT_EQ(available_processors(unlimited), available_processors(none));
  // Part of one more processor keeps another thread busy.
  const auto half_more = system_with(folder, "0::/\n", {{"cpu.max", "150000 100000\n"}});
  EXPECT_EQ(available_processors(half_more), std::min(2, available_processors(none)));
}

TEST(AvailableProcessors, AreThoseThatTheProcessMayRunOn) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int core = 0; CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(available_processors(), 1);
  sched_setaffinity(0, sizeof before, &before);
}

TEST(MachineMemory, FollowsTheLimitOfAnyGroupAbove) {
  const test::TemporaryFolder folder;
  const auto files = system_with(folder, "0::/a/b\n",
                                 {{"a/b/memory.max", "max\n"}, {"a/memory.max", "1048576\n"}});
  EXPECT_EQ(machine_memory(files), std::size_t{1} << 20U);
}

}  // namespace
}  // namespace faultline
