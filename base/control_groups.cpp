// Reads /proc/self/cgroup and walks up from the group that it names.
#include "base/control_groups.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <string>
#include <system_error>

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// Whether "cpu,cpuacct" lists "cpu".
bool lists(std::string_view controllers, std::string_view controller) {
  while (!controllers.empty()) {
    const std::size_t end = std::min(controllers.find(','), controllers.size());
    if (controllers.substr(0, end) == controller) return true;
    controllers.remove_prefix(std::min(end + 1, controllers.size()));
  }
  return false;
}

/// Adds the folders from `mount`/`group` up to `mount`. A container's own group may have another
/// path inside the container: folders that do not exist are left out.
void add_with_parents(const fs::path& mount, const fs::path& group, std::vector<fs::path>& groups) {
  for (fs::path path = group.relative_path();; path = path.parent_path()) {
    std::error_code ignored;
    const fs::path folder = path.empty() ? mount : mount / path;
    if (fs::is_directory(folder, ignored)) groups.push_back(folder);
    if (path.empty()) return;
  }
}

}  // namespace

std::vector<fs::path> control_groups(std::string_view controller, const ControlGroupFiles& files) {
  std::vector<fs::path> groups;
  std::ifstream in(files.membership);
  // "0::/path" for version 2, "4:cpu,cpuacct:/path" for version 1.
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string_view controllers =
        std::string_view(line).substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) {
      add_with_parents(files.root, group, groups);
      add_with_parents(files.root / "unified", group, groups);  // beside version 1
    } else if (lists(controllers, controller)) {
      add_with_parents(files.root / controller, group, groups);
    }
  }
  return groups;
}

}  // namespace faultline
