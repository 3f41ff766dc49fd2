// Links the slanted boards: an ordinary grid except for the seam below the escalators.
#include "rules/families/slanted_board.h"

#include <stdexcept>
#include <utility>

#include "base/interned.h"

namespace faultline {

namespace {

using enum Direction;

/// All cells of the grid with their links, barriers included: knights leap across those.
class CellGraph {
 public:
  explicit CellGraph(SlantedGrid grid)
      : grid_(grid), graph_(static_cast<std::size_t>(grid.width * grid.height)) {
    for (int rank = 0; rank < grid.height; ++rank)
      for (int file = 0; file < grid.width; ++file)
        for (int d = 0; d < kDirections; ++d) {
          const auto [df, dr] = kSteps[static_cast<std::size_t>(d)];
          link_in_grid(file, rank, static_cast<Direction>(d), file + df, rank + dr);
        }
    link_seam();
    graph_.add_knight_leaps_along_links();
  }
  const BoardGraph& graph() const { return graph_; }
  Square cell(int file, int rank) const { return static_cast<Square>(rank * grid_.width + file); }
  bool is_barrier(Square cell) const {
    return grid_.is_barrier(cell % grid_.width, cell / grid_.width);
  }

 private:
  void link_in_grid(int file, int rank, Direction d, int to_file, int to_rank) {
    if (to_file < 0 || to_file >= grid_.width || to_rank < 0 || to_rank >= grid_.height) return;
    const bool crosses_seam =
        (rank < grid_.first_escalator_rank) != (to_rank < grid_.first_escalator_rank);
    if (!crosses_seam) graph_.link(cell(file, rank), d, cell(to_file, to_rank));
  }
  void link_both_ways(Square lower, Direction d, Square upper) {
    graph_.link(lower, d, upper);
    graph_.link(upper, turned(d, 4), lower);
  }
  void link_seam() {
    const int upper = grid_.first_escalator_rank;
    const int lower = upper - 1;
    const int last = grid_.width - 1;
    for (int i = 0; i < grid_.escalators; ++i) {
      const Square left = cell(i, upper);
      link_both_ways(cell(i, lower), N, left);
      link_both_ways(cell(i, lower), NE, left);
      link_both_ways(cell(i + 1, lower), N, left);
      link_both_ways(cell(i + 1, lower), NW, left);
      const Square right = cell(last - i, upper);
      link_both_ways(cell(last - i, lower), N, right);
      link_both_ways(cell(last - i, lower), NW, right);
      link_both_ways(cell(last - i - 1, lower), N, right);
      link_both_ways(cell(last - i - 1, lower), NE, right);
    }
    for (int file = grid_.escalators + 1; file < last - grid_.escalators; ++file) {
      link_both_ways(cell(file, lower), N, cell(file, upper));
      link_both_ways(cell(file - 1, lower), NE, cell(file, upper));
      link_both_ways(cell(file + 1, lower), NW, cell(file, upper));
    }
  }

  SlantedGrid grid_;
  BoardGraph graph_;
};

std::string name_of(SlantedGrid grid, int file, int rank) {
  const auto letter = [](int f) { return static_cast<char>('a' + f); };
  const std::string number = std::to_string(rank + 1);
  switch (grid.side_of_escalator(file, rank)) {
    case -1:
      return std::string{letter(file), letter(file + 1)} + number;
    case 1:
      return std::string{letter(file - 1), letter(file)} + number;
    default:
      return letter(file) + number;
  }
}

/// Numbers for the cells that are squares.
struct Numbering {
  std::vector<SlantedCell> cells;
  std::vector<Square> squares;  // [rank][file]

