// Folders that hold results of another kind are recognised.
#include "base/result_folder.h"

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace faultline {
namespace {

TEST(ResultFolder, OnlyResultsOfAnotherKindAreInTheWay) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(why_taken(folder.path() / "absent", FolderContents::Run));
  EXPECT_FALSE(why_taken(folder.path(), FolderContents::Run));
  folder.write("survey.json", "{}");
  EXPECT_FALSE(why_taken(folder.path(), FolderContents::Survey));
  EXPECT_TRUE(why_taken(folder.path(), FolderContents::Tournament));
  EXPECT_TRUE(why_taken(folder.path(), FolderContents::Study));
  EXPECT_EQ(
      why_taken(folder.path(), FolderContents::Run),
      folder.path().string() + ": contains a survey (survey.json); give a run a folder of its own");
}

}  // namespace
}  // namespace faultline
