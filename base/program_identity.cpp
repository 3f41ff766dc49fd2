// Where the program is.
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

}  // namespace faultline
