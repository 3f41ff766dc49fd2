// Earthquake in surveys: pieces on either side of the fault, which are the halves of the board.
#include "survey/families.h"

namespace faultline {

BoardRegions survey_regions(const EarthquakeVariant& variant) {
  return board_halves(square_names(variant));
}

}  // namespace faultline
