// Earthquake's board: two halves of an 8×8 board, the lower one displaced (docs/rules.md).
#pragma once

#include "rules/attack_tables.h"
#include "rules/bitboard.h"
#include "rules/board_graph.h"
#include "rules/types.h"

namespace faultline {

/// Displacement of the lower half from its usual position: `dx` files to the right, `dy` ranks up.
struct Displacement {
  int dx = 0;
  int dy = 0;
  friend constexpr bool operator==(Displacement, Displacement) = default;
};
constexpr Displacement operator+(Displacement a, Displacement b) {
  return {a.dx + b.dx, a.dy + b.dy};
}
constexpr Displacement operator-(Displacement d) {
  return {-d.dx, -d.dy};
}

/// The location of a square; an undisplaced a1 is at (0, 0).
struct Point {
  int x = 0;
  int y = 0;
  friend constexpr bool operator==(Point, Point) = default;
};

inline constexpr Bitboard kLowerHalf = 0xffffffffU;

constexpr Point point_of(Square s, Displacement d) {
  const int file = s % 8;
  const int rank = s / 8;
  return rank >= 4 ? Point{file, rank} : Point{file + d.dx, rank + d.dy};
}

/// Squares of the upper half that do not exist because the lower half covers them.
constexpr Bitboard covered_squares(Displacement d) {
  Bitboard covered = 0;
  for (Square lower = 0; lower < 32; ++lower) {
    const auto [x, y] = point_of(lower, d);
    if (x >= 0 && x < 8 && y >= 4 && y < 8)
      covered |= square_set<Bitboard>(static_cast<Square>(y * 8 + x));
  }
  return covered;
}

/// Whether some square of one half is a king's step from some square of the other.
bool halves_touch(Displacement d);

/// The tables of one displacement. Squares keep their 8×8 numbers; covered ones are not linked.
class DisplacedBoard {
 public:
  /// Built at the first call for these arguments and kept for the lifetime of the program;
  /// thread-safe. `fly`: riders pass over locations without a square.
  static const DisplacedBoard& of(Displacement d, bool fly);

  DisplacedBoard(Displacement d, bool fly);
  Displacement displacement() const { return displacement_; }
  Bitboard covered() const { return covered_; }
  bool halves_touch() const { return halves_touch_; }
  const BoardGraph& graph() const { return graph_; }
  const LongLineTables& tables() const { return tables_; }

 private:
  Displacement displacement_;
  Bitboard covered_;
  bool halves_touch_;
  BoardGraph graph_;
  LongLineTables tables_;
};

}  // namespace faultline
