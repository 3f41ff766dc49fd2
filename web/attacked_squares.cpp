// Asks the rules of each family: compiled once for all of them.
#include "web/attacked_squares.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "rules/families.h"
#include "rules/variant.h"

namespace faultline::web {

Attacks attacks_of(const Game& game, const GamePosition& position, Colour by) {
  return with_family(
      parse_variant_name(game.variant()),
      [&]<Position P>(std::type_identity<P>, const typename P::Variant& variant) {
        Attacks attacks;
        P::from_fen(variant, position.fen()).for_each_attacked(by, [&](Square square, bool twice) {
          attacks.squares.push_back(square);
          if (twice) attacks.twice.push_back(square);
        });
        std::ranges::sort(attacks.squares);
        std::ranges::sort(attacks.twice);
        return attacks;
      });
}

std::vector<std::array<Square, 4>> links_of(const Game& game) {
  return with_family(parse_variant_name(game.variant()),
                     []<Position P>(std::type_identity<P>, const typename P::Variant& variant) {
                       const BoardGraph& graph = P::graph(variant);
                       std::vector<std::array<Square, 4>> links(graph.size());
                       constexpr std::array<Direction, 4> kWays = {Direction::W, Direction::E,
                                                                   Direction::N, Direction::S};
                       for (std::size_t s = 0; s < graph.size(); ++s)
                         for (std::size_t way = 0; way < kWays.size(); ++way) {
                           const auto& next =
                               graph.neighbours(static_cast<Square>(s), kWays.at(way));
                           links[s].at(way) = next.empty() ? kNoSquare : next.front();
                         }
                       return links;
                     });
}

}  // namespace faultline::web
