// Writing and reading planes, shared by the encoders of orthodox armies on rectangular boards.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/encoding/encoding.h"
#include "rules/bitboard.h"
#include "rules/move.h"
#include "rules/types.h"

namespace faultline::planes {

inline constexpr int kPieces = 12;  // planes 0 … 11: own pawn … own king, enemy pawn … enemy king
inline constexpr std::size_t kCastlingPlanes = 4;
inline constexpr double kProgressScale = 100;  // the counter's plane holds plies / this

/// The board as seen by Black; White sees it as its squares are numbered.
enum class View { MirrorRanks, HalfTurn };

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

/// Castling is encoded as the king's move, double steps and en passant as the pawn's.
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

/// Exchanges left and right of every plane's first `used` columns.
inline void mirror_files(std::span<float> all, int width, int used) {
  for (auto row = all.begin(); row < all.end(); row += width)
    std::reverse(row, row + used);
}
inline std::int32_t mirrored_cell(std::int32_t cell, int width, int used) {
  return cell / width * width + used - 1 - cell % width;
}

/// Planes of a board of `Files` × `Ranks` squares (square = rank * Files + file), one cell each.
template <int Files, int Ranks = Files>
struct Canvas {
  static constexpr std::size_t kCells = Files * Ranks;

  static constexpr Square cell_of(Square square, Colour mover, View black_view) {
    if (mover == Colour::White) return square;
    const int turned = static_cast<int>(kCells) - 1 - square;
    return static_cast<Square>(
        black_view == View::HalfTurn ? turned : turned / Files * Files + square % Files);
  }

  static std::span<float> plane(std::span<float> all, std::size_t index) {
    return all.subspan(index * kCells, kCells);
  }
  static std::span<const float> plane(std::span<const float> all, std::size_t index) {
    return all.subspan(index * kCells, kCells);
  }
  static void fill(std::span<float> all, std::size_t index, float value) {
    std::ranges::fill(plane(all, index), value);
  }
  /// Exchanges left and right in planes and moves.
  static void mirror(std::span<float> all, std::span<PolicyIndex> moves) {
    mirror_files(all, Files, Files);
    for (PolicyIndex& move : moves) {
      move.from = mirrored_cell(move.from, Files, Files);
      move.to = mirrored_cell(move.to, Files, Files);
    }
  }
  /// Whether a side has the right to castle.
  static bool has_castling(std::span<const float> all, std::size_t first) {
    for (std::size_t i = first; i < first + kCastlingPlanes; ++i)
      if (value(all, i) != 0.0F) return true;
    return false;
  }

  /// The value of a constant plane.
  static float value(std::span<const float> all, std::size_t index) { return all[index * kCells]; }

  /// Writes planes 0 … 11, overwriting them.
  template <class P>
  static void write_pieces(const P& position, View black_view, std::span<float> all) {
    std::fill_n(all.data(), kPieces * kCells, 0.0F);
    const Colour mover = position.side_to_move();
    float* out = all.data();
    for (const Colour colour : {mover, ~mover})
      for (int type = 0; type < kOrthodoxTypes; ++type, out += kCells)
        for_each_square(position.pieces(colour, static_cast<PieceType>(type)),
                        [&](Square s) { out[cell_of(s, mover, black_view)] = 1.0F; });
  }

  /// A plane with one cell marked, or none for kNoSquare.
  static void write_square(std::span<float> all, std::size_t index, Square square, Colour mover,
                           View black_view) {
    fill(all, index, 0.0F);
    if (square != kNoSquare) plane(all, index)[cell_of(square, mover, black_view)] = 1.0F;
  }

  /// Four planes from `first` on: own king-side, own queen-side, then the enemy's.
  /// `has_right(colour, king_side)`.
  template <class HasRight>
  static void write_castling(Colour mover, std::size_t first, std::span<float> all,
                             HasRight&& has_right) {
    for (const Colour colour : {mover, ~mover})
      for (const bool king_side : {true, false})
        fill(all, first++, has_right(colour, king_side) ? 1.0F : 0.0F);
  }
  template <class P>
  static void write_castling(const P& position, std::size_t first, std::span<float> all) {
    write_castling(position.side_to_move(), first, all, [&](Colour colour, bool king_side) {
      return position.has_castling_right(colour, king_side);
    });
  }

  /// FEN's first field; the mover's pieces are White's. `missing`: the plane of squares that do not
  /// exist, if any.
  static std::string read_pieces(std::span<const float> all, std::span<const float> missing = {}) {
    constexpr std::string_view kLetters = "PNBRQKpnbrqk";
    std::string text;
    for (int row = Ranks - 1; row >= 0; --row) {
      int empty = 0;
      for (int file = 0; file < Files; ++file) {
        const auto cell = static_cast<std::size_t>(Files * row + file);
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

  /// FEN's castling field, the mover's rights being White's.
  static std::string read_castling(std::span<const float> all, std::size_t first) {
    std::string letters;
    for (const char letter : {'K', 'Q', 'k', 'q'})
      if (value(all, first++) != 0.0F) letters += letter;
    return letters.empty() ? "-" : letters;
  }

  /// FEN's en passant field.
  static std::string read_square(std::span<const float> all, std::size_t index) {
    const auto cells = plane(all, index);
    const auto found = std::ranges::find(cells, 1.0F);
    if (found == cells.end()) return "-";
    const auto cell = found - cells.begin();
    return {static_cast<char>('a' + cell % Files), static_cast<char>('1' + cell / Files)};
  }
};
using SquareCanvas = Canvas<8>;

inline float progress_value(int plies) {
  return static_cast<float>(plies / kProgressScale);
}
inline int plies_of(float value) {
  return static_cast<int>(std::lround(value * kProgressScale));
}

}  // namespace faultline::planes
