// Asks the system, and the limits of control groups.
#include "base/machine_memory.h"

#include <filesystem>
#include <fstream>

#ifdef __unix__
#include <unistd.h>
#endif
#ifdef __linux__
#include <sys/resource.h>
#endif

namespace faultline {

std::size_t machine_memory(const ControlGroupFiles& groups) {
  std::size_t bytes = 0;
#ifdef __unix__
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0)
    bytes = static_cast<std::size_t>(pages) * static_cast<std::size_t>(page);
#endif
  // Version 2 and 1; "max", or a number beyond any memory, if there is no limit.
  for (const std::filesystem::path& group : control_groups("memory", groups))
    for (const char* const file : {"memory.max", "memory.limit_in_bytes"}) {
      std::ifstream in(group / file);
      if (std::size_t limit = 0; in >> limit && limit > 0 && (bytes == 0 || limit < bytes))
        bytes = limit;
    }
  return bytes;
}

std::size_t most_process_memory() {
#ifdef __linux__
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
#endif
  return 0;
}

}  // namespace faultline
