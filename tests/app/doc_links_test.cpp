// Every link between the documentation's pages leads somewhere.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace faultline {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = FAULTLINE_SOURCE_DIR;

std::vector<fs::path> pages() {
  std::vector<fs::path> found = {kRoot / "README.md", kRoot / "examples" / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Removes fenced and indented code, which has no links.
std::string without_code(const std::string& text) {
  std::istringstream in(text);
  std::string kept;
  bool in_fence = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) in_fence = !in_fence;
    if (!in_fence && !line.starts_with("    ")) kept += line + "\n";
  }
  return kept;
}

/// The anchors that hosts of Markdown give headings: lower case, letters, digits, '-' and '_', with
/// '-' for blanks.
std::set<std::string> anchors_of(const fs::path& page) {
  std::istringstream in(without_code(text_of(page)));
  std::set<std::string> anchors;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('#')) continue;
    std::string anchor;
    for (const char c : line.substr(std::min(line.find_first_not_of("# "), line.size()))) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == ' ')
        anchor += '-';
      else if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80)
        anchor += static_cast<char>(std::tolower(byte));
    }
    anchors.insert(anchor);
  }
  return anchors;
}

struct Link {
  std::string file;    // empty: the page itself
  std::string anchor;  // empty: none
};

/// The text from `start` to the `close` on the same line; empty if there is none before white
/// space.
std::string enclosed(const std::string& text, std::size_t start, char close) {
  const std::size_t end = text.find_first_of(std::string(" \t\n") + close, start);
  return end != std::string::npos && text[end] == close ? text.substr(start, end - start) : "";
}

/// Relative links and pictures, `[text](target)` and `src="target"`.
std::vector<Link> links_of(const fs::path& page) {
  const std::string text = without_code(text_of(page));
  std::vector<Link> links;
  for (const auto& [open, close] :
       {std::pair{std::string("]("), ')'}, std::pair{std::string("src=\""), '"'}})
    for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
      const std::string target = enclosed(text, at + open.size(), close);
      if (target.empty() || target.find("://") != std::string::npos ||
          target.starts_with("mailto:"))
        continue;
      const std::size_t mark = std::min(target.find('#'), target.size());
      links.push_back({target.substr(0, mark), target.substr(std::min(mark + 1, target.size()))});
    }
  return links;
}

TEST(DocLinks, LeadToFilesAndHeadingsThatExist) {
  std::size_t count = 0;
  for (const fs::path& page : pages())
    for (const Link& link : links_of(page)) {
      ++count;
      const fs::path target = link.file.empty() ? page : page.parent_path() / link.file;
      EXPECT_TRUE(fs::exists(target)) << page << " links to " << link.file;
      if (!link.anchor.empty() && fs::exists(target)) {
        EXPECT_TRUE(anchors_of(target).contains(link.anchor))
            << page << " links to " << link.file << '#' << link.anchor;
      }
    }
  EXPECT_GT(count, 20U) << "links are not recognised";
}

TEST(DocLinks, ReachEveryPageFromTheReadme) {
  std::set<fs::path> reached;
  std::vector<fs::path> open = {kRoot / "README.md"};
  while (!open.empty()) {
    const fs::path page = open.back();
    open.pop_back();
    if (!fs::exists(page) || !reached.insert(fs::canonical(page)).second) continue;
    for (const Link& link : links_of(page))
      if (link.file.ends_with(".md")) open.push_back(page.parent_path() / link.file);
  }
  for (const fs::path& page : pages())
    EXPECT_TRUE(reached.contains(fs::canonical(page))) << page;
}

}  // namespace
}  // namespace faultline
