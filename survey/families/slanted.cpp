// Slanted in surveys: pieces on escalators, and those beside them.
#include "rules/families/slanted.h"

#include "survey/board_regions.h"

namespace faultline {

BoardRegions own_regions(const SlantedVariant& variant) {
  const SlantedBoard& board = variant.board();
  return common_regions({"on an escalator", "elsewhere"}, board.graph().size(), [&](Square s) {
    const SlantedCell cell = board.cell(s);
    return board.grid().side_of_escalator(cell.file, cell.rank) != 0 ? 0U : 1U;
  });
}

}  // namespace faultline
