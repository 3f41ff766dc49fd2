// What the encoders of orthodox armies on 8x8 boards share: writing planes, reading them back.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/encoding.h"
#include "rules/move.h"
#include "rules/types.h"

namespace faultline::planes {

inline constexpr std::size_t kCells = 64;
inline constexpr int kPieces = 12;  // planes 0 … 11: own pawn … own king, enemy pawn … enemy king
inline constexpr double kProgressScale = 100;  // the counter's plane holds plies / this

/// Which squares' cells a mover sees: White's are the squares, Black's are exclusive-or'd with
/// this.
enum class View : Square { MirrorRanks = 56, HalfTurn = 63 };

constexpr Square cell_of(Square square, Colour mover, View black_view) {
  return mover == Colour::White ? square
                                : static_cast<Square>(square ^ static_cast<Square>(black_view));
}

/// "own pawn", …, "enemy king": the names of planes 0 … 11.
inline std::vector<std::string> piece_plane_names() {
  std::vector<std::string> names;
  for (const char* side : {"own", "enemy"})
    for (const char* type : {"pawn", "knight", "bishop", "rook", "queen", "king"})
      names.push_back(std::string(side) + " " + type);
  return names;
}

inline std::vector<std::string> orthodox_policy_kinds() {
  return {"move", "promote-queen", "promote-rook", "promote-bishop", "promote-knight"};
}

/// Castling is its king's move, a double step and en passant are their pawn's.
inline std::int32_t orthodox_policy_kind(Move move) {
  if (move.kind() != MoveKind::Promotion) return 0;
  switch (move.promotion()) {
    case PieceType::Queen:
      return 1;
    case PieceType::Rook:
      return 2;
    case PieceType::Bishop:
      return 3;
    default:
      return 4;
  }
}

inline std::span<float> plane(std::span<float> all, std::size_t index) {
  return all.subspan(index * kCells, kCells);
}
inline std::span<const float> plane(std::span<const float> all, std::size_t index) {
  return all.subspan(index * kCells, kCells);
}
inline void fill(std::span<float> all, std::size_t index, float value) {
  std::ranges::fill(plane(all, index), value);
}

/// Writes planes 0 … 11, over what was there.
template <class P>
void write_pieces(const P& position, View black_view, std::span<float> all) {
  std::fill_n(all.data(), kPieces * kCells, 0.0F);
  const Colour mover = position.side_to_move();
  float* out = all.data();
  for (const Colour colour : {mover, ~mover})
    for (int type = 0; type < kOrthodoxTypes; ++type, out += kCells)
      for (std::uint64_t left = position.pieces(colour, static_cast<PieceType>(type)); left != 0;
           left &= left - 1)
        out[cell_of(static_cast<Square>(std::countr_zero(left)), mover, black_view)] = 1.0F;
}

/// A plane with one cell marked, or none for kNoSquare.
inline void write_square(std::span<float> all, std::size_t index, Square square, Colour mover,
                         View black_view) {
  fill(all, index, 0.0F);
  if (square != kNoSquare) plane(all, index)[cell_of(square, mover, black_view)] = 1.0F;
}

/// FEN's first field; the mover's pieces are White's. `missing`: a plane of squares that do not
/// exist, or nothing.
inline std::string read_pieces(std::span<const float> all, std::span<const float> missing = {}) {
  constexpr std::string_view kLetters = "PNBRQKpnbrqk";
  std::string text;
  for (int row = 7; row >= 0; --row) {
    int empty = 0;
    for (int file = 0; file < 8; ++file) {
      const auto cell = static_cast<std::size_t>(8 * row + file);
      std::size_t piece = 0;
      while (piece < kLetters.size() && plane(all, piece)[cell] == 0.0F)
        ++piece;
      const bool exists = missing.empty() || missing[cell] == 0.0F;
      if (piece == kLetters.size() && exists) {
        ++empty;
        continue;
      }
      if (empty > 0) text += std::to_string(empty);
      empty = 0;
      text += exists ? kLetters[piece] : '*';
    }
    if (empty > 0) text += std::to_string(empty);
    if (row > 0) text += '/';
  }
  return text;
}

/// FEN's en passant field.
inline std::string read_square(std::span<const float> all, std::size_t index) {
  const auto cells = plane(all, index);
  const auto found = std::ranges::find(cells, 1.0F);
  if (found == cells.end()) return "-";
  const auto cell = found - cells.begin();
  return {static_cast<char>('a' + cell % 8), static_cast<char>('1' + cell / 8)};
}

inline float progress_value(int plies) {
  return static_cast<float>(plies / kProgressScale);
}
inline int plies_of(float value) {
  return static_cast<int>(std::lround(value * kProgressScale));
}
inline int read_progress(std::span<const float> all, std::size_t index) {
  return plies_of(plane(all, index)[0]);
}

}  // namespace faultline::planes
