// Partitions of boards.
#include "survey/board_regions.h"

#include <algorithm>
#include <utility>

namespace faultline {
namespace {

/// The number at the end of a square's name: 4 of "ab4".
int rank_of(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  return digits < name.size() ? std::stoi(name.substr(digits)) : 0;
}

}  // namespace

BoardRegions board_halves(const std::vector<std::string>& square_names) {
  std::vector<int> ranks;
  for (const std::string& name : square_names)
    ranks.push_back(rank_of(name));
  const int highest = *std::ranges::max_element(ranks);
  const bool has_middle = highest % 2 == 1;
  BoardRegions regions{.names = {"own half", "enemy half"}, .of = {}};
  if (has_middle) regions.names.emplace_back("middle rank");
  for (const Colour colour : {Colour::White, Colour::Black})
    for (const int rank : ranks) {
      const bool middle = has_middle && rank == (highest + 1) / 2;
      const bool own = (rank <= highest / 2) == (colour == Colour::White);
      regions.of[static_cast<std::size_t>(index(colour))].push_back(middle ? 2 : own ? 0 : 1);
    }
  return regions;
}

BoardRegions common_regions(std::vector<std::string> names, std::size_t squares,
                            const std::function<std::size_t(Square)>& region_of) {
  std::vector<std::uint8_t> of;
  for (std::size_t s = 0; s < squares; ++s)
    of.push_back(static_cast<std::uint8_t>(region_of(static_cast<Square>(s))));
  return {.names = std::move(names), .of = {of, of}};
}

}  // namespace faultline
