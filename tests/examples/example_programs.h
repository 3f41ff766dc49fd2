// Running the programs of examples/, and looking at their sources.
#pragma once

#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/outsiders.h"
#include "tests/temporary_folder.h"

namespace faultline::test {

/// Runs a shell command with further arguments. Its exit code; what it printed is in `out`.
inline int run_example(std::string command, const std::vector<std::string>& arguments,
                       std::string& out) {
  const TemporaryFolder folder;
  for (const std::string& argument : arguments)
    command += " " + in_quotes(argument);
  const int code = run(command, folder.path() / "log");
  out = read_text(folder.path() / "log");
  return code;
}

/// Expects a file of examples/ to include nothing but other libraries and files beside it.
inline void expect_no_include_of_ours(const std::string& name_of_file) {
  const std::filesystem::path root = FAULTLINE_SOURCE_DIR, file = root / "examples" / name_of_file;
  std::ifstream in(file);
  int includes = 0;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("#include ")) continue;
    ++includes;
    const std::string name = line.substr(10, line.find_first_of(">\"", 10) - 10);
    EXPECT_FALSE(std::filesystem::exists(root / name)) << file << ": " << line;
    if (line[9] == '"') {
      EXPECT_TRUE(std::filesystem::exists(file.parent_path() / name)) << file << ": " << line;
    }
  }
  EXPECT_GT(includes, 0) << file;
}

/// Expects that a file's text names no game.
inline void expect_no_family(const std::filesystem::path& file,
                             const std::vector<std::string>& families) {
  std::string text = read_text(file);
  for (char& c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string& family : families)
    EXPECT_EQ(text.find(family), std::string::npos) << file << " names " << family;
}

}  // namespace faultline::test
