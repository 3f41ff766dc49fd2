// Every family in rules/families/families.list is documented, in the list's order, and has a
// training configuration.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/data/fairy_stockfish.h"
#include "rules/data/known_games.h"
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

/// Names in backquotes.
std::set<std::string> names_in(const std::string& text) {
  std::set<std::string> names;
  for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at + 1)) {
    const std::size_t end = text.find('`', at + 1);
    if (end == std::string::npos) break;
    names.insert(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return names;
}

TEST(DocumentedGames, AreTheFilesOfGames) {
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(fs::path(FAULTLINE_SOURCE_DIR) / "games"))
    if (entry.path().extension() == ".toml") files.insert(entry.path().stem().string());
  const std::string readme = text_of("README.md");
  const std::string head =
      "| game | board | what is special | plays | trains |\n|---|---|---|---|---|\n";
  const std::size_t begin = readme.find(head);
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(names_in(readme.substr(begin, readme.find("\n\n", begin) - begin)), files);
  const std::string strength = text_of("docs/strength.md");
  std::istringstream rows(
      readme.substr(begin + head.size(), readme.find("\n\n", begin) - begin - head.size()));
  for (std::string row; std::getline(rows, row);) {
    std::vector<std::string> cells;
    std::istringstream in(row.substr(2));
    for (std::string cell; std::getline(in, cell, '|');)
      cells.push_back(cell);
    ASSERT_EQ(cells.size(), 5U) << row;
    const bool is_said = cells[3].find("Fairy-Stockfish") != std::string::npos;
    for (const std::string& name : names_in(cells[0]))
      EXPECT_EQ(data::to_fairy_stockfish(data::known_game(name)).refused.empty(), is_said) << name;
    std::istringstream trained(cells[4]);
    for (std::string name; trained >> name;)
      EXPECT_NE(strength.find("`data:" + name.substr(0, name.find(',')) + "`"), std::string::npos)
          << name;
  }
  const std::string count = std::to_string(files.size());
  EXPECT_NE(readme.find("`games/` has " + count + ","), std::string::npos) << count;
  EXPECT_NE(text_of("docs/games-as-data.md").find("`games/` has " + count + " files"),
            std::string::npos)
      << count;
}

}  // namespace
}  // namespace faultline
