// Links the squares of two displaced halves by their locations.
#include "rules/families/displaced_board.h"

#include <array>
#include <cstdlib>
#include <tuple>

#include "base/interned.h"
#include "rules/square_text.h"

namespace faultline {

namespace {

// All locations under any displacement that the family allows, with a margin of a knight's leap.
constexpr int kMargin = 16;

/// Maps locations to squares.
class PlaceMap {
 public:
  explicit PlaceMap(Displacement d) {
    squares_.fill(kNoSquare);
    const Bitboard covered = covered_squares(d);
    for (Square s = 0; s < 64; ++s)
      if (!contains(covered, s)) squares_[slot(point_of(s, d))] = s;
  }
  /// kNoSquare for a void, and outside.
  Square at(Point p) const {
    if (std::abs(p.x) >= 2 * kMargin || std::abs(p.y) >= 2 * kMargin) return kNoSquare;
    return squares_[slot(p)];
  }

 private:
  static constexpr int kSide = 4 * kMargin;
  static std::size_t slot(Point p) {
    return static_cast<std::size_t>((p.y + 2 * kMargin) * kSide + p.x + 2 * kMargin);
  }
  std::array<Square, std::size_t{kSide} * kSide> squares_{};
};

BoardGraph link_places(Displacement d, bool fly) {
  const PlaceMap map(d);
  const Bitboard covered = covered_squares(d);
  BoardGraph graph(64);
  for (Square s = 0; s < 64; ++s)
    graph.set_name(s, square_name(s));
  for (Square s = 0; s < 64; ++s) {
    if (contains(covered, s)) continue;
    const Point from = point_of(s, d);
    for (int i = 0; i < kDirections; ++i) {
      const auto direction = static_cast<Direction>(i);
      const auto [right, up] = kSteps[static_cast<std::size_t>(i)];
      const Square next = map.at({from.x + right, from.y + up});
      if (next != kNoSquare) graph.link(s, direction, next);
      for (int k = 2; fly && next == kNoSquare && k < 2 * kMargin; ++k) {
        const Square beyond = map.at({from.x + k * right, from.y + k * up});
        if (beyond == kNoSquare) continue;
        graph.link_for_riders(s, direction, beyond);
        break;
      }
    }
    for (const int along : {-2, -1, 1, 2})
      for (const int sign : {-1, 1}) {
        const int across = sign * (3 - std::abs(along));
        const Square to = map.at({from.x + along, from.y + across});
        if (to != kNoSquare) graph.add_knight_leap(s, to);
      }
  }
  return graph;
}

}  // namespace

bool halves_touch(Displacement d) {
  const Bitboard covered = covered_squares(d);
  for (Square lower = 0; lower < 32; ++lower)
    for (Square upper = 32; upper < 64; ++upper) {
      const Point a = point_of(lower, d);
      const Point b = point_of(upper, d);
      if (!contains(covered, upper) && std::abs(a.x - b.x) <= 1 && std::abs(a.y - b.y) <= 1)
        return true;
    }
  return false;
}

DisplacedBoard::DisplacedBoard(Displacement d, bool fly)
    : displacement_(d),
      covered_(covered_squares(d)),
      halves_touch_(faultline::halves_touch(d)),
      graph_(link_places(d, fly)),
      tables_(graph_) {}

const DisplacedBoard& DisplacedBoard::of(Displacement d, bool fly) {
  static Interned<std::tuple<int, int, bool>, DisplacedBoard> boards;
  return boards.get({d.dx, d.dy, fly}, [&](const auto&) { return DisplacedBoard(d, fly); });
}

}  // namespace faultline
