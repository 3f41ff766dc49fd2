// The Slanted Escalator family (RULES.md §3): boards that fork, crabs for pawns, ultras.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/piece_board.h"
#include "rules/position.h"
#include "rules/slanted_board.h"

namespace faultline {

/// Standard: queens. Almost: chancellors in their place. SortOfAlmost: only White's.
enum class SlantedArmy : std::uint8_t { Standard, Almost, SortOfAlmost };

/// Options, the board, and what follows from the armies.
class SlantedVariant {
 public:
  SlantedVariant(SlantedShape shape, SlantedArmy army, Colour first, bool jump_check);
  std::string canonical_name() const;

  const SlantedBoard& board() const { return *board_; }
  SlantedArmy army() const { return army_; }
  Colour first_mover() const { return first_; }
  bool jump_check() const { return jump_check_; }
  /// White's first rank at the start, as letters.
  std::string back_rank(Colour c) const;
  /// Whether `c` can ever have a piece of the type.
  bool knows(Piece piece) const;
  /// What crabs of `c` promote to, in the order in which moves are listed.
  std::span<const PieceType> promotions(Colour c) const {
    return promotions_[static_cast<std::size_t>(index(c))];
  }

 private:
  const SlantedBoard* board_;
  SlantedArmy army_;
  Colour first_;
  bool jump_check_;
  std::array<std::vector<PieceType>, 2> promotions_;
};

/// Models Position; see rules/position.h for what each member promises. A crab is a Pawn.
class SlantedPosition {
 public:
  using Variant = SlantedVariant;
  // With m of a side's pieces on the 84 squares no more than min(45 m, 30 (84 - m)) destinations:
  // ten lines end on a square, and about ten leaps each of knights and ultras.
  using MoveList = BasicMoveList<2048>;

  static const FamilyInfo& info();
  static const Variant& variant(const VariantName& name);
  static SlantedPosition start(const Variant& variant);
  static SlantedPosition from_fen(const Variant& variant, std::string_view fen);

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
  WideBitboard pieces(Colour c, PieceType t) const { return board_.of(c, t); }
  Square en_passant() const { return en_passant_; }
  bool has_castling_right(Colour c, bool king_side) const {
    return (castling_ >> (2 * index(c) + (king_side ? 0 : 1)) & 1) != 0;
  }
  const Variant& variant() const { return *variant_; }
  int plies_since_progress() const { return plies_; }
  int repetition_window() const { return plies_; }
  int full_move_number() const { return static_cast<int>(move_number_); }

  std::string move_text(Move move) const;
  std::optional<Move> parse_move(std::string_view text) const;
  std::string picture() const;

 private:
  template <Colour us, class Sink>
  void generate(Sink& sink) const;
  template <class Sink>
  void generate(Sink& sink) const;
  /// The crab of `them` that has just passed over `passed`: one of those ahead of it.
  WideBitboard passing_crab(Colour them, Square passed) const {
    return variant_->board().tables().pawn_push(them, passed) & board_.of(them, PieceType::Pawn);
  }
  void place(Colour c, PieceType t, Square s);

  PieceBoard<WideBitboard, kPieceTypes> board_;
  const Variant* variant_ = nullptr;
  std::uint64_t key_ = 0;
  std::uint32_t move_number_ = 1;
  Square en_passant_ = kNoSquare;
  std::uint16_t plies_ = 0;
  std::uint8_t castling_ = 0;  // bits: 1 K, 2 Q, 4 k, 8 q
  Colour side_ = Colour::White;
};
static_assert(sizeof(SlantedPosition) <= 192);

}  // namespace faultline
