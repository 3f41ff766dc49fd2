// Asks the system, and the limits of control groups.
#include "base/processor.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

#include "base/text.h"

namespace faultline {
namespace {

int machine_processors() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// The cores that this process may run on; `all` if the system does not say.
int allowed_processors(int all) {
#ifdef __linux__
  // The kernel refuses a set that is smaller than its own, which has up to 8,192 cores.
  for (int size = CPU_SETSIZE; size <= 64 * CPU_SETSIZE; size *= 2) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(size));
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(size));
    const bool told = set != nullptr && sched_getaffinity(0, bytes, set) == 0;
    const int count = told ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (count > 0) return count;
  }
#endif
  return all;
}

/// The processors that a group's quota allows; `all` if it has none.
double quota(const std::filesystem::path& group, double all) {
  double microseconds = 0, period = 0;
  std::ifstream both(group / "cpu.max");  // "max 100000" is no quota
  if (!(both >> microseconds >> period)) {
    std::ifstream(group / "cpu.cfs_quota_us") >> microseconds;  // -1 is none
    std::ifstream(group / "cpu.cfs_period_us") >> period;
  }
  return microseconds > 0 && period > 0 ? microseconds / period : all;
}

}  // namespace

int available_processors(const ControlGroupFiles& groups) {
  const int all = machine_processors();
  double least = std::min(all, allowed_processors(all));
  for (const std::filesystem::path& group : control_groups("cpu", groups))
    least = std::min(least, std::ceil(quota(group, least)));
  return std::max(1, static_cast<int>(least));
}

std::string processor_name() {
  std::string model = "unknown processor";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    model = line.substr(colon + 2);
    break;
  }
  return model + ", " + counted(available_processors(), "core");
}

}  // namespace faultline
