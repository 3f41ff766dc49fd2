// Earthquake Chess (RULES.md §4): the lower half of the board is displaced, and may be shifted on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/displaced_board.h"
#include "rules/piece_board.h"
#include "rules/position.h"

namespace faultline {

/// Options, and a board for every displacement that they let come about.
class EarthquakeVariant {
 public:
  /// A shift may lead to -kMaxShiftedDx … kMaxShiftedDx.
  static constexpr int kMaxShiftedDx = 7;

  EarthquakeVariant(Displacement start, bool fly, int aftershocks, int shock);
  std::string canonical_name() const;

  Displacement start() const { return start_; }
  bool fly() const { return fly_; }
  int aftershocks() const { return aftershocks_; }  // for each player
  int shock() const { return shock_; }              // most files one of them may shift
  /// The board displaced by `dx` files, or null where no aftershock leads.
  const DisplacedBoard* board(int dx) const {
    return dx < -kMaxDx || dx > kMaxDx ? nullptr : boards_[static_cast<std::size_t>(dx + kMaxDx)];
  }

 private:
  static constexpr int kMaxDx = 8;
  Displacement start_;
  bool fly_;
  int aftershocks_;
  int shock_;
  std::array<const DisplacedBoard*, 2 * kMaxDx + 1> boards_{};
};

/// Models Position; see rules/position.h for what each member promises.
class EarthquakePosition {
 public:
  using Variant = EarthquakeVariant;
  // As in chess: no more than min(36 m, 16 (64 - m)) destinations of m pieces, a few pawns'
  // promotions (whose last row lies in one piece) and 14 shifts.
  using MoveList = BasicMoveList<1024>;

  static const FamilyInfo& info();
  static const Variant& variant(const VariantName& name);
  static EarthquakePosition start(const Variant& variant);
  static EarthquakePosition from_fen(const Variant& variant, std::string_view fen);

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
  const Variant& variant() const { return *variant_; }
  const DisplacedBoard& ground() const { return *ground_; }
  int aftershocks_left(Colour c) const { return left_[static_cast<std::size_t>(index(c))]; }
  /// The shift that the opponent just made, which may not be undone; 0 if the last turn was none.
  int last_shift() const { return last_shift_; }
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
  std::uint64_t ground_key() const;
  void read_ground(std::string_view field);

  OrthodoxBoard board_;
  const Variant* variant_ = nullptr;
  const DisplacedBoard* ground_ = nullptr;  // the variant's board of the present displacement
  std::uint64_t key_ = 0;
  std::uint32_t move_number_ = 1;
  Square en_passant_ = kNoSquare;
  std::uint16_t plies_ = 0;
  std::array<std::uint8_t, 2> left_{};  // aftershocks
  std::int8_t last_shift_ = 0;
  std::uint8_t castling_ = 0;  // bits: 1 K, 2 Q, 4 k, 8 q
  Colour side_ = Colour::White;
};
static_assert(sizeof(EarthquakePosition) <= 112);

}  // namespace faultline
