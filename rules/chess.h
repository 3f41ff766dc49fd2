// Orthodox chess (RULES.md §1): the yardstick for the core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/piece_board.h"
#include "rules/position.h"

namespace faultline {

/// Chess has no options: its one variant holds nothing.
struct ChessVariant {
  std::string canonical_name() const { return "chess"; }
};

/// Models Position; see rules/position.h for what each member promises.
class ChessPosition {
 public:
  using Variant = ChessVariant;
  // More than any position the parser accepts can have: with m of a side's pieces on the board no
  // more than min(27 m, 16 (64 - m)) destinations are reached, promotions aside.
  using MoveList = BasicMoveList<1024>;

  static const FamilyInfo& info();
  static const Variant& variant(const VariantName& name);
  static ChessPosition start(const Variant&);
  static ChessPosition from_fen(const Variant&, std::string_view fen);

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
  bool has_castling_right(Colour c, bool king_side) const {
    return (castling_ >> (2 * index(c) + (king_side ? 0 : 1)) & 1) != 0;
  }
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

  OrthodoxBoard board_;
  std::uint64_t key_ = 0;
  std::uint32_t move_number_ = 1;
  Square en_passant_ = kNoSquare;
  std::uint16_t plies_ = 0;
  std::uint8_t castling_ = 0;  // bits: 1 K, 2 Q, 4 k, 8 q
  Colour side_ = Colour::White;
};
static_assert(sizeof(ChessPosition) == 88);

}  // namespace faultline
