// Escher Staircase (docs/rules.md): a move sets the staircases of the square it left in motion.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "rules/attack_tables.h"
#include "rules/board_position.h"

namespace faultline {

/// Escher has no options.
struct EscherVariant {
  std::string canonical_name() const { return "escher"; }
};

/// Six squares that carry their pieces in a circle, in carrying order.
struct Staircase {
  std::array<Square, 6> squares;
};

/// Models Position; rules/position.h documents each member. The bound on moves is that of chess.
/// Pawns can be carried back, so only captures and promotions are irreversible.
class EscherPosition : public BoardPosition<EscherPosition, OrthodoxBoard, 1024> {
 public:
  using Variant = EscherVariant;

  static const FamilyInfo& info();
  static VariantDescription describe(const Variant& variant);
  static const Variant& variant(const VariantName& name);
  static EscherPosition start(const Variant&);
  static EscherPosition from_fen(const Variant&, std::string_view fen);
  /// The eight staircases: rows 8, 6, 3, 1, then columns a, c, f, h.
  static const std::array<Staircase, 8>& staircases();

  void play(Move move);
  std::string picture() const;
  BoardPicture board_picture() const;
  /// The move, with the piece on the square it was carried to, and the staircases that moved.
  void mark_move(Move move, BoardPicture& after) const;
  /// The staircases that advance, rows by number and columns by letter, and pawns carried home.
  BoardEffects board_effects(Move move) const;

 private:
  friend BoardPosition;
  static const AttackTables& tables() { return square_board_tables(); }
  template <Colour us, class Sink>
  void generate(Sink& sink) const;
  /// Whether playing the move leaves the mover's king safe, by playing it out.
  bool leaves_king_safe(Move move) const;
  /// Step (2) of a turn: the staircases that contain `left` advance. Returns whether a pawn became
  /// a queen.
  bool advance_staircases(Square left);
};
static_assert(sizeof(EscherPosition) == 88);

}  // namespace faultline
