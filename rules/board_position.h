// A position of a game with one board and one king per side: everything that can be derived from
// the piece placement, the side to move, and the family's description of itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rules/attacked_squares.h"
#include "rules/bitboard.h"
#include "rules/board_effects.h"
#include "rules/board_graph.h"
#include "rules/board_picture.h"
#include "rules/fen.h"
#include "rules/move.h"
#include "rules/piece_board.h"
#include "rules/position.h"
#include "rules/square_text.h"
#include "rules/turn_state.h"

namespace faultline {

/// Base of such a family's Position, which rules/position.h describes. `Family` is the class that
/// derives from it (and befriends it), `Board` a PieceBoard, `MostMoves` an upper bound on the
/// legal moves of any position that the parser accepts. Members only declared here are defined in
/// rules/board_position_impl.h, which the family's .cpp file includes to instantiate them.
///
/// The family must have
///   tables()                               its board's tables
///   template <Colour us, class Sink> void generate(Sink&) const     all legal moves
/// and may hide the members under "Hooks" where it differs from a fixed 8×8 board.
template <class Family, class Board, std::size_t MostMoves>
class BoardPosition : public TurnState {
 public:
  using MoveList = BasicMoveList<MostMoves>;
  using SquareSet = decltype(Board{}.occupied());

  template <class Variant>
  static const BoardGraph& graph(const Variant&) {
    return square_board();
  }

  void legal_moves(MoveList& list) const;
  std::size_t count_legal_moves() const;
  bool in_check() const;
  Outcome outcome(bool any_legal_move) const;
  std::uint64_t key_from_scratch() const;
  std::string fen() const;
  std::string move_text(Move move) const;
  std::optional<Move> parse_move(std::string_view text) const;
  /// The text picture of a rectangular board.
  std::string picture() const;
  BoardPicture board_picture() const;
  /// The move's squares.
  void mark_move(Move move, BoardPicture& after) const;
  /// None: the board stays as it is.
  BoardEffects board_effects(Move) const { return {}; }
  static std::string square_text(Square s) { return square_name(s); }
  /// The squares as a FEN lists them.
  static const FenRows& rows() { return square_board_rows(); }

  Piece piece_at(Square s) const { return board_.at(s); }
  SquareSet pieces(Colour c, PieceType t) const { return board_.of(c, t); }
  template <class F>
  void for_each_piece(F&& f) const {
    board_.for_each_piece(f);
  }
  /// Existing squares only.
  AttackedSquares<SquareSet> attacked_by(Colour c) const;
  template <class F>
  void for_each_attacked(Colour by, F&& f) const {
    const AttackedSquares<SquareSet> attacked = attacked_by(by);
    for_each_square(attacked.once, [&](Square s) { f(s, contains(attacked.twice, s)); });
  }
  bool has_castling_right(Colour c, bool king_side) const {
    return (castling_ >> (2 * index(c) + (king_side ? 0 : 1)) & 1) != 0;
  }

 protected:
  // Hooks, as are graph, square_text, rows, the pictures, and what a move marks and does.
  static Square find_square(std::string_view name) { return square_from_name(name); }
  static constexpr char kPawnLetter = 'P';
  /// Squares that currently do not exist: riders stop before them.
  SquareSet missing() const { return {}; }
  /// The part of the key besides pieces, side to move, castling and en passant.
  std::uint64_t ground_key() const { return 0; }

  // For the family's from_fen, in this order.
  /// Checks that each side has exactly one king and no pawns on its `barred` squares.
  void set_pieces(const FenPlacement& placement, const std::array<SquareSet, 2>& barred);
  /// The square in FEN's en passant field, which must not be "-".
  Square named_en_passant(std::string_view field) const;
  /// Takes `passed` as en passant square if a pawn attacks it.
  void offer_en_passant(Square passed);
  /// Computes the key, and checks that the side not to move is not in check.
  void finish_reading();

  // For the family's board_picture.
  /// Highlights the mover's king if it is in check.
  void mark_check(BoardPicture& picture) const;

  // For the family's `play`.
  /// The side to move has just made a double step over `passed`.
  void step_over(Square passed);
  /// Castling rights other than `kept` are lost.
  void keep_castling(unsigned kept);

  std::uint8_t castling_ = 0;  // bits: 1 K, 2 Q, 4 k, 8 q
  Board board_;

 private:
  const Family& family() const { return static_cast<const Family&>(*this); }
  /// The enemies that attack the king of `c`.
  SquareSet attackers_of_king(Colour c) const;
  template <class Sink>
  void generate_for_mover(Sink& sink) const;
};

}  // namespace faultline
