// The network encoding of Shifting Chess: 21 planes on 8x8, seen from the side to move (ranks
// mirrored). A shift goes from the first cell, as the mover sees the board, of the sector's area to
// that of the gap.
#include "rules/families/shifting.h"

#include <string>
#include <vector>

#include "model/encoding/encoder_impl.h"
#include "model/fast/fast_encoder_impl.h"

namespace faultline {

template <>
struct FamilyEncoding<ShiftingPosition>
    : RectangleEncoding<ShiftingPosition, BlackView::MirrorRanks> {
  using P = ShiftingPosition;
  static constexpr std::int32_t kShiftKind = 5;  // after a move and the promotions

  static const Planes<P>& planes() {
    static const Planes<P> planes = {
        .of_level =
            joined<P>({en_passant_plane<P>(),
                       castling_planes<P>(),
                       {{.name = "gaps",
                         .squares = [](const Shown<P>& shown) { return shown.position.gaps(); },
                         .is_board = true}},
                       counter_planes<P>()})};
    return planes;
  }
  static const char* board_changes(const Variant&) { return "existence"; }
  static std::vector<std::string> own_kinds(const Variant&) { return {"shift"}; }

  /// The first cell of the area that begins at `first`.
  static std::int32_t first_cell(Square first, Colour mover) {
    constexpr int kNextRank = 8;
    return Canvas{mover}.cell(mover == Colour::White ? first
                                                     : static_cast<Square>(first + kNextRank));
  }
  static PolicyIndex board_movement(const P& position, Move shift) {
    const Colour mover = position.side_to_move();
    return {first_cell(shift.from(), mover), first_cell(shift.to(), mover), kShiftKind};
  }
  static void mirror_move(const P&, PolicyIndex& move) {
    if (move.kind != kShiftKind) return;
    --move.from;  // areas are named by their left cell
    --move.to;
  }
  static bool is_missing(const PlaneReader& read, Square, int cell) {
    return read.has("gaps", cell);
  }
  static void add_details(const Variant&, EncodingDetails& details) {
    for (Area area = 0; area < kAreas; ++area)
      details.areas.push_back({.name = area_name(area),
                               .white = first_cell(first_square(area), Colour::White),
                               .black = first_cell(first_square(area), Colour::Black)});
  }
};
template struct Encoder<ShiftingPosition>;
template struct FastEncoder<ShiftingPosition>;

}  // namespace faultline
