// The memory that each search tree of a run may have.
#pragma once

#include <cstddef>
#include <string>

#include "record/config.h"

namespace faultline {

struct TreeMemory {
  std::size_t all_bytes;   // selfplay.tree_memory, or half of the machine's memory
  std::size_t trees;       // at a time, with one per thread that is being moved to a new root
  std::size_t tree_bytes;  // for each: at least Tree::kLeastBytes
};
TreeMemory tree_memory(const Config& config);

/// What to tell a user whose searches were cut short.
std::string tree_memory_warning(const Config& config);

}  // namespace faultline
