// An encoding's squares as data, from the graph of a board.
#pragma once

#include <functional>
#include <vector>

#include "model/encoding/encoding.h"
#include "rules/board_graph.h"

namespace faultline {

/// The graph's squares with their names and links; square s is centred on cell `cell_of(s)` of a
/// canvas `width` cells wide. All exist.
std::vector<EncodedSquare> encoded_squares(const BoardGraph& graph, int width,
                                           const std::function<int(Square)>& cell_of);

/// Those of a files × ranks board whose square s is cell s: planes::Canvas.
std::vector<EncodedSquare> rectangle_squares(int files, int ranks);

}  // namespace faultline
