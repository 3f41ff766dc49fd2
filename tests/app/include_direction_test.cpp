// The dependency order of the source folders: an include never points upwards, and LibTorch stays
// inside model/.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace faultline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolders[] = {"base",    "rules",    "picture",  "search", "strategy",
                                         "model",   "play",     "analysis", "record", "engine",
                                         "library", "selfplay", "cluster",  "lab",    "survey",
                                         "report",  "web",      "app"};

struct Include {
  std::string file;    // root-relative
  std::string target;  // between the quotes or the angle brackets
  bool quoted;
};

std::vector<Include> includes_of(std::string_view folder) {
  const fs::path root = FAULTLINE_SOURCE_DIR;
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const fs::path extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with("#include ")) continue;
      const std::size_t open = line.find_first_of("\"<");
      const std::size_t close = line.find_first_of("\">", open + 1);
      if (open == std::string::npos || close == std::string::npos) continue;
      found.push_back({fs::relative(entry.path(), root).string(),
                       line.substr(open + 1, close - open - 1), line[open] == '"'});
    }
  }
  return found;
}

/// Names and paths from outside need not be UTF-8, and nlohmann's dump() throws for those that are
/// not: base/json_text.h alone calls it, but for the check of a tournament's names.
TEST(JsonText, IsTheOnlyWriterOfJson) {
  const fs::path root = FAULTLINE_SOURCE_DIR;
  std::set<std::string> callers;
  for (const std::string_view folder : kFolders)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path());
      const std::string text((std::istreambuf_iterator<char>(file)), {});
      if (text.find(".dump(") != std::string::npos)
        callers.insert(fs::relative(entry.path(), root).string());
    }
  EXPECT_EQ(callers, (std::set<std::string>{"base/json_text.h", "lab/tournament_settings.cpp"}));
}

TEST(IncludeDirection, AFolderIncludesOnlyItselfAndFoldersBelow) {
  for (std::size_t level = 0; level < std::size(kFolders); ++level) {
    const std::vector<Include> includes = includes_of(kFolders[level]);
    EXPECT_FALSE(includes.empty()) << kFolders[level] << " has no includes: were any files read?";
    for (const Include& include : includes) {
      if (!include.quoted) continue;
      const std::string folder = include.target.substr(0, include.target.find('/'));
      const auto* const target = std::ranges::find(kFolders, folder);
      ASSERT_NE(target, std::end(kFolders)) << include.file << " includes \"" << include.target
                                            << "\", which is not in a source folder";
      EXPECT_LE(target - std::begin(kFolders), static_cast<std::ptrdiff_t>(level))
          << include.file << " includes \"" << include.target << "\", which is above it";
    }
  }
}

/// A header and its own source are one. Files of which each needs the others can only be
/// understood, tested and moved together. (The rooms that are left out have such circles.)
TEST(IncludeDirection, NoFilesOfARoomIncludeEachOtherInACircle) {
  const auto unit = [](const std::string& file) { return file.substr(0, file.rfind('.')); };
  for (const std::string_view folder : kFolders) {
    if (folder == "rules" || folder == "model" || folder == "play" || folder == "report") continue;
    std::map<std::string, std::set<std::string>> included;  // directly or indirectly, in the room
    for (const Include& include : includes_of(folder))
      if (include.quoted && include.target.starts_with(std::string(folder) + '/') &&
          unit(include.target) != unit(include.file))
        included[unit(include.file)].insert(unit(include.target));
    bool grows = true;
    while (grows) {
      grows = false;
      for (auto& [file, targets] : included)
        for (const std::string& target : std::set<std::string>(targets))
          if (const auto more = included.find(target); more != included.end())
            for (const std::string& further : more->second)
              grows = targets.insert(further).second || grows;
    }
    for (const auto& [file, targets] : included)
      EXPECT_FALSE(targets.contains(file)) << file << " is part of a circle of includes";
  }
}

TEST(IncludeDirection, TheRulesIncludeOnlyTheStandardLibrary) {
  for (const Include& include : includes_of("rules")) {
    if (include.quoted || include.target.ends_with("intrin.h")) continue;
    EXPECT_EQ(include.target.find_first_of("/."), std::string::npos)
        << include.file << " includes <" << include.target << ">";
  }
}

TEST(IncludeDirection, LibTorchStaysInsideModel) {
  // <torch/torch.h> costs 13 s per translation unit, and only faultline-net should load LibTorch.
  std::vector<Include> includes;
  for (const std::string_view folder : kFolders)
    std::ranges::move(includes_of(folder), std::back_inserter(includes));
  std::set<std::string> carriers;  // headers that include LibTorch, directly or indirectly
  const auto brings_torch = [&](const Include& include) {
    return include.quoted
               ? carriers.contains(include.target)
               : include.target.starts_with("torch/") || include.target.starts_with("ATen/") ||
                     include.target.starts_with("c10/");
  };
  std::size_t before = 0;
  do {
    before = carriers.size();
    for (const Include& include : includes)
      if (include.file.ends_with(".h") && brings_torch(include)) carriers.insert(include.file);
  } while (carriers.size() > before);
  for (const Include& include : includes) {
    if (include.file.starts_with("model/")) continue;
    EXPECT_FALSE(brings_torch(include)) << include.file << " includes " << include.target;
  }
}

}  // namespace
}  // namespace faultline
