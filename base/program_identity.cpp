// Which build of the program this is.
#include "base/program_identity.h"

#include <sys/stat.h>

namespace faultline {

std::string program_build() {
  struct stat file {};
  if (::stat("/proc/self/exe", &file) != 0) return {};
  return std::to_string(file.st_size) + " bytes of " + std::to_string(file.st_mtim.tv_sec) + "." +
         std::to_string(file.st_mtim.tv_nsec);
}

}  // namespace faultline
