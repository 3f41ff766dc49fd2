// Names of the 8×8 board's squares; moves by their text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/move.h"
#include "rules/types.h"

namespace faultline {

/// "e4" for 28. Square = rank * 8 + file.
std::string square_name(Square s);
/// kNoSquare if `name` is not a1 … h8.
Square square_from_name(std::string_view name);

/// The legal move whose text is `text`, or nothing.
template <class P>
std::optional<Move> find_move(const P& position, std::string_view text) {
  typename P::MoveList list;
  position.legal_moves(list);
  for (const Move m : list)
    if (position.move_text(m) == text) return m;
  return std::nullopt;
}

}  // namespace faultline
