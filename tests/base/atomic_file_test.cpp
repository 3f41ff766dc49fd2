// Atomic file replacement, and the error messages and leftovers when it fails.
#include "base/atomic_file.h"

#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// The error of writing `file`; none if it succeeded.
std::system_error failure(const fs::path& file) {
  try {
    write_file_atomically(file, "text");
  } catch (const std::system_error& error) {
    return error;
  }
  return {0, std::generic_category()};
}

TEST(AtomicFile, ReplacesAFileAndLeavesNoTemporaryFile) {
  const test::TemporaryFolder place;
  const fs::path file = place.path() / "a.json";
  const std::string bytes("zero \0 and more\n", 16);
  write_file_atomically(file, "something longer that was there before");
  write_file_atomically(file, bytes);
  EXPECT_EQ(test::read_text(file), bytes);
  EXPECT_FALSE(fs::exists(temporary_of(file)));
}

TEST(AtomicFile, WritesTheFileThatALinkLeadsTo) {
  const test::TemporaryFolder place;
  const fs::path file = place.path() / "file", link = place.path() / "link";
  write_file_atomically(file, "before");
  fs::create_symlink("file", link);
  write_file_atomically(link, "after");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(test::read_text(file), "after");
}

TEST(AtomicFile, WritesInTheCurrentFolderToo) {
  const test::TemporaryFolder place;
  const fs::path before = fs::current_path();
  fs::current_path(place.path());
  write_file_atomically("plain", "text");
  fs::current_path(before);
  EXPECT_EQ(test::read_text(place.path() / "plain"), "text");
}

TEST(AtomicFile, AFullDiskIsReportedAndKeepsTheOldContent) {
  const test::TemporaryFolder place;
  const fs::path file = place.path() / "state.json";
  test::write_text(file, "old");
  fs::create_symlink("/dev/full", temporary_of(file));
  const std::system_error error = failure(file);
  EXPECT_EQ(error.what(), file.string() + ": cannot be written: No space left on device");
  EXPECT_EQ(error.code(), std::errc::no_space_on_device);
  EXPECT_FALSE(fs::is_symlink(temporary_of(file)));
  EXPECT_EQ(test::read_text(file), "old");
}

TEST(AtomicFile, AFolderOfThatNameIsReportedAndNothingIsLeftBehind) {
  const test::TemporaryFolder place;
  const fs::path file = place.path() / "state.json";
  fs::create_directories(file / "inside");
  EXPECT_EQ(failure(file).what(), file.string() + ": cannot be written: Is a directory");
  EXPECT_FALSE(fs::exists(temporary_of(file)));
}

TEST(AtomicFile, AMissingFolderIsReported) {
  const test::TemporaryFolder place;
  const fs::path file = place.path() / "absent" / "net.pt";
  EXPECT_EQ(failure(file).what(), file.string() + ": cannot be written: No such file or directory");
}

TEST(NewFile, IsWrittenOnceAndKeepsWhatElseIsThere) {
  const test::TemporaryFolder place;
  const fs::path file = place.path() / "net.zip";
  test::write_text(temporary_of(file), "precious");
  write_new_file(file, "text");
  EXPECT_EQ(test::read_text(file), "text");
  EXPECT_EQ(test::read_text(temporary_of(file)), "precious");
  try {
    write_new_file(file, "other");
    FAIL() << "overwritten";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::file_exists);
    EXPECT_EQ(error.what(), file.string() + ": cannot be written: File exists");
  }
  EXPECT_EQ(test::read_text(file), "text");
  EXPECT_EQ(std::distance(fs::directory_iterator(place.path()), {}), 2) << "nothing is left behind";
}

TEST(NewFile, MayHaveTheLongestName) {
  const test::TemporaryFolder place;
  const fs::path file = place.path() / std::string(255, 'n');
  write_new_file(file, "text");
  EXPECT_EQ(test::read_text(file), "text");
  EXPECT_THROW(write_new_file(place.path() / std::string(256, 'n'), ""), std::system_error);
  EXPECT_THROW(write_new_file(place.path() / "absent" / "net", ""), std::system_error);
  EXPECT_EQ(std::distance(fs::directory_iterator(place.path()), {}), 1);
}

TEST(NewFile, IsNotWrittenThroughALink) {
  const test::TemporaryFolder place;
  const fs::path file = place.path() / "net.zip", elsewhere = place.path() / "elsewhere";
  fs::create_symlink(elsewhere, file);
  EXPECT_THROW(write_new_file(file, "text"), std::system_error);
  EXPECT_FALSE(fs::exists(elsewhere));
}

}  // namespace
}  // namespace faultline
