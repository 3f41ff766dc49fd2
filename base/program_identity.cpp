// Where the program is, and what comes with it.
#include "base/program_identity.h"

#include <system_error>

namespace faultline {

std::filesystem::path program_folder() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

std::vector<std::filesystem::path> folders_above(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> folders;
  if (folder.empty()) return folders;
  std::filesystem::path at = std::filesystem::absolute(folder).lexically_normal();
  if (!at.has_filename()) at = at.parent_path();  // "configs/", "."
  for (;; at = at.parent_path()) {
    folders.push_back(at);
    if (at == at.parent_path()) return folders;
  }
}

std::vector<std::filesystem::path> shared_folders(std::string_view name) {
  std::vector<std::filesystem::path> folders = {name};
  for (const std::filesystem::path& folder : folders_above(program_folder())) {
    folders.push_back(folder / name);
    folders.push_back(folder / "share/faultline" / name);
  }
  std::erase_if(folders, [](const std::filesystem::path& folder) {
    std::error_code ignored;
    return !std::filesystem::is_directory(folder, ignored);
  });
  return folders;
}

}  // namespace faultline
