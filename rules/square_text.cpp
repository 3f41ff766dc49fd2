// Names of the 8×8 board's squares and moves.
#include "rules/square_text.h"

#include "rules/fen.h"

namespace faultline {

std::string square_name(Square s) {
  return {static_cast<char>('a' + s % 8), static_cast<char>('1' + s / 8)};
}

Square square_from_name(std::string_view name) {
  if (name.size() != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8')
    return kNoSquare;
  return static_cast<Square>((name[1] - '1') * 8 + (name[0] - 'a'));
}

std::string uci_text(Move move) {
  std::string text = square_name(move.from()) + square_name(move.to());
  if (move.kind() == MoveKind::Promotion) text += piece_letter({move.promotion(), Colour::Black});
  return text;
}

}  // namespace faultline
