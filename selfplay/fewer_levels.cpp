#include "selfplay/fewer_levels.h"

#include <cassert>
#include <cstddef>

namespace faultline {
namespace {

/// "a|b|c", 2: "a|b".
std::string_view first_parts(std::string_view field, int parts) {
  std::size_t end = 0;
  for (; parts > 0 && end != std::string_view::npos; --parts)
    end = field.find('|', end == 0 ? 0 : end + 1);
  return field.substr(0, end);
}

}  // namespace

std::string with_first_levels(std::string_view fen, int levels) {
  assert(levels > 0);
  const std::size_t board = fen.find(' '), side = fen.find(' ', board + 1),
                    castling = fen.find(' ', side + 1);
  std::string result(first_parts(fen.substr(0, board), levels));
  result += fen.substr(board, side + 1 - board);
  result += first_parts(fen.substr(side + 1, castling - side - 1), levels);
  result += fen.substr(castling);
  return result;
}

}  // namespace faultline
