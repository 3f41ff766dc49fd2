// What a folder of results holds, so that no command writes among another's files.
#include "base/result_folder.h"

#include <array>
#include <system_error>

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

std::optional<std::string> other_contents(const std::filesystem::path& folder,
                                          FolderContents wanted) {
  std::error_code ignored;
  for (const Mark& mark : kMarks)
    if (mark.contents != wanted && std::filesystem::exists(folder / mark.file, ignored))
      return std::string("contains ") + mark.name + " (" + mark.file + ")";
  return std::nullopt;
}

}  // namespace faultline
