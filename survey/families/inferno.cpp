// Inferno in surveys: pieces on each level; on a single one, on either half of the board.
#include "rules/families/inferno.h"

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "survey/board_regions.h"

namespace faultline {

BoardRegions own_regions(const InfernoVariant& variant) {
  if (variant.levels == 1) return board_halves(InfernoPosition::graph(variant).names());
  std::vector<std::string> names;
  for (int level = 1; level <= variant.levels; ++level)
    names.push_back(level == 1 ? "level 1, outermost" : fmt::format("level {}", level));
  return common_regions(std::move(names), InfernoPosition::graph(variant).size(),
                        [](Square s) { return static_cast<std::size_t>(s / kLevelSquares); });
}

}  // namespace faultline
