// Escher Staircase (RULES.md §2): a move sets the staircases of the square it left in motion.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/piece_board.h"
#include "rules/position.h"

namespace faultline {

/// Escher has no options.
struct EscherVariant {
  std::string canonical_name() const { return "escher"; }
};

/// Six squares that carry their pieces in a circle, in carrying order.
struct Staircase {
  std::array<Square, 6> squares;
};

/// Models Position; see rules/position.h for what each member promises.
class EscherPosition {
 public:
  using Variant = EscherVariant;
  using MoveList = BasicMoveList<1024>;  // as in chess

  static const FamilyInfo& info();
  static const Variant& variant(const VariantName& name);
  static EscherPosition start(const Variant&);
  static EscherPosition from_fen(const Variant&, std::string_view fen);
  /// The eight staircases of §2's table, in its order.
  static const std::array<Staircase, 8>& staircases();

  std::string fen() const;
  void legal_moves(MoveList& list) const;
  std::size_t count_legal_moves() const;
  void play(Move move);
  bool in_check() const;
  Outcome outcome(bool any_legal_move) const;
  std::uint64_t key() const { return key_; }
  std::uint64_t key_from_scratch() const;

  Colour side_to_move() const { return side_; }
  Piece piece_at(Square s) const { return board_.at(s); }
  Bitboard pieces(Colour c, PieceType t) const { return board_.of(c, t); }
  Square en_passant() const { return en_passant_; }
  int plies_since_progress() const { return plies_; }
  /// Carried pawns come back, so only captures and promotions cut repetitions off.
  int repetition_window() const { return repeatable_; }
  int full_move_number() const { return static_cast<int>(move_number_); }

  std::string move_text(Move move) const;
  std::optional<Move> parse_move(std::string_view text) const;
  std::string picture() const;

 private:
  template <Colour us, class Sink>
  void generate(Sink& sink) const;
  template <class Sink>
  void generate(Sink& sink) const;
  /// Whether playing the move leaves the mover's king safe; the slow and certain way.
  bool leaves_king_safe(Move move) const;
  /// Step (1) of a turn: the piece moves, captures and promotes. Returns whether the ply made
  /// progress, and in `irreversible` whether pieces changed.
  bool move_piece(Move move, bool& irreversible);
  /// Step (2): the staircases that contain `left` advance. Returns whether a pawn became a queen.
  bool advance_staircases(Square left);

  OrthodoxBoard board_;
  std::uint64_t key_ = 0;
  std::uint32_t move_number_ = 1;
  Square en_passant_ = kNoSquare;
  std::uint16_t plies_ = 0;
  std::uint16_t repeatable_ = 0;
  Colour side_ = Colour::White;
};
static_assert(sizeof(EscherPosition) == 88);

}  // namespace faultline
