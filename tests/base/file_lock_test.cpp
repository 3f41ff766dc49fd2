// Locks on files.
#include "base/file_lock.h"

#include <optional>
#include <system_error>

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace faultline {
namespace {

TEST(FileLock, IsHeldByOneAtATime) {
  const test::TemporaryFolder folder;
  std::optional<FileLock> first(folder.path() / "lock");
  EXPECT_TRUE(first->held());
  EXPECT_FALSE(FileLock(folder.path() / "lock").held());
  EXPECT_TRUE(FileLock(folder.path() / "other").held());
  first.reset();
  EXPECT_TRUE(FileLock(folder.path() / "lock").held());
}

TEST(FileLock, NeedsAFolder) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(FileLock(folder.path() / "none" / "lock"), std::system_error);
}

}  // namespace
}  // namespace faultline
