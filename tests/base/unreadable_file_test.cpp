// Files that are there and cannot be read.
#include "base/unreadable_file.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace faultline {
namespace {

TEST(UnreadableFile, IsOneThatIsThereAndCannotBeRead) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(why_unreadable(folder.write("file", "x")));
  EXPECT_FALSE(why_unreadable(folder.path() / "nothing"));
  EXPECT_FALSE(why_unreadable(folder.path() / "file" / "nothing"));
  const std::filesystem::path itself = folder.path() / "itself";
  std::filesystem::create_symlink(itself, itself);
  ASSERT_TRUE(why_unreadable(itself)) << "a link to itself";
  EXPECT_TRUE(why_unreadable(itself)->starts_with(itself.string() + ": cannot be read: "));
  std::filesystem::create_symlink("gone", folder.path() / "dangling");
  EXPECT_EQ(why_unreadable(folder.path() / "dangling"),
            (folder.path() / "dangling").string() +
                ": cannot be read: it is a link to gone, which does not exist");
  EXPECT_EQ(why_unreadable(folder.path()),
            folder.path().string() + ": cannot be read: it is a folder");
}

}  // namespace
}  // namespace faultline
