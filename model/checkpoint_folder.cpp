// Checkpoints in a folder.
#include "model/checkpoint_folder.h"

#include <algorithm>
#include <system_error>

namespace faultline {

std::vector<NamedCheckpoint> checkpoints_in(const std::filesystem::path& nets) {
  std::vector<NamedCheckpoint> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(nets, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::filesystem::path& file = entry->path();
    if (file.extension() == ".pt" && is_step_count(file.stem().string()))
      found.push_back({std::stoll(file.stem().string()), file});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.steps < b.steps; });
  return found;
}

bool is_step_count(const std::string& stem) {
  return !stem.empty() && stem.size() < 19 &&
         stem.find_first_not_of("0123456789") == std::string::npos;
}

std::optional<std::filesystem::path> run_of_net(const std::filesystem::path& net) {
  if (net.parent_path().filename() == "nets" && net.parent_path().has_parent_path())
    return net.parent_path().parent_path();
  const std::filesystem::path nets =
      std::filesystem::absolute(net).lexically_normal().parent_path();
  if (nets.filename() != "nets") return std::nullopt;
  return nets.parent_path().lexically_proximate(std::filesystem::current_path());
}

}  // namespace faultline
