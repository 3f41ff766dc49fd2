// Limits of files and processes, and what to do where they are reached.
#include "base/machine_shortage.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <iterator>
#include <latch>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

namespace faultline {
namespace {

constexpr const char* kFewerThreads = "use fewer --threads, or raise the limit";

std::size_t open_files() {
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  return error ? 0 : static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

std::string limit_of_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return "";
  return fmt::format(" (now {})", limit.rlim_cur);
}

}  // namespace

std::string shortage_advice(const std::error_code& error) {
  if (error.category() != std::generic_category() && error.category() != std::system_category())
    return "";
  switch (error.value()) {
    case EMFILE:
      return fmt::format("{} of open files per process{}: 'ulimit -n'", kFewerThreads,
                         limit_of_files());
    case ENFILE:
      return "use fewer --threads, or raise the system's limit of open files: 'sysctl fs.file-max'";
    case EAGAIN:
      return fmt::format("{} of processes and threads: 'ulimit -u', or that of the container",
                         kFewerThreads);
    case ENOMEM:
      return "memory ran out: use fewer --threads or smaller settings, or end other programs";
    case ENOSPC:
    case EDQUOT:
      return "free some space there, or write to another place";
    default:
      return "";
  }
}

void require_files(std::size_t more) {
  constexpr std::size_t kOther = 32;  // networks, records, what libraries open
  const std::size_t needed = open_files() + more + kOther;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, needed);
  if (limit.rlim_cur == needed && setrlimit(RLIMIT_NOFILE, &limit) == 0) return;
  throw MachineShortage(fmt::format(
      "up to {} files would be open at the same time, and this process may open {}: use fewer "
      "--threads, or raise the limit: 'ulimit -n {}'",
      needed, before, needed));
}

void require_tasks(std::size_t more) {
  std::latch end(1);
  std::vector<std::jthread> tasks;
  tasks.reserve(more);
  try {
    while (tasks.size() < more)
      tasks.emplace_back([&end] { end.wait(); });
    end.count_down();
  } catch (const std::exception& error) {  // a std::system_error, or std::bad_alloc
    end.count_down();
    const auto* const system = dynamic_cast<const std::system_error*>(&error);
    throw MachineShortage(fmt::format(
        "up to {} processes and threads would run at the same time, and only {} more can "
        "be started: {}",
        more, tasks.size(),
        shortage_advice(system != nullptr ? system->code()
                                          : make_error_code(std::errc::not_enough_memory))));
  }
}

}  // namespace faultline