  explicit Numbering(SlantedGrid grid) {
    for (int rank = 0; rank < grid.height; ++rank)
      for (int file = 0; file < grid.width; ++file) {
        const bool barrier = grid.is_barrier(file, rank);
        squares.push_back(barrier ? kNoSquare : static_cast<Square>(cells.size()));
        if (!barrier)
          cells.push_back({static_cast<std::int8_t>(file), static_cast<std::int8_t>(rank)});
      }
  }
};

BoardGraph link_squares(SlantedGrid grid) {
  const CellGraph cells(grid);
  const Numbering numbers(grid);
  BoardGraph graph(numbers.cells.size());
  for (Square s = 0; s < graph.size(); ++s) {
    const auto [file, rank] = numbers.cells[s];
    const Square from = cells.cell(file, rank);
    graph.set_name(s, name_of(grid, file, rank));
    for (int d = 0; d < kDirections; ++d)
      for (const Square to : cells.graph().neighbours(from, static_cast<Direction>(d)))
        if (!cells.is_barrier(to)) graph.link(s, static_cast<Direction>(d), numbers.squares[to]);
    for (const Square to : cells.graph().knight_leaps(from)) {
      if (cells.is_barrier(to)) continue;
      // The seam would make some leaps possible in one direction only: make all symmetric.
      graph.add_knight_leap(s, numbers.squares[to]);
      graph.add_knight_leap(numbers.squares[to], s);
    }
  }
  return graph;
}

/// The squares, for each square, to which an ultra can cross a barrier sideways.
std::vector<std::vector<Square>> ways_across_barriers(SlantedGrid grid) {
  const Numbering numbers(grid);
  std::vector<std::vector<Square>> ways(numbers.cells.size());
  for (Square s = 0; s < ways.size(); ++s) {
    const auto [file, rank] = numbers.cells[s];
    for (const int step : {-1, 1}) {
      const int over = file + step;
      if (over >= 0 && over < grid.width && grid.is_barrier(over, rank))
        ways[s].push_back(
            numbers.squares[static_cast<std::size_t>(rank * grid.width + over + step)]);
    }
  }
  return ways;
}

}  // namespace

SlantedTables::SlantedTables(const BoardGraph& graph,
                             const std::vector<std::vector<Square>>& across_barriers,
                             bool jump_check)
    : WideAttackTables(graph),
      ultra_(graph.size()),
      obstacles_(graph.size() * graph.size()),
      jump_check_(jump_check) {
  for (Square s = 0; s < static_cast<Square>(size()); ++s) {
    WideBitboard direct = king(s);
    for (const Square to : across_barriers[s])
      direct |= square_set<WideBitboard>(to);
    ultra_[s] = direct;
    for (int d = 0; d < kDirections; ++d)
      for (const Square over : graph.neighbours(s, static_cast<Direction>(d)))
        for (const Square to : graph.neighbours(over, static_cast<Direction>(d))) {
          ultra_[s] |= square_set<WideBitboard>(to);
          WideBitboard& between = obstacles_[s * size() + to];
          const auto way = square_set<WideBitboard>(over);
          if (contains(direct, to)) continue;
          if (any(between) && between != way)
            throw std::logic_error("slanted board: two ways from " + graph.name(s) + " to " +
                                   graph.name(to));
          between = way;
        }
  }
}

const SlantedBoard& SlantedBoard::of(SlantedShape shape, bool jump_check) {
  static Interned<std::pair<SlantedShape, bool>, SlantedBoard> boards;
  return boards.get({shape, jump_check},
                    [&](const auto&) { return SlantedBoard(shape, jump_check); });
}

SlantedBoard::SlantedBoard(SlantedShape shape, bool jump_check)
    : shape_(shape),
      cells_(Numbering(grid()).cells),
      squares_(Numbering(grid()).squares),
      ranks_(static_cast<std::size_t>(grid().height)),
      rows_(static_cast<std::size_t>(grid().height)),
      graph_(link_squares(grid())),
      tables_(graph_, ways_across_barriers(grid()), jump_check),
      rights_kept_(size(), std::uint8_t{15}) {
  const int height = grid().height;
  for (Square s = 0; s < static_cast<Square>(size()); ++s) {
    ranks_[static_cast<std::size_t>(cells_[s].rank)] |= square_set<WideBitboard>(s);
    rows_[static_cast<std::size_t>(height - 1 - cells_[s].rank)].push_back(s);
  }
  // On the ultra board there is another piece outside each rook.
  const bool wide = shape == SlantedShape::Ultra;
  const int king = wide ? 5 : 4;
  unsigned right = 1;
  for (const Colour c : {Colour::White, Colour::Black})
    for (const int step : {1, -1}) {
      const auto on_back_rank = [&](int file) {
        return square_at(file, c == Colour::White ? 0 : height - 1);
      };
      const int rook = step > 0 ? (wide ? 8 : 7) : (wide ? 1 : 0);
      CastlingSide<WideBitboard> side{.right = right,
                                      .colour = c,
                                      .king_from = on_back_rank(king),
                                      .king_to = on_back_rank(king + 2 * step),
                                      .rook_from = on_back_rank(rook),
                                      .rook_to = on_back_rank(king + step),
                                      .empty = {}};
      for (int file = king + step; file != rook; file += step)
        side.empty |= square_set<WideBitboard>(on_back_rank(file));
      for (const Square s : {side.king_from, side.rook_from})
        rights_kept_[s] = static_cast<std::uint8_t>(rights_kept_[s] & ~right);
      castling_[static_cast<std::size_t>(std::countr_zero(right))] = side;
      right <<= 1;
    }
}

}  // namespace faultline
