// The machine's memory, as a plausible number.
#include "base/machine_memory.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(MachineMemory, IsWhatAMachineThatRunsThisCanHave) {
  EXPECT_GT(machine_memory(), std::size_t{64} << 20);
  EXPECT_LT(machine_memory(), std::size_t{1} << 50);
}

}  // namespace
}  // namespace faultline
