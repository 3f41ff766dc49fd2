// What a folder of results holds, so that no command writes among another's files.
#include "base/result_folder.h"

#include <algorithm>
#include <array>
#include <system_error>

#include <fmt/format.h>

namespace faultline {
namespace {

struct Mark {
  FolderContents contents;
  const char* name;
  const char* file;  // by which it is recognised
};

constexpr std::array<Mark, 4> kMarks = {{
    {FolderContents::Run, "a run", "state.json"},
    {FolderContents::Tournament, "a tournament", "tournament.json"},
    {FolderContents::Survey, "a survey", "survey.json"},
    {FolderContents::Study, "a study", "study.json"},
}};

}  // namespace

std::optional<std::string> why_taken(const std::filesystem::path& folder, FolderContents wanted) {
  std::error_code ignored;
  const auto mine = std::ranges::find(kMarks, wanted, &Mark::contents);
  for (const Mark& mark : kMarks)
    if (mark.contents != wanted && std::filesystem::exists(folder / mark.file, ignored))
      return fmt::format("{}: contains {} ({}); give {} a folder of its own", folder.string(),
                         mark.name, mark.file, mine->name);
  return std::nullopt;
}

}  // namespace faultline
