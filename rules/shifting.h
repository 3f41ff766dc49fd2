// Shifting Chess (RULES.md §6): sectors of four squares slide into two gaps, with what is on them.
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

/// Which two areas are gaps at the start.
struct ShiftingVariant {
  std::array<Area, 2> gaps{};  // by column, then row
  std::string canonical_name() const;
};

/// Models Position; see rules/position.h for what each member promises. A shift is a Move of kind
/// SectorShift from the sector's first square (its lowest) to the first square of the gap.
class ShiftingPosition {
 public:
  using Variant = ShiftingVariant;
  // As in chess; shifts add less than a sector's 8 for each gap, and the gaps take more away.
  using MoveList = BasicMoveList<1024>;

  static const FamilyInfo& info();
  static const Variant& variant(const VariantName& name);
  static ShiftingPosition start(const Variant&);
  static ShiftingPosition from_fen(const Variant&, std::string_view fen);

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
  /// The eight squares that do not exist at present.
  Bitboard gaps() const { return gaps_; }
  Square en_passant() const { return en_passant_; }
  bool has_castling_right(Colour c, bool king_side) const {
    return (castling_ >> (2 * index(c) + (king_side ? 0 : 1)) & 1) != 0;
  }
  int plies_since_progress() const { return plies_; }
  /// Shifts carry pawns back, so only captures and promotions cut repetitions off.
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
  template <Colour us, class Sink>
  void generate_shifts(Square king, bool in_check, Sink& sink) const;
  /// Everything on the sector moves. Returns whether a pawn became a queen.
  bool shift_sector(Area from, Area to);

  OrthodoxBoard board_;
  Bitboard gaps_ = 0;
  std::uint64_t key_ = 0;
  std::uint32_t move_number_ = 1;
  Square en_passant_ = kNoSquare;
  std::uint16_t plies_ = 0;
  std::uint16_t repeatable_ = 0;
  std::uint8_t castling_ = 0;  // bits: 1 K, 2 Q, 4 k, 8 q
  Colour side_ = Colour::White;
};
static_assert(sizeof(ShiftingPosition) == 96);

}  // namespace faultline
