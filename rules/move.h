// A move in 32 bits, the same layout for every family.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "rules/types.h"

namespace faultline {

/// Board movements come last: Move::moves_board() goes by the order.
enum class MoveKind : std::uint8_t {
  Normal,       // a piece moves from one square to another, capturing any piece there
  DoubleStep,   // a pawn's two-square advance
  EnPassant,    // a pawn captures one that has just passed over `to`
  Castling,     // from/to are the king's squares
  Promotion,    // to promotion()
  SectorShift,  // shifting: from/to are squares of the areas (their first ones)
  Aftershock,   // earthquake: by amount() files or ranks
};

//   31      28 27      24 23      20 19        10 9          0
//  +----------+----------+----------+------------+------------+
//  |  amount  | promote  |   kind   |     to     |    from    |     an aftershock by ranks has
//  +----------+----------+----------+------------+------------+     1 instead of a promotion
class Move {
 public:
  Move() = default;  // not initialised: move lists cost nothing until they are filled
  /// The null move, not a legal move in any family (from == to == 0).
  static constexpr Move none() { return from_bits(0); }
  constexpr Move(Square from, Square to, MoveKind kind = MoveKind::Normal)
      : bits_(static_cast<std::uint32_t>(from) | static_cast<std::uint32_t>(to) << 10 |
              static_cast<std::uint32_t>(kind) << 20) {}

  static constexpr Move promotion_to(Square from, Square to, PieceType type) {
    Move m(from, to, MoveKind::Promotion);
    m.bits_ |= static_cast<std::uint32_t>(type) << 24;
    return m;
  }
  /// A board movement by `amount` files, -7 … 7 (to the left if negative), or by as many ranks
  /// (down if negative).
  static constexpr Move aftershock(int amount, bool by_ranks = false) {
    Move m(kNoSquare, kNoSquare, MoveKind::Aftershock);
    m.bits_ |= static_cast<std::uint32_t>(amount & 15) << 28 | std::uint32_t{by_ranks} << 24;
    return m;
  }
  static constexpr Move from_bits(std::uint32_t bits) {
    Move m(0, 0);
    m.bits_ = bits;
    return m;
  }

  constexpr Square from() const { return static_cast<Square>(bits_ & 1023); }
  constexpr Square to() const { return static_cast<Square>(bits_ >> 10 & 1023); }
  constexpr MoveKind kind() const { return static_cast<MoveKind>(bits_ >> 20 & 15); }
  /// Whether a part of the board moves, and no piece from from() to to().
  constexpr bool moves_board() const { return kind() > MoveKind::Promotion; }
  /// Whether a piece comes from a hand; position.piece_at(from()) is then that piece.
  constexpr bool is_drop() const { return from() >= kDropFrom && has_squares(); }
  /// Whether from() and to() are squares, or from() a hand; a board movement may have none.
  constexpr bool has_squares() const { return from() != kNoSquare; }
  /// Meaningful for MoveKind::Promotion only.
  constexpr PieceType promotion() const { return static_cast<PieceType>(bits_ >> 24 & 15); }
  /// Meaningful for MoveKind::Aftershock only.
  constexpr int amount() const {
    const int a = static_cast<int>(bits_ >> 28);
    return a >= 8 ? a - 16 : a;
  }
  /// Whether an aftershock's amount() is a number of ranks.
  constexpr bool by_ranks() const { return (bits_ >> 24 & 15) != 0; }
  constexpr std::uint32_t bits() const { return bits_; }

  friend constexpr bool operator==(Move, Move) = default;

 private:
  std::uint32_t bits_;
};
static_assert(sizeof(Move) == 4);

/// A list of at most `Capacity` moves, on the stack and not initialised.
template <std::size_t Capacity>
class BasicMoveList {
 public:
  static constexpr std::size_t capacity() { return Capacity; }
  void push(Move m) {
    assert(size_ < Capacity);
    moves_[size_++] = m;
  }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](std::size_t i) const {
    assert(i < size_);
    return moves_[i];
  }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }
  Move* begin() { return moves_.data(); }
  Move* end() { return moves_.data() + size_; }

 private:
  std::size_t size_ = 0;
  std::array<Move, Capacity> moves_;
};

}  // namespace faultline
