// Folders that hold results of another kind are recognised.
#include "base/result_folder.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace faultline {
namespace {

TEST(ResultFolder, OnlyResultsOfAnotherKindAreInTheWay) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(other_contents(folder.path() / "absent", FolderContents::Run));
  EXPECT_FALSE(other_contents(folder.path(), FolderContents::Run));
  std::ofstream(folder.path() / "survey.json") << "{}";
  EXPECT_FALSE(other_contents(folder.path(), FolderContents::Survey));
  for (const FolderContents other :
       {FolderContents::Run, FolderContents::Tournament, FolderContents::Study})
    EXPECT_EQ(other_contents(folder.path(), other), "contains a survey (survey.json)");
}

}  // namespace
}  // namespace faultline
