// Earthquake Chess (docs/rules.md): the lower half of the board is displaced, and may be shifted
// further.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "rules/board_position.h"
#include "rules/families/displaced_board.h"

namespace faultline {

/// Options, and a board for every displacement they can lead to.
class EarthquakeVariant {
 public:
  /// A shift may lead to -kMaxShiftedDx … kMaxShiftedDx.
  static constexpr int kMaxShiftedDx = 7;

  EarthquakeVariant(Displacement start, bool fly, int aftershocks, int shock);
  std::string canonical_name() const;

  Displacement start() const { return start_; }
  bool fly() const { return fly_; }
  int aftershocks() const { return aftershocks_; }  // for each player
  int shock() const { return shock_; }              // maximum files per aftershock
  /// The board displaced by `dx` files, or null if no aftershock leads there.
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

/// Models Position; rules/position.h documents each member. No position has more moves than the
/// base's bound: as in chess no more than min(36 m, 16 (64 - m)) destinations of m pieces, a few
/// pawn promotions (the last row is not split) and 14 shifts.
class EarthquakePosition : public BoardPosition<EarthquakePosition, OrthodoxBoard, 1024> {
 public:
  using Variant = EarthquakeVariant;

  static const FamilyInfo& info();
  static VariantDescription describe(const Variant& variant);
  static const Variant& variant(const VariantName& name);
  static EarthquakePosition start(const Variant& variant);
  static EarthquakePosition from_fen(const Variant& variant, std::string_view fen);

  void play(Move move);
  const Variant& variant() const { return *variant_; }
  const DisplacedBoard& ground() const { return *ground_; }
  int aftershocks_left(Colour c) const { return left_[static_cast<std::size_t>(index(c))]; }
  /// The shift that the opponent just made, which may not be undone; 0 if the last move was not a
  /// shift.
  int last_shift() const { return last_shift_; }
  std::string fen() const;
  std::string move_text(Move move) const;
  std::string picture() const;
  BoardPicture board_picture() const;
  /// For an aftershock, the movement of the lower half.
  void mark_move(Move move, BoardPicture& after) const;

 private:
  friend BoardPosition;
  const LongLineTables& tables() const { return ground_->tables(); }
  Bitboard missing() const { return ground_->covered(); }
  std::uint64_t ground_key() const;
  template <Colour us, class Sink>
  void generate(Sink& sink) const;
  void read_ground(std::string_view field);

  std::array<std::uint8_t, 2> left_{};  // aftershocks
  std::int8_t last_shift_ = 0;
  const Variant* variant_ = nullptr;
  const DisplacedBoard* ground_ = nullptr;  // the variant's board for the current displacement
};
static_assert(sizeof(EarthquakePosition) <= 112);

}  // namespace faultline
