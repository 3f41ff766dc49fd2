// Types shared by every family: squares, colours, pieces, outcomes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace faultline {

/// Index of a square within its variant's board, 0 … squares-1 (at most 384: six levels of 64).
using Square = std::uint16_t;
inline constexpr int kMaxSquares = 384;
/// "No square": for an absent en passant square or a failed lookup.
inline constexpr Square kNoSquare = 1023;
/// A drop's from() is this and the index of the piece's type.
inline constexpr Square kDropFrom = 512;

enum class Colour : std::uint8_t { White, Black };

constexpr Colour operator~(Colour c) {
  return c == Colour::White ? Colour::Black : Colour::White;
}
constexpr int index(Colour c) {
  return static_cast<int>(c);
}
constexpr std::string_view name(Colour c) {
  return c == Colour::White ? "white" : "black";
}

/// Kinds of pieces over all families that are compiled. A crab is the slanted boards' pawn and is
/// `Pawn` here. In games of files a type is only a number, and PieceKinds says what it is.
enum class PieceType : std::uint8_t {
  Pawn,
  Knight,
  Bishop,
  Rook,
  Queen,
  King,
  Chancellor,
  Ultra,
  None = 16
};
inline constexpr int kPieceTypes = 8;
/// Of games of files.
inline constexpr int kMostPieceTypes = 16;
/// The orthodox six come first; families without fairy pieces need arrays of this size only.
inline constexpr int kOrthodoxTypes = 6;

constexpr int index(PieceType t) {
  return static_cast<int>(t);
}

struct Piece {
  PieceType type = PieceType::None;
  Colour colour = Colour::White;
  friend constexpr bool operator==(Piece, Piece) = default;
  constexpr bool exists() const { return type != PieceType::None; }
};

/// The result of a game, in the order in which docs/rules.md checks for them. `Adjudicated` is the
/// end at a ply limit (a training run's, never a rule).
enum class Outcome : std::uint8_t {
  Ongoing,
  WhiteWins,
  BlackWins,
  Stalemate,
  BareKings,
  FiftyMoveRule,
  Repetition,
  Adjudicated
};

constexpr bool is_over(Outcome o) {
  return o != Outcome::Ongoing;
}
constexpr bool is_draw(Outcome o) {
  return o > Outcome::BlackWins;
}
constexpr Outcome win_for(Colour c) {
  return c == Colour::White ? Outcome::WhiteWins : Outcome::BlackWins;
}
/// +1 if `c` won, -1 if `c` lost, 0 for every draw and for a game in progress.
constexpr int score_for(Outcome o, Colour c) {
  if (o != Outcome::WhiteWins && o != Outcome::BlackWins) return 0;
  return o == win_for(c) ? 1 : -1;
}

/// "white", "black", "draw:stalemate", … ; "" while the game is in progress.
constexpr std::string_view name(Outcome o) {
  constexpr std::array<std::string_view, 8> kNames = {
      "",           "white",         "black",           "draw:stalemate",
      "draw:kings", "draw:100plies", "draw:repetition", "draw:cut"};
  return kNames[static_cast<std::size_t>(o)];
}

}  // namespace faultline
