// Encoding squares from board graphs.
#include "model/encoding/squares.h"

#include <cstddef>
#include <utility>

namespace faultline {

std::vector<EncodedSquare> encoded_squares(const BoardGraph& graph, int width,
                                           const std::function<int(Square)>& cell_of) {
  std::vector<EncodedSquare> squares;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto s = static_cast<Square>(i);
    EncodedSquare square;
    square.name = graph.name(s);
    square.cell = cell_of(s);
    const int column = square.cell % width;
    const int row = square.cell / width;
    square.x = static_cast<float>(column);
    square.y = static_cast<float>(row);
    for (std::size_t d = 0; d < square.neighbours.size(); ++d) {
      const BoardGraph::Neighbours& linked = graph.neighbours(s, static_cast<Direction>(d));
      square.neighbours[d].assign(linked.begin(), linked.end());
    }
    squares.push_back(std::move(square));
  }
  return squares;
}

std::vector<EncodedSquare> rectangle_squares(int files, int ranks) {
  return encoded_squares(BoardGraph::rectangle(files, ranks), files, [](Square s) { return s; });
}

}  // namespace faultline
