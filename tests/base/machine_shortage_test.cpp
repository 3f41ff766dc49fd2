// Limits that are too low, and what is said about them.
#include "base/machine_shortage.h"

#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace faultline {
namespace {

TEST(MachineShortage, ALimitOfFilesIsRaisedWhereThatIsAllowed) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit low = before;
  low.rlim_cur = 64;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  require_files(100);
  rlimit now{};
  getrlimit(RLIMIT_NOFILE, &now);
  EXPECT_GE(now.rlim_cur, 100U);
  setrlimit(RLIMIT_NOFILE, &before);
}

TEST(MachineShortage, MoreFilesThanTheHardLimitAreRefusedWithWhatToDo) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  if (limit.rlim_max == RLIM_INFINITY) GTEST_SKIP() << "there is no limit";
  try {
    require_files(limit.rlim_max);
    FAIL() << "as many files as the limit and some more were accepted";
  } catch (const MachineShortage& shortage) {
    EXPECT_NE(std::string(shortage.what()).find("--threads"), std::string::npos);
    EXPECT_NE(std::string(shortage.what()).find("ulimit -n"), std::string::npos);
  }
}

TEST(MachineShortage, IsOnlyWhatTheMachineLacks) {
  require_tasks(3);
  const auto advice = [](std::errc error) { return shortage_advice(make_error_code(error)); };
  EXPECT_NE(advice(std::errc::too_many_files_open), "");
  EXPECT_NE(advice(std::errc::resource_unavailable_try_again), "");
  EXPECT_NE(advice(std::errc::not_enough_memory), "");
  EXPECT_NE(advice(std::errc::no_space_on_device), "");
  EXPECT_EQ(advice(std::errc::permission_denied), "");
}

}  // namespace
}  // namespace faultline
