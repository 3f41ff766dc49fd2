// Building boards link by link.
#include "rules/board_graph.h"

#include <algorithm>

namespace faultline {

namespace {
void add_once(BoardGraph::Neighbours& list, Square s) {
  if (std::find(list.begin(), list.end(), s) == list.end()) list.push_back(s);
}
}  // namespace

BoardGraph BoardGraph::rectangle(int files, int ranks) {
  BoardGraph graph(static_cast<std::size_t>(files * ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    for (int file = 0; file < files; ++file) {
      const auto from = static_cast<Square>(rank * files + file);
      graph.set_name(from,
                     std::string(1, static_cast<char>('a' + file)) + std::to_string(rank + 1));
      for (int d = 0; d < kDirections; ++d) {
        const int to_file = file + kSteps[static_cast<std::size_t>(d)][0];
        const int to_rank = rank + kSteps[static_cast<std::size_t>(d)][1];
        if (to_file < 0 || to_file >= files || to_rank < 0 || to_rank >= ranks) continue;
        graph.link(from, static_cast<Direction>(d), static_cast<Square>(to_rank * files + to_file));
      }
    }
  }
  graph.add_knight_leaps_along_links();
  return graph;
}

BoardGraph BoardGraph::stacked(const BoardGraph& board, int levels) {
  BoardGraph graph(board.size() * static_cast<std::size_t>(levels));
  for (Square to = 0; to < graph.size(); ++to) {
    const auto s = static_cast<Square>(to % board.size());
    const std::size_t level = to / board.size();
    const auto moved = [&](Neighbours squares) {
      for (Square& square : squares)
        square = static_cast<Square>(square + level * board.size());
      return squares;
    };
    graph.names_[to] = std::to_string(level + 1) + board.names_[s];
    for (std::size_t d = 0; d < kDirections; ++d) {
      graph.links_[to][d] = moved(board.links_[s][d]);
      graph.rides_[to][d] = moved(board.rides_[s][d]);
    }
    graph.knight_[to] = moved(board.knight_[s]);
  }
  return graph;
}

Square BoardGraph::find(std::string_view name) const {
  const auto it = std::find(names_.begin(), names_.end(), name);
  return it == names_.end() ? kNoSquare : static_cast<Square>(it - names_.begin());
}

void BoardGraph::link(Square from, Direction d, Square to) {
  add_once(links_[from][static_cast<std::size_t>(index(d))], to);
  link_for_riders(from, d, to);
}

void BoardGraph::link_for_riders(Square from, Direction d, Square to) {
  add_once(rides_[from][static_cast<std::size_t>(index(d))], to);
}

void BoardGraph::add_knight_leap(Square from, Square to) {
  add_once(knight_[from], to);
}

void BoardGraph::add_knight_leaps_along_links() {
  for (std::size_t from = 0; from < size(); ++from)
    for (const Direction straight : {Direction::N, Direction::E, Direction::S, Direction::W})
      for (const Square over : neighbours(static_cast<Square>(from), straight))
        for (const int turn : {-1, 1})
          for (const Square to : neighbours(over, turned(straight, turn)))
            add_knight_leap(static_cast<Square>(from), to);
}

const BoardGraph& square_board() {
  static const BoardGraph graph = BoardGraph::rectangle(8, 8);
  return graph;
}

}  // namespace faultline
