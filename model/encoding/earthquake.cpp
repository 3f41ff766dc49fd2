// The network encoding of Earthquake Chess: 28 planes on the displaced halves, seen from the side
// to move (board turned by 180 degrees).
//
// A cell is a location, not a square name: neighbours on the canvas are neighbours in play, also
// across the seam. The canvas is as high as both halves together and 8 + |dx| wide, for the
// least dy and the greatest |dx| that the options allow; the halves are aligned to its lower left
// corner. A half-turn keeps the displacement, so both sides see the same ground; but it exchanges
// king side and queen side and the half that covers the other, so castling is encoded by its
// rooks, promotion by its squares, and one plane encodes the side to move. `decode` gives the
// position itself.
//
// Aftershocks have one policy kind per number of files or ranks, with the mover's king as both
// from and to. Where they may shift by ranks there is one more plane, for the last such shift.
#include "rules/families/earthquake.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "model/encoding/encoder_impl.h"
#include "model/fast/fast_encoder_impl.h"
#include "rules/square_board.h"

namespace faultline {
namespace {

using namespace square_board_sets;
using P = EarthquakePosition;

constexpr double kScale = 8;                 // planes hold files, ranks and aftershocks / this
constexpr std::int32_t kFirstShiftKind = 5;  // after a move and the promotions

float scaled(int n) {
  return static_cast<float>(n / kScale);
}
int unscaled(float value) {
  return static_cast<int>(std::lround(value * kScale));
}

/// The map from squares to cells for one displacement and one side to move.
class GroundCanvas {
 public:
  GroundCanvas(const EarthquakeVariant& variant, Displacement d, Colour mover)
      : width_(8 + std::max(std::abs(variant.start().dx),
                            variant.shifts() ? EarthquakeVariant::kMaxShiftedDx : 0)),
        height_(8 - variant.lowest_dy()),
        d_(d),
        mover_(mover) {}

  int width() const { return width_; }
  int height() const { return height_; }
  int used_width() const { return 8 + std::abs(d_.dx); }
  int cell(Square s) const {
    const Point place = point_of(s, d_);
    int x = place.x - std::min(0, d_.dx);
    int y = place.y - d_.dy;
    if (mover_ == Colour::Black) {
      x = 7 + std::abs(d_.dx) - x;
      y = 7 - d_.dy - y;
    }
    return y * width_ + x;
  }

 private:
  int width_, height_;
  Displacement d_;
  Colour mover_;
};

constexpr Square home_of_rook(Colour c, bool king_side) {
  return static_cast<Square>((c == Colour::White ? 0 : 56) + (king_side ? 7 : 0));
}

Bitboard castling_rooks(const P& position, Colour c) {
  Bitboard set = 0;
  for (const bool king_side : {true, false})
    if (position.has_castling_right(c, king_side))
      set |= square_set<Bitboard>(home_of_rook(c, king_side));
  return set;
}

/// `waits`: an aftershock is possible every so many turns.
Planes<P> planes_where(bool waits, bool shifts_by_ranks) {
  const Bitboard lower = kLowerHalf, upper = ~kLowerHalf;
  const Bitboard last = last_row(Colour::White), first = last_row(Colour::Black);
  const std::string left = waits ? " turns until an aftershock / 8" : " aftershocks left / 8";
  PlaneList<P> shift_up;
  if (shifts_by_ranks)
    shift_up = {{.name = "last shift up / 8",
                 .number = [](const Shown<P>& s) { return scaled(s.position.last_shift().dy); }}};
  return {
      .of_level = joined<P>(
          {en_passant_plane<P>(),
           {{.name = "own rooks that may castle",
             .squares = [](const Shown<P>& s) { return castling_rooks(s.position, s.mover); }},
            {.name = "enemy rooks that may castle",
             .squares = [](const Shown<P>& s) { return castling_rooks(s.position, ~s.mover); }},
            {.name = "squares of the own half", .fixed = {lower, upper}},
            {.name = "squares of the enemy half", .fixed = {upper, lower}},
            {.name = "own promotion squares", .fixed = {last, first}},
            {.name = "enemy promotion squares", .fixed = {first, last}},
            {.name = "dx / 8",
             .number =
                 [](const Shown<P>& s) { return scaled(s.position.ground().displacement().dx); },
             .is_board = true},
            {.name = "dy / 8",
             .number =
                 [](const Shown<P>& s) { return scaled(s.position.ground().displacement().dy); },
             .is_board = true},
            {.name = "own" + left,
             .number =
                 [](const Shown<P>& s) { return scaled(s.position.aftershock_count(s.mover)); },
             .is_board = true},
            {.name = "enemy" + left,
             .number =
                 [](const Shown<P>& s) { return scaled(s.position.aftershock_count(~s.mover)); },
             .is_board = true},
            {.name = "last shift / 8",
             .number = [](const Shown<P>& s) { return scaled(s.position.last_shift().dx); }}},
           black_to_move_plane<P>(),
           counter_planes<P>(),
           shift_up})};
}

Displacement decoded_displacement(const PlaneReader& read) {
  return {unscaled(read.value("dx / 8")), unscaled(read.value("dy / 8"))};
}

}  // namespace

template <>
struct FamilyEncoding<EarthquakePosition> : EncodingDefaults<P> {
  static constexpr BlackView kBlackView = BlackView::HalfTurn;

