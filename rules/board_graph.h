// The shape of a board as data: squares, and for each its neighbours in eight directions.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "rules/types.h"

namespace faultline {

/// Clockwise from north; even values are orthogonal, odd ones diagonal.
enum class Direction : std::uint8_t { N, NE, E, SE, S, SW, W, NW };
inline constexpr int kDirections = 8;
constexpr int index(Direction d) {
  return static_cast<int>(d);
}
constexpr Direction turned(Direction d, int eighths) {
  return static_cast<Direction>((index(d) + eighths + kDirections) % kDirections);
}
/// Files to the right and ranks up of a step in each direction, on a grid.
inline constexpr std::array<std::array<int, 2>, kDirections> kSteps = {
    {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};

/// Squares and directed links. A direction of a square has no neighbour (the edge, a void), one, or
/// two (a fork: lines continue along each). Every board is described in this form: AttackTables
/// follows the links and uses no coordinates.
class BoardGraph {
 public:
  using Neighbours = std::vector<Square>;

  explicit BoardGraph(std::size_t squares)
      : names_(squares), links_(squares), rides_(squares), knight_(squares) {}

  /// A files × ranks rectangle, square = rank * files + file, named a1 … .
  static BoardGraph rectangle(int files, int ranks);
  /// `levels` copies of a board, whose squares are numbered one copy after the other and named
  /// 1a1 … .
  static BoardGraph stacked(const BoardGraph& board, int levels);

  std::size_t size() const { return names_.size(); }
  void set_name(Square s, std::string name) { names_[s] = std::move(name); }
  const std::string& name(Square s) const { return names_[s]; }
  const std::vector<std::string>& names() const { return names_; }
  /// The square with that name, or kNoSquare.
  Square find(std::string_view name) const;

  void link(Square from, Direction d, Square to);
  const Neighbours& neighbours(Square s, Direction d) const {
    return links_[s][static_cast<std::size_t>(index(d))];
  }
  /// A link for riders only: the next square of a line that passes over a void.
  void link_for_riders(Square from, Direction d, Square to);
  /// The next squares of a rider's line: the links, and those for riders only.
  const Neighbours& next_on_line(Square s, Direction d) const {
    return rides_[s][static_cast<std::size_t>(index(d))];
  }

  /// Knight leaps; boards with barriers add their own to those that follow from the links.
  void add_knight_leap(Square from, Square to);
  const Neighbours& knight_leaps(Square s) const { return knight_[s]; }
  /// One orthogonal link, then one diagonal link that leads further outwards, for every square.
  void add_knight_leaps_along_links();

 private:
  std::vector<std::string> names_;
  std::vector<std::array<Neighbours, kDirections>> links_;
  std::vector<std::array<Neighbours, kDirections>> rides_;  // links_ and the links for riders only
  std::vector<Neighbours> knight_;
};

/// The ordinary 8×8 board (a1 = 0, h8 = 63).
const BoardGraph& square_board();

}  // namespace faultline
