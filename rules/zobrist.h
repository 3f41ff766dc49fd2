// Zobrist keys (Zobrist 1970). They must never change: files may contain them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/seeds.h"
#include "rules/types.h"

namespace faultline::zobrist {

/// A key for a component of the board state: its kind (`tag`, not shared by two families) and its
/// value.
constexpr std::uint64_t state(std::uint32_t tag, std::uint32_t value) {
  return splitmix64(0xfa017 + (static_cast<std::uint64_t>(tag) << 40) + value);
}

inline constexpr std::uint32_t kSideTag = 1;
inline constexpr std::uint32_t kEnPassantTag = 2;
inline constexpr std::uint32_t kCastlingTag = 3;
// 4 and 5 were used once.
inline constexpr std::uint32_t kFirstFamilyTag = 16;

namespace detail {
// [square][colour][type], so that an 8×8 board's part is 8 KiB.
using PieceKeys = std::array<std::array<std::array<std::uint64_t, kPieceTypes>, 2>, kMaxSquares>;
constexpr PieceKeys make_piece_keys() {
  PieceKeys keys{};
  std::uint64_t n = 0;
  for (auto& square : keys)
    for (auto& colour : square)
      for (auto& key : colour)
        key = splitmix64(n++);
  return keys;
}
inline constexpr PieceKeys kPieceKeys = make_piece_keys();
}  // namespace detail

constexpr std::uint64_t piece(Colour c, PieceType t, Square s) {
  return detail::kPieceKeys[s][static_cast<std::size_t>(index(c))]
                           [static_cast<std::size_t>(index(t))];
}
/// Present while Black is to move.
inline constexpr std::uint64_t kBlackToMove = state(kSideTag, 1);
constexpr std::uint64_t en_passant(Square s) {
  return s == kNoSquare ? 0 : state(kEnPassantTag, s);
}
/// `rights`: a bit set in the family's own layout.
constexpr std::uint64_t castling(std::uint32_t rights) {
  return rights == 0 ? 0 : state(kCastlingTag, rights);
}

}  // namespace faultline::zobrist
