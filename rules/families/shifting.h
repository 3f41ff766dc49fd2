// Shifting Chess (docs/rules.md): sectors of four squares slide into two gaps, with their pieces.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "rules/attack_tables.h"
#include "rules/board_position.h"

namespace faultline {

/// An area of 2×2 squares: index = row * 4 + column, AI = 0, DIV = 15.
using Area = std::uint8_t;
inline constexpr Area kAreas = 16;

constexpr Square first_square(Area a) {
  return static_cast<Square>(a / 4 * 16 + a % 4 * 2);
}
constexpr Bitboard area_squares(Area a) {
  return Bitboard{0x303} << first_square(a);
}
constexpr Area area_of(Square s) {
  return static_cast<Area>(s / 16 * 4 + s % 8 / 2);
}
/// "BII": column, then row.
std::string area_name(Area a);

struct ShiftingVariant {
  std::array<Area, 2> gaps{};    // at the start; by column, then row
  bool knights_blocked = false;  // a knight needs a path of two king's steps that touches no gap
  std::string canonical_name() const;
};

/// Where a knight's moves from each square lead, whatever stands there.
using KnightMoves = std::array<Bitboard, 64>;

/// The 8×8 board's tables, but with knights that gaps may block. It has what the generator asks of
/// tables (rules/attack_tables.h documents each member).
class GapTables {
 public:
  explicit GapTables(const KnightMoves& knights) : knights_(&knights) {}
  Bitboard knight(Square s) const { return (*knights_)[s]; }
  Bitboard king(Square s) const { return board_->king(s); }
  Bitboard pawn_attacks(Colour c, Square s) const { return board_->pawn_attacks(c, s); }
  Bitboard pawn_push(Colour c, Square s) const { return board_->pawn_push(c, s); }
  Bitboard orthogonal(Square s, Bitboard blockers) const { return board_->orthogonal(s, blockers); }
  Bitboard diagonal(Square s, Bitboard blockers) const { return board_->diagonal(s, blockers); }
  Bitboard between(Square a, Square b) const { return board_->between(a, b); }

 private:
  const AttackTables* board_ = &square_board_tables();
  const KnightMoves* knights_;
};

/// Models Position; rules/position.h documents each member. A shift is a Move of kind SectorShift
/// from the sector's first square (its lowest) to the first square of the gap. The bound on moves
/// is that of chess: shifts add fewer than 8 per gap, and the gaps remove more. Shifts can carry
/// pawns back, so only captures and promotions are irreversible.
class ShiftingPosition : public BoardPosition<ShiftingPosition, OrthodoxBoard, 1024> {
 public:
  using Variant = ShiftingVariant;

  static const FamilyInfo& info();
  static VariantDescription describe(const Variant& variant);
  static const Variant& variant(const VariantName& name);
  static ShiftingPosition start(const Variant&);
  static ShiftingPosition from_fen(const Variant&, std::string_view fen);

  void play(Move move);
  /// The eight squares that currently do not exist.
  Bitboard gaps() const { return gaps_; }
  std::string move_text(Move move) const;
  std::string picture() const;
  BoardPicture board_picture() const;
  /// For a shift, the sector's movement and its squares.
  void mark_move(Move move, BoardPicture& after) const;
  /// Pawns that a shift carries onto their last row.
  BoardEffects board_effects(Move move) const;

 private:
  friend BoardPosition;
  GapTables tables() const { return GapTables(*knights_); }
  Bitboard missing() const { return gaps_; }
  std::uint64_t ground_key() const;
  template <Colour us, class Sink>
  void generate(Sink& sink) const;
  template <Colour us, class Sink>
  void generate_shifts(Square king, bool in_check, Sink& sink) const;
  /// Everything on the sector moves. Returns whether a pawn became a queen.
  bool shift_sector(Area from, Area to);

  Bitboard gaps_ = 0;
  const KnightMoves* knights_ = nullptr;  // of the variant, with these gaps
};
static_assert(sizeof(ShiftingPosition) == 104);

}  // namespace faultline
