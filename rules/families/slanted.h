// The Slanted Escalator family (docs/rules.md): boards with forks, crabs for pawns, ultras.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/board_position.h"
#include "rules/families/slanted_board.h"

namespace faultline {

/// Standard: queens. Almost: chancellors in their place. SortOfAlmost: only White's.
/// AlmostForBlack: only Black's.
enum class SlantedArmy : std::uint8_t { Standard, Almost, SortOfAlmost, AlmostForBlack };

/// Options, the board, and data derived from the armies.
class SlantedVariant {
 public:
  SlantedVariant(SlantedShape shape, SlantedArmy army, Colour first, bool jump_check);
  std::string canonical_name() const;

  const SlantedBoard& board() const { return *board_; }
  SlantedArmy army() const { return army_; }
  Colour first_mover() const { return first_; }
  bool jump_check() const { return jump_check_; }
  /// White's first rank in the start position, as letters.
  std::string back_rank(Colour c) const;
  /// Whether `c` can ever have a piece of the type.
  bool knows(Piece piece) const;
  /// What crabs of `c` promote to, in move order.
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

/// Models Position; rules/position.h documents each member. A crab is a Pawn. No position has more
/// moves than the base's bound: with m of a side's pieces on the 84 squares no more than min(45 m,
/// 30 (84 - m)) destinations, as ten lines end on a square, and about ten leaps of knights and
/// ultras each.
class SlantedPosition
    : public BoardPosition<SlantedPosition, PieceBoard<WideBitboard, kPieceTypes>, 2048> {
 public:
  using Variant = SlantedVariant;

  static const FamilyInfo& info();
  static VariantDescription describe(const Variant& variant);
  static const Variant& variant(const VariantName& name);
  static SlantedPosition start(const Variant& variant);
  static SlantedPosition from_fen(const Variant& variant, std::string_view fen);

  void play(Move move);
  const Variant& variant() const { return *variant_; }
  std::string picture() const;
  BoardPicture board_picture() const;
  static const BoardGraph& graph(const Variant& variant) { return variant.board().graph(); }
  const FenRows& rows() const { return variant_->board().rows(); }
  const std::string& square_text(Square s) const { return variant_->board().name(s); }
  static const PieceKinds& piece_kinds() { return compiled_piece_kinds(kPawnLetter); }

 private:
  friend BoardPosition;
  static constexpr char kPawnLetter = 'C';
  const SlantedTables& tables() const { return variant_->board().tables(); }
  Square find_square(std::string_view name) const { return variant_->board().find(name); }

  template <Colour us, class Sink>
  void generate(Sink& sink) const;
  /// The crab of `them` that has just passed over `passed`: on one of the squares ahead of it.
  WideBitboard passing_crab(Colour them, Square passed) const {
    return tables().pawn_push(them, passed) & board_.of(them, PieceType::Pawn);
  }

  const Variant* variant_ = nullptr;
};
static_assert(sizeof(SlantedPosition) <= 192);

}  // namespace faultline