  static const Planes<P>& planes_of(const Variant& variant) {
    static const std::array<Planes<P>, 4> planes = {
        planes_where(false, false), planes_where(false, true), planes_where(true, false),
        planes_where(true, true)};
    return planes[(variant.every() > 0 ? 2U : 0U) + (variant.shifts_by_ranks() ? 1U : 0U)];
  }
  static GroundCanvas canvas(const P& position, Colour mover) {
    return {position.variant(), position.ground().displacement(), mover};
  }
  static GroundCanvas canvas(const Variant& variant, Colour mover) {
    return {variant, variant.start(), mover};
  }
  static Bitboard existing(const P& position) { return ~position.ground().covered(); }
  static const char* board_changes(const Variant& variant) {
    return variant.shifts() ? "cells" : "nothing";
  }

  static std::vector<std::string> own_kinds(const Variant& variant) {
    std::vector<std::string> kinds;
    const auto add_shifts = [&](int most, const std::string& less, const std::string& more) {
      for (int amount = -most; amount <= most; ++amount)
        if (amount != 0)
          kinds.push_back("shift" + (amount > 0 ? more : less) + std::to_string(std::abs(amount)));
    };
    if (variant.shifts()) add_shifts(variant.shock(), "-", "+");
    add_shifts(variant.most_ranks(), "v", "^");
    return kinds;
  }
  static PolicyIndex board_movement(const P& position, Move shift) {
    const EarthquakeVariant& variant = position.variant();
    const std::int32_t king =
        canvas(position, position.side_to_move())
            .cell(first(position.pieces(position.side_to_move(), PieceType::King)));
    const int most = shift.by_ranks() ? variant.most_ranks() : variant.shock();
    const int kind = kFirstShiftKind + (shift.by_ranks() ? 2 * variant.shock() : 0);
    return {king, king, kind + most + shift.amount() - (shift.amount() > 0 ? 1 : 0)};
  }

  static constexpr bool kMirrorsFastInputs = false;  // a displacement would have to be turned
  /// Only if a game can get there, and make the last shift there.
  static bool mirrors(const P& position) {
    const Displacement d = position.ground().displacement();
    const Displacement before = d + -position.last_shift();
    return position.variant().board({-d.dx, d.dy}) != nullptr &&
           position.variant().board({-before.dx, before.dy}) != nullptr;
  }
  static void mirror_planes(const P& position, std::span<float> all) {
    for (const char* name : {"dx / 8", "last shift / 8"})
      for (float& value : plane_named(all, position, name))
        value = value == 0.0F ? 0.0F : -value;
  }
  static void mirror_move(const P& position, PolicyIndex& move) {
    const int shifts = 2 * position.variant().shock();
    if (move.kind >= kFirstShiftKind && move.kind < kFirstShiftKind + shifts)
      move.kind = kFirstShiftKind + shifts - 1 - (move.kind - kFirstShiftKind);
  }

  static GroundCanvas decoded_canvas(const Variant& variant, const PlaneReader& read,
                                     Colour mover) {
    return {variant, decoded_displacement(read), mover};
  }
  static bool is_missing(const PlaneReader& read, Square s, int /*cell*/) {
    return contains(covered_squares(decoded_displacement(read)), s);
  }
  static unsigned castling_rights(const PlaneReader& read, const std::string&,
                                  const GroundCanvas& canvas, Colour mover) {
    unsigned rights = 0, right = 1;
    for (const Colour c : {Colour::White, Colour::Black})
      for (const bool king_side : {true, false}) {
        const char* const plane =
            c == mover ? "own rooks that may castle" : "enemy rooks that may castle";
        if (read.has(plane, canvas.cell(home_of_rook(c, king_side)))) rights |= right;
        right <<= 1;
      }
    return rights;
  }
  static std::string fields_about_the_board(const Variant& variant, const PlaneReader& read,
                                            Colour mover) {
    const auto number = [&](const std::string& plane) {
      return std::to_string(unscaled(read.value(plane)));
    };
    std::string field = " " + number("dx / 8") + "," + number("dy / 8");
    if (!variant.shifts()) return field;
    const std::string left =
        variant.every() > 0 ? " turns until an aftershock / 8" : " aftershocks left / 8";
    const bool is_white = mover == Colour::White;
    field += "/" + number((is_white ? "own" : "enemy") + left) + "," +
             number((is_white ? "enemy" : "own") + left) + "/" + number("last shift / 8");
    return variant.shifts_by_ranks() ? field + "/" + number("last shift up / 8") : field;
  }

  static void add_details(const Variant& variant, EncodingDetails& details) {
    details.attacks.clear();
    for (int dy = variant.lowest_dy(); dy <= variant.highest_dy(); ++dy)
      for (int dx = -EarthquakeVariant::kMaxDx; dx <= EarthquakeVariant::kMaxDx; ++dx) {
        const DisplacedBoard* const board = variant.board({dx, dy});
        if (board == nullptr) continue;  // cannot occur
        const std::vector<int> numbers =
            variant.shifts_by_ranks() ? std::vector{dx, dy} : std::vector{dx};
        MovedCells moved{.numbers = numbers, .white = {}, .black = {}};
        for (Square s = 0; s < 64; ++s) {
          moved.white.push_back(GroundCanvas(variant, {dx, dy}, Colour::White).cell(s));
          moved.black.push_back(GroundCanvas(variant, {dx, dy}, Colour::Black).cell(s));
        }
        details.moved.push_back(std::move(moved));
        details.attacks.push_back(
            {.numbers = numbers, .patterns = attack_patterns(board->graph())});
      }
  }
};
template struct Encoder<EarthquakePosition>;
template struct FastEncoder<EarthquakePosition>;

}  // namespace faultline
