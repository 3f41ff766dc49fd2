// Opens a file to see whether it can be read.
#include "base/unreadable_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace faultline {

std::optional<std::string> why_unreadable(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    return file.string() + ": cannot be read: it is a folder";
  if (std::filesystem::is_symlink(file, ignored) &&
      std::filesystem::status(file, ignored).type() == std::filesystem::file_type::not_found)
    return fmt::format("{}: cannot be read: it is a link to {}, which does not exist",
                       file.string(), std::filesystem::read_symlink(file, ignored).string());
  errno = 0;
  const std::ifstream in(file, std::ios::binary);
  if (in || errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG) return std::nullopt;
  return file.string() + ": cannot be read: " + std::generic_category().message(errno);
}

}  // namespace faultline
