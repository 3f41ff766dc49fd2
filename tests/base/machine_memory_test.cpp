// The machine's memory, as a plausible number.
#include "base/machine_memory.h"

#include <vector>

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(MachineMemory, IsWhatAMachineThatRunsThisCanHave) {
  EXPECT_GT(machine_memory(), std::size_t{64} << 20);
  EXPECT_LT(machine_memory(), std::size_t{1} << 50);
}

TEST(ProcessMemory, GrowsWithWhatIsWritten) {
  const std::size_t before = most_process_memory();
  EXPECT_GT(before, std::size_t{1} << 20);
  EXPECT_LT(before, machine_memory());
  const std::vector<char> large(before + (std::size_t{32} << 20), 'x');
  EXPECT_GT(most_process_memory(), before + (std::size_t{16} << 20)) << large.back();
}

}  // namespace
}  // namespace faultline
