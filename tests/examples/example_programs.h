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

/// Expects includes of other libraries alone in a file of examples/.
inline void expect_no_include_of_ours(const std::string& file) {
  const std::filesystem::path root = FAULTLINE_SOURCE_DIR;
  std::ifstream in(root / "examples" / file);
  int includes = 0;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("#include")) continue;
    ++includes;
    EXPECT_TRUE(line.starts_with("#include <")) << line;
    const std::string name = line.substr(10, line.find('>') - 10);
    EXPECT_FALSE(std::filesystem::exists(root / name)) << line;
  }
  EXPECT_GT(includes, 5);
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
