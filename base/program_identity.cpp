// Where the program is.
#include "base/program_identity.h"

#include <system_error>

namespace faultline {

std::filesystem::path program_folder() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace faultline
