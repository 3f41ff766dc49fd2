// Chess in surveys: pieces on either half of the board.
#include "survey/families.h"

namespace faultline {

BoardRegions survey_regions(const ChessVariant& variant) {
  return board_halves(square_names(variant));
}

}  // namespace faultline
