// Castling on the 8×8 board with king and rooks on their usual squares, for all families that have
// it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "rules/castling.h"
#include "rules/piece_board.h"
#include "rules/square_text.h"

namespace faultline::square_castling {

constexpr Bitboard squares(Square from, Square to) {
  Bitboard set = 0;
  for (Square s = from; s <= to; ++s)
    set |= square_set<Bitboard>(s);
  return set;
}

inline constexpr CastlingSides<Bitboard> kSides = {{
    {1, Colour::White, 4, 6, 7, 5, squares(5, 6)},
    {2, Colour::White, 4, 2, 0, 3, squares(1, 3)},
    {4, Colour::Black, 60, 62, 63, 61, squares(61, 62)},
    {8, Colour::Black, 60, 58, 56, 59, squares(57, 59)},
}};

constexpr CastlingSide<Bitboard> side_of_move(Square king_from, Square king_to) {
  return kSides[(king_from >= 56 ? 2U : 0U) + (king_to < king_from ? 1U : 0U)];
}

/// The rights that survive a move from or to each square.
inline constexpr std::array<std::uint8_t, 64> kRightsKept = [] {
  std::array<std::uint8_t, 64> kept{};
  kept.fill(15);
  for (const auto& side : kSides)
    for (const Square s : {side.king_from, side.rook_from})
      kept[s] = static_cast<std::uint8_t>(kept[s] & ~side.right);
  return kept;
}();

/// The rights that survive a move.
inline unsigned kept_after(Move move) {
  return kRightsKept[move.from()] & kRightsKept[move.to()];
}

inline unsigned possible_rights(const OrthodoxBoard& board) {
  return possible_castling(kSides, board);
}

inline std::uint8_t read_rights(std::string_view field, const OrthodoxBoard& board) {
  return read_castling(field, kSides, board, square_name);
}

/// As generate_castling() of rules/castling.h.
template <Colour us, class Tables, class Emit>
void generate(const Tables& tables, const OrthodoxBoard& board, unsigned rights, Bitboard blocked,
              Emit&& emit) {
  generate_castling<us>(tables, board, kSides, rights, blocked, emit);
}

}  // namespace faultline::square_castling
