// Checkpoints in a folder, named by the steps after which they were written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace faultline {

struct NamedCheckpoint {
  std::int64_t steps = 0;
  std::filesystem::path file;
};

/// The checkpoints in a run's nets/, ordered by the steps in their names; none if it does not
/// exist.
std::vector<NamedCheckpoint> checkpoints_in(const std::filesystem::path& nets);

/// The folder of the run that a net in its nets/ belongs to, wherever the path to the net begins;
/// nullopt if it is in no such folder, as bundles and copied nets are not.
std::optional<std::filesystem::path> run_of_net(const std::filesystem::path& net);

/// Whether a file's name without ".pt" is a number of steps: "000123".
bool is_step_count(const std::string& stem);

}  // namespace faultline
