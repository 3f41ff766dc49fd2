// Inferno Chess (docs/rules.md): nested boards, pieces that descend into holes, levels that are
// won.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/attacked_squares.h"
#include "rules/bitboard.h"
#include "rules/board_effects.h"
#include "rules/board_picture.h"
#include "rules/piece_board.h"
#include "rules/position.h"
#include "rules/turn_state.h"

namespace faultline {

inline constexpr int kMaxLevels = 6;
inline constexpr int kLevelSquares = 64;

struct InfernoVariant {
  int levels = 5;  // at the start: 1 … kMaxLevels
  /// The colour rule of descents is only for bishops, knights and pawns, not for rooks and queens.
  bool colours_listed = false;
  std::string canonical_name() const;
};

/// Models Position; rules/position.h documents each member. Square = level * 64 + the square of its
/// 8×8 board; level 0 is the outermost, called 1 in texts. A won level is resolved by the `play`
/// call that wins it.
class InfernoPosition : public TurnState {
 public:
  using Variant = InfernoVariant;
  using SquareSet = Bitboard;  // of one level
  // Queens on all squares around a hole attack few of its squares each (at most 7, and 2 of the
  // middle four): with every target free, 2024, 1640, 1256, 872 and 500 descents from the five
  // levels that can have a hole; fewer descents leave more moves on the level itself. No level has
  // more than 2100 moves in total, all six together no more than 7500.
  using MoveList = BasicMoveList<8192>;

  static const FamilyInfo& info();
  static VariantDescription describe(const Variant& variant);
  static const Variant& variant(const VariantName& name);
  static const BoardGraph& graph(const Variant& variant);
  static InfernoPosition start(const Variant&);
  static InfernoPosition from_fen(const Variant&, std::string_view fen);

  std::string fen() const;
  void legal_moves(MoveList& list) const;
  std::size_t count_legal_moves() const;
  void play(Move move);
  bool in_check() const;
  Outcome outcome(bool any_legal_move) const;
  std::uint64_t key_from_scratch() const;

  Piece piece_at(Square s) const {
    return board(s / kLevelSquares).at(static_cast<Square>(s % kLevelSquares));
  }
  /// Whether a king of the side to move is in check on the level.
  bool in_check_on(int level) const;
  /// Number of levels left.
  int levels() const { return levels_; }
  /// Number of levels at the start.
  int start_levels() const { return start_levels_; }
  Bitboard pieces(int level, Colour c, PieceType t) const { return board(level).of(c, t); }
  template <class F>
  void for_each_piece(F&& f) const {
    for (int level = 0; level < levels_; ++level)
      board(level).for_each_piece([&](Colour c, PieceType t, Square s) {
        f(c, t, static_cast<Square>(level * kLevelSquares + s));
      });
  }
  /// What the pieces on a level attack there, squares of its hole included, where they would
  /// descend.
  AttackedSquares<Bitboard> attacked_by(int level, Colour c) const;
  template <class F>
  void for_each_attacked(Colour by, F&& f) const {
    for (int level = 0; level < levels_; ++level) {
      const AttackedSquares<Bitboard> attacked = attacked_by(level, by);
      for_each_square(attacked.once, [&](Square s) {
        f(static_cast<Square>(level * kLevelSquares + s), contains(attacked.twice, s));
      });
    }
  }
  /// The hole of a level: c3 … f6, or nothing on the deepest one.
  Bitboard hole(int level) const;
  /// The squares of level + depth (depth ≥ 1) on which a move to hole square `s` of a level may
  /// end, by geometry and colour; those in that level's own hole lead to deeper ones.
  static Bitboard targets_below(Square s, int depth);
  bool has_castling_right(int level, Colour c, bool king_side) const {
    return (castling_[static_cast<std::size_t>(level)] >> (2 * index(c) + (king_side ? 0 : 1)) &
            1) != 0;
  }

  std::string move_text(Move move) const;
  std::optional<Move> parse_move(std::string_view text) const;
  std::string picture() const;
  BoardPicture board_picture() const;
  void mark_move(Move move, BoardPicture& after) const;
  /// The levels that are won, by their numbers at that moment, and what becomes of their pieces.
  BoardEffects board_effects(Move move) const;
  static std::string square_text(Square s);

 private:
  const OrthodoxBoard& board(int level) const { return boards_[static_cast<std::size_t>(level)]; }
  OrthodoxBoard& board(int level) { return boards_[static_cast<std::size_t>(level)]; }
  bool is_deepest(int level) const { return level + 1 == levels_; }

  template <Colour us, class Sink>
  void generate(Sink& sink) const;
  template <class Sink>
  void generate(Sink& sink) const;
  /// A turn without the levels that it wins.
  void make_move(Move move);
  /// The level that the side to move, mated, loses: the deepest on which it is in check. -1: none.
  int lost_level() const;
  void lose_level(int level);
  /// What lose_level(level) does.
  std::string sentence_about_losing(int level) const;
  /// The winner's pieces of `level` rise to the one above.
  void ascend(int level);
  void read_level(std::string_view text, int level);
  void read_en_passant(std::string_view field);

  std::array<std::uint8_t, kMaxLevels> castling_{};  // bits: 1 K, 2 Q, 4 k, 8 q
  std::uint8_t levels_ = 1;
  std::uint8_t start_levels_ = 1;
  bool colours_listed_ = false;  // as in the variant
  std::array<OrthodoxBoard, kMaxLevels> boards_{};
};
static_assert(sizeof(InfernoPosition) == 416);

}  // namespace faultline
