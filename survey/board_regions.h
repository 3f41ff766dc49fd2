// Parts of a board in which a piece may be worth more or less: levels, halves, staircases.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rules/types.h"

namespace faultline {

/// A partition of a variant's squares, as each side sees it.
struct BoardRegions {
  std::vector<std::string> names;  // "own half"
  /// The region in which a piece is, by its colour and square.
  std::array<std::vector<std::uint8_t>, 2> of;

  std::size_t region(Colour c, Square s) const {
    return of[static_cast<std::size_t>(index(c))].at(s);
  }
};

/// Each side's own half and the enemy's, with the rank between them if their number is odd. Ranks
/// are the numbers at the end of the squares' names.
BoardRegions board_halves(const std::vector<std::string>& square_names);

/// Regions that are the same for both sides; `region_of` gives a square's index in `names`.
BoardRegions common_regions(std::vector<std::string> names, std::size_t squares,
                            const std::function<std::size_t(Square)>& region_of);

}  // namespace faultline
