// Divides a run's memory among its games.
#include "record/tree_memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/machine_memory.h"
#include "search/tree.h"

namespace faultline {

TreeMemory tree_memory(const Config& config) {
  static const std::size_t machine = machine_memory();
  const auto threads = static_cast<std::size_t>(actor_threads(config));
  TreeMemory memory{};
  // While its root moves, a tree exists twice; a thread moves one at a time.
  // With a strategy each side of a game has its own.
  const std::size_t of_a_game = config.selfplay.strategy.empty() ? 1 : 2;
  memory.trees =
      threads * (of_a_game * static_cast<std::size_t>(config.selfplay.games_per_thread) + 1);
  if (config.selfplay.tree_memory > 0)
    memory.all_bytes = static_cast<std::size_t>(config.selfplay.tree_memory) << 20;
  else if (machine > 0)
    memory.all_bytes = machine / 2;
  else
    memory.all_bytes = memory.trees * NodeMemory::kMostBytes;
  memory.tree_bytes =
      std::clamp(memory.all_bytes / memory.trees, Tree::kLeastBytes, NodeMemory::kMostBytes);
  return memory;
}

std::string tree_memory_warning(const Config& config) {
  const TreeMemory memory = tree_memory(config);
  return fmt::format(
      "searches end before their visits because their trees are full: selfplay.tree_memory is "
      "{} MiB{}, {:.1f} MiB for each of {} trees; raise it, or lower search.visits or "
      "selfplay.games_per_thread",
      memory.all_bytes >> 20, config.selfplay.tree_memory == 0 ? " by default" : "",
      static_cast<double>(memory.tree_bytes) / (1 << 20), memory.trees);
}

}  // namespace faultline
