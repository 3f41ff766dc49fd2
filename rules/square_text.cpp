// Names of the 8×8 board's squares.
#include "rules/square_text.h"

namespace faultline {

std::string square_name(Square s) {
  return {static_cast<char>('a' + s % 8), static_cast<char>('1' + s / 8)};
}

Square square_from_name(std::string_view name) {
  if (name.size() != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8')
    return kNoSquare;
  return static_cast<Square>((name[1] - '1') * 8 + (name[0] - 'a'));
}

}  // namespace faultline
