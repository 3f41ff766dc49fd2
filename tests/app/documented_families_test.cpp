// Every family in rules/families/families.list is documented, in the list's order, and has a
// training configuration.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(fs::path(FAULTLINE_SOURCE_DIR) / file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

/// `lines` are starts of lines; all must be in the file, in this order.
void expect_lines_in_order(const char* file, const std::vector<std::string>& lines) {
  const std::string text = "\n" + text_of(file);
  std::size_t last = 0;
  for (const std::string& line : lines) {
    const std::size_t found = text.find("\n" + line);
    ASSERT_NE(found, std::string::npos) << file << " lacks a line that begins with\n" << line;
    EXPECT_GT(found + 1, last) << file << ": not in the order of families.list:\n" << line;
    last = found;
  }
}

TEST(DocumentedFamilies, HaveARowInTheReadme) {
  std::vector<std::string> rows;
  for (const FamilyInfo* family : all_families())
    rows.push_back("| `" + family->name + "` | " + family->inventor + " | ");
  expect_lines_in_order("README.md", rows);
}

TEST(DocumentedFamilies, HaveTheirRulesStated) {
  std::vector<std::string> headings;
  for (const FamilyInfo* family : all_families())
    headings.push_back("## " + family->name + ": ");
  expect_lines_in_order("docs/rules.md", headings);
}

TEST(DocumentedFamilies, HaveAConfigurationToTrainThem) {
  for (const FamilyInfo* family : all_families()) {
    const std::string file = "configs/" + family->name + "-full.toml";
    EXPECT_NE(text_of(file).find("variant = \"" + family->name), std::string::npos) << file;
  }
}

}  // namespace
}  // namespace faultline
