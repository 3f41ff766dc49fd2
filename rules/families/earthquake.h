// Earthquake Chess (docs/rules.md): the lower half of the board is displaced, and may be shifted
// further.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "rules/board_position.h"
#include "rules/families/displaced_board.h"

namespace faultline {

/// The values of the options, with their defaults.
struct EarthquakeOptions {
  int dx = 1;
  int dy = 0;
  bool fly = false;
  int aftershocks = 0;     // for each player
  int shock = 1;           // maximum files or ranks per aftershock
  int every = 0;           // turns of a player from one aftershock to the next, without other limit
  bool both_axes = false;  // aftershocks by ranks, too
  friend auto operator<=>(const EarthquakeOptions&, const EarthquakeOptions&) = default;
};

/// Options, and a board for every displacement they can lead to.
class EarthquakeVariant {
 public:
  static constexpr int kMaxDx = 8;
  static constexpr int kMinDy = -2;
  static constexpr int kMaxDy = 4;
  /// A shift by files may lead to -kMaxShiftedDx … kMaxShiftedDx.
  static constexpr int kMaxShiftedDx = 7;

  explicit EarthquakeVariant(const EarthquakeOptions& options);
  std::string canonical_name() const;

  Displacement start() const { return {options_.dx, options_.dy}; }
  bool fly() const { return options_.fly; }
  int aftershocks() const { return options_.aftershocks; }
  int shock() const { return options_.shock; }
  int every() const { return options_.every; }
  /// Whether players may shift the lower half, and whether also by ranks.
  bool shifts() const { return aftershocks() > 0 || every() > 0; }
  bool shifts_by_ranks() const { return shifts() && options_.both_axes; }
  /// What dy may become.
  int lowest_dy() const { return shifts_by_ranks() ? (fly() ? kMinDy : 0) : options_.dy; }
  int highest_dy() const { return shifts_by_ranks() ? kMaxDy : options_.dy; }
  bool can_cover() const { return highest_dy() > 0; }
  /// The most ranks that one aftershock can shift.
  int most_ranks() const { return std::min(shock(), highest_dy() - lowest_dy()); }

  /// The board with that displacement, or null if no game can come there.
  const DisplacedBoard* board(Displacement d) const {
    if (d.dx < -kMaxDx || d.dx > kMaxDx || d.dy < kMinDy || d.dy > kMaxDy) return nullptr;
    return boards_[slot(d)];
  }
  /// The board after the aftershock `by` from `before`; null if the options forbid it.
  const DisplacedBoard* shifted(Displacement before, Displacement by) const;

 private:
  static constexpr int kColumns = 2 * kMaxDx + 1;
  static constexpr int kRows = kMaxDy - kMinDy + 1;
  static constexpr std::size_t slot(Displacement d) {
    return static_cast<std::size_t>((d.dy - kMinDy) * kColumns + d.dx + kMaxDx);
  }
  EarthquakeOptions options_;
  std::array<const DisplacedBoard*, std::size_t{kColumns} * kRows> boards_{};
};

/// The displacement of the lower half by an aftershock.
constexpr Displacement shift_of(Move aftershock) {
  return aftershock.by_ranks() ? Displacement{0, aftershock.amount()}
                               : Displacement{aftershock.amount(), 0};
}

/// Models Position; rules/position.h documents each member. No position has more moves than the
/// base's bound: as in chess no more than min(36 m, 16 (64 - m)) destinations of m pieces, a few
/// pawn promotions (the last row is not split) and 26 shifts.
class EarthquakePosition : public BoardPosition<EarthquakePosition, OrthodoxBoard, 1024> {
 public:
  using Variant = EarthquakeVariant;

  static const FamilyInfo& info();
  static VariantDescription describe(const Variant& variant);
  static const Variant& variant(const VariantName& name);
  static EarthquakePosition start(const Variant& variant);
  static EarthquakePosition from_fen(const Variant& variant, std::string_view fen);

  void play(Move move);
  static const BoardGraph& graph(const Variant& variant) {
    return variant.board(variant.start())->graph();
  }
  const Variant& variant() const { return *variant_; }
  const DisplacedBoard& ground() const { return *ground_; }
  /// The aftershocks that the player has left; with the option `every`, how many of the player's
  /// turns must pass before the next one.
  int aftershock_count(Colour c) const { return counts_[static_cast<std::size_t>(index(c))]; }
  /// Whether the player may make an aftershock on the next turn.
  bool may_shift(Colour c) const {
    return variant_->every() > 0 ? aftershock_count(c) == 0 : aftershock_count(c) > 0;
  }
  /// The shift that the opponent just made, which may not be undone; {} if the last move was not a
  /// shift.
  Displacement last_shift() const { return {last_dx_, last_dy_}; }
  std::string fen() const;
  std::string move_text(Move move) const;
  std::string picture() const;
  BoardPicture board_picture() const;
  /// Adds, for an aftershock, the movement of the lower half.
  void mark_move(Move move, BoardPicture& after) const;

 private:
  friend BoardPosition;
  const LongLineTables& tables() const { return ground_->tables(); }
  Bitboard missing() const { return ground_->covered(); }
  std::uint64_t ground_key() const;
  template <Colour us, class Sink>
  void generate(Sink& sink) const;
  template <Colour us, class Sink>
  void generate_shifts(Square king, Sink& sink) const;
  void read_ground(std::string_view field);
  void read_count(Colour c, int count);
  void read_last_shift(Displacement last);
  /// A turn's effects on the ground: an aftershock `by`; with {}, a turn without one.
  void play_ground(Displacement by);
  /// A text about aftershocks for pictures: what the counts are, and each player's.
  std::string counts_text(std::string_view white, std::string_view black) const;

  std::array<std::uint8_t, 2> counts_{};  // aftershock_count()
  std::int8_t last_dx_ = 0;
  std::int8_t last_dy_ = 0;
  const Variant* variant_ = nullptr;
  const DisplacedBoard* ground_ = nullptr;  // the variant's board for the current displacement
};
static_assert(sizeof(EarthquakePosition) <= 112);

}  // namespace faultline
