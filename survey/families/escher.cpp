// Escher in surveys: pieces on staircases, and those beside them.
#include "rules/families/escher.h"

#include <algorithm>

#include "survey/board_regions.h"

namespace faultline {

BoardRegions own_regions(const EscherVariant& variant) {
  return common_regions(
      {"on a staircase", "elsewhere"}, EscherPosition::graph(variant).size(), [](Square s) {
        const bool on_staircase =
            std::ranges::any_of(EscherPosition::staircases(), [s](const Staircase& staircase) {
              return std::ranges::find(staircase.squares, s) != staircase.squares.end();
            });
        return on_staircase ? 0U : 1U;
      });
}

}  // namespace faultline
