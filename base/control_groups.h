// The control groups (cgroups) of Linux that limit this process, as containers do.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace faultline {

/// Where the system describes control groups; tests have folders of their own.
struct ControlGroupFiles {
  std::filesystem::path membership = "/proc/self/cgroup";
  std::filesystem::path root = "/sys/fs/cgroup";
};

/// Returns the folders of the groups whose limits hold for this process: its own and all that
/// contain it, of version 2, and of version 1 for `controller` ("cpu", "memory"). Empty where there
/// are none.
std::vector<std::filesystem::path> control_groups(std::string_view controller,
                                                  const ControlGroupFiles& files = {});

}  // namespace faultline
