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
  std::array<Area, 2> gaps{};  // at the start; by column, then row
  /// A knight needs a path of an orthogonal and a diagonal step, in either order, over a square
  /// that exists. Gaps are areas of 2×2 squares, so that it always has one: one of the steps stays
  /// on the area from which it comes or on the one to which it goes. The two values are the same
  /// game.
  bool knights_blocked = false;
  std::string canonical_name() const;
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
  /// Adds, for a shift, the sector's movement and its squares.
  void mark_move(Move move, BoardPicture& after) const;
  /// Pawns that a shift carries onto their last row.
  BoardEffects board_effects(Move move) const;

 private:
  friend BoardPosition;
  static const AttackTables& tables() { return square_board_tables(); }
  Bitboard missing() const { return gaps_; }
  std::uint64_t ground_key() const;
  template <Colour us, class Sink>
  void generate(Sink& sink) const;
  template <Colour us, class Sink>
  void generate_shifts(Square king, bool in_check, Sink& sink) const;
  /// Everything on the sector moves. Returns whether a pawn became a queen.
  bool shift_sector(Area from, Area to);

  Bitboard gaps_ = 0;
};
static_assert(sizeof(ShiftingPosition) == 96);

}  // namespace faultline
