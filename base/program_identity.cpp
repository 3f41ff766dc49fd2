// Which build of the program this is, and where it is.
#include "base/program_identity.h"

#include <system_error>

#include <sys/stat.h>

namespace faultline {

std::string program_build() {
  struct stat file {};
  if (::stat("/proc/self/exe", &file) != 0) return {};
  return std::to_string(file.st_size) + " bytes of " + std::to_string(file.st_mtim.tv_sec) + "." +
         std::to_string(file.st_mtim.tv_nsec);
}

std::filesystem::path program_folder() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace faultline
