// The network encoding of Earthquake Chess.
#include "model/encoding/earthquake.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/interned.h"
#include "model/encoding/encoding_details.h"
#include "model/encoding/planes.h"
#include "model/encoding/squares.h"
#include "rules/fen.h"
#include "rules/square_board.h"
#include "rules/square_text.h"

namespace faultline {
namespace {

using namespace square_board_sets;

enum Plane : std::size_t {  // after the pieces
  EnPassant = planes::kPieces,
  OwnCastlingRooks,
  EnemyCastlingRooks,
  OwnHalf,
  EnemyHalf,
  OwnPromotion,
  EnemyPromotion,
  DisplacementX,
  DisplacementY,
  OwnAftershocks,
  EnemyAftershocks,
  LastShift,
  BlackToMove,
  Progress,
  Repetitions,
  Ones,
  PlaneCount,
  LastShiftUp = PlaneCount  // only with aftershocks by ranks
};
constexpr double kDisplacementScale = 8;     // planes hold files, ranks and aftershocks / this
constexpr std::int32_t kFirstShiftKind = 5;  // after a move and the promotions

std::size_t plane_count(const EarthquakeVariant& variant) {
  return PlaneCount + (variant.shifts_by_ranks() ? 1U : 0U);
}

float scaled(int n) {
  return static_cast<float>(n / kDisplacementScale);
}
int unscaled(float value) {
  return static_cast<int>(std::lround(value * kDisplacementScale));
}

/// The map from squares to cells for one displacement and one side to move.
class Canvas {
 public:
  Canvas(const EarthquakeVariant& variant, Displacement d, Colour mover)
      : width_(canvas_width(variant)), height_(canvas_height(variant)), d_(d), mover_(mover) {}

  static int canvas_width(const EarthquakeVariant& variant) {
    const int start = std::abs(variant.start().dx);
    return 8 + (variant.shifts() ? std::max(start, EarthquakeVariant::kMaxShiftedDx) : start);
  }
  static int canvas_height(const EarthquakeVariant& variant) { return 8 - variant.lowest_dy(); }

  std::size_t cells() const {
    return static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  }
  std::int32_t cell(Square s) const {
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

EncodingInfo describe_encoding(const EarthquakeVariant& variant) {
  EncodingInfo info;
  info.family = "earthquake";
  info.variant = variant.canonical_name();
  info.version = 1;
  info.symmetry = "half-turn";
  info.height = Canvas::canvas_height(variant);
  info.width = Canvas::canvas_width(variant);
  info.planes = planes::piece_plane_names();
  const bool waits = variant.every() > 0;
  for (const char* name :
       {"en passant square", "own rooks that may castle", "enemy rooks that may castle",
        "squares of the own half", "squares of the enemy half", "own promotion squares",
        "enemy promotion squares", "dx / 8", "dy / 8",
        waits ? "own turns until an aftershock / 8" : "own aftershocks left / 8",
        waits ? "enemy turns until an aftershock / 8" : "enemy aftershocks left / 8",
        "last shift / 8", "black to move", "plies since progress / 100", "earlier occurrences",
        "ones"})
    info.planes.emplace_back(name);
  if (variant.shifts_by_ranks()) info.planes.emplace_back("last shift up / 8");
  info.policy_kinds = planes::orthodox_policy_kinds();
  const auto add_shifts = [&](int most, const std::string& less, const std::string& more) {
    for (int amount = -most; amount <= most; ++amount)
      if (amount != 0)
        info.policy_kinds.push_back("shift" + (amount > 0 ? more : less) +
                                    std::to_string(std::abs(amount)));
  };
  if (variant.shifts()) add_shifts(variant.shock(), "-", "+");
  add_shifts(variant.most_ranks(), "v", "^");
  const DisplacedBoard& ground = *variant.board(variant.start());
  const Canvas canvas(variant, variant.start(), Colour::White);
  info.squares =
      encoded_squares(ground.graph(), info.width, [&](Square s) { return canvas.cell(s); });
  for_each_square(ground.covered(), [&](Square s) { info.squares[s].exists = false; });
  if (variant.shifts()) info.board_changes = "cells";
  assert(info.planes.size() == plane_count(variant));
  return info;
}

struct CastlingRook {
  Square square;
  Colour colour;
  bool king_side;
  char letter;
};
constexpr std::array<CastlingRook, 4> kCastlingRooks = {{{7, Colour::White, true, 'K'},
                                                         {0, Colour::White, false, 'Q'},
                                                         {63, Colour::Black, true, 'k'},
                                                         {56, Colour::Black, false, 'q'}}};

}  // namespace

const EncodingInfo& Encoder<EarthquakePosition>::info(const EarthquakeVariant& variant) {
  static Interned<std::string, EncodingInfo> infos;
  return infos.get(variant.canonical_name(),
                   [&](const auto&) { return describe_encoding(variant); });
}

void Encoder<EarthquakePosition>::encode(const EarthquakePosition& position, int repetitions,
                                         std::span<float> out) {
  const Colour mover = position.side_to_move();
  const Displacement d = position.ground().displacement();
  const Canvas canvas(position.variant(), d, mover);
  const std::size_t cells = canvas.cells();
  assert(out.size() == plane_count(position.variant()) * cells);
  std::ranges::fill(out, 0.0F);
  const auto plane = [&](std::size_t index) { return out.subspan(index * cells, cells); };
  const auto mark = [&](std::size_t index, Bitboard squares) {
    const auto marked = plane(index);
    for_each_square(squares,
                    [&](Square s) { marked[static_cast<std::size_t>(canvas.cell(s))] = 1.0F; });
  };
  const auto fill = [&](Plane index, float value) { std::ranges::fill(plane(index), value); };

  std::size_t index = 0;
  for (const Colour colour : {mover, ~mover})
    for (int type = 0; type < kOrthodoxTypes; ++type, ++index)
      mark(index, position.pieces(colour, static_cast<PieceType>(type)));
  if (position.en_passant() != kNoSquare)
    mark(EnPassant, square_set<Bitboard>(position.en_passant()));
  for (const CastlingRook& rook : kCastlingRooks)
    if (position.has_castling_right(rook.colour, rook.king_side))
      mark(rook.colour == mover ? OwnCastlingRooks : EnemyCastlingRooks,
           square_set<Bitboard>(rook.square));
  const Bitboard existing = ~position.ground().covered();
  const Bitboard near = mover == Colour::White ? kLowerHalf : ~kLowerHalf;
  mark(OwnHalf, existing & near);
  mark(EnemyHalf, existing & ~near);
  mark(OwnPromotion, existing & last_row(mover));
  mark(EnemyPromotion, existing & last_row(~mover));
  fill(DisplacementX, scaled(d.dx));
  fill(DisplacementY, scaled(d.dy));
  fill(OwnAftershocks, scaled(position.aftershock_count(mover)));
  fill(EnemyAftershocks, scaled(position.aftershock_count(~mover)));
  fill(LastShift, scaled(position.last_shift().dx));
  if (position.variant().shifts_by_ranks()) fill(LastShiftUp, scaled(position.last_shift().dy));
  fill(BlackToMove, mover == Colour::Black ? 1.0F : 0.0F);
  fill(Progress, planes::progress_value(position.halfmove_clock()));
  fill(Repetitions, static_cast<float>(repetitions));
  fill(Ones, 1.0F);
}

PolicyIndex Encoder<EarthquakePosition>::policy_index(const EarthquakePosition& position,
                                                      Move move) {
  const Colour mover = position.side_to_move();
  const Canvas canvas(position.variant(), position.ground().displacement(), mover);
  if (move.kind() == MoveKind::Aftershock) {
    const std::int32_t king = canvas.cell(first(position.pieces(mover, PieceType::King)));
    const EarthquakeVariant& variant = position.variant();
    const int most = move.by_ranks() ? variant.most_ranks() : variant.shock();
    const int first = kFirstShiftKind + (move.by_ranks() ? 2 * variant.shock() : 0);
    return {king, king, first + most + move.amount() - (move.amount() > 0 ? 1 : 0)};
  }
  return {canvas.cell(move.from()), canvas.cell(move.to()), planes::orthodox_policy_kind(move)};
}

std::int32_t Encoder<EarthquakePosition>::policy_cell(const EarthquakePosition& position,
                                                      Square square) {
  return Canvas(position.variant(), position.ground().displacement(), position.side_to_move())
      .cell(square);
}

bool Encoder<EarthquakePosition>::mirror(const EarthquakePosition& position,
                                         std::span<float> planes, std::span<PolicyIndex> moves) {
  const EarthquakeVariant& variant = position.variant();
  const Displacement d = position.ground().displacement();
  // No game can get there, or make this shift there.
  const Displacement before = d + -position.last_shift();
  if (!variant.board({-d.dx, d.dy}) || !variant.board({-before.dx, before.dy})) return false;
  for (const CastlingRook& rook : kCastlingRooks)
    if (position.has_castling_right(rook.colour, rook.king_side)) return false;
  const Canvas canvas(variant, d, position.side_to_move());
  const int width = Canvas::canvas_width(variant);
  const int used = 8 + std::abs(d.dx);
  const std::size_t cells = canvas.cells();
  for (const Plane changed : {DisplacementX, LastShift})
    for (float& value : planes.subspan(changed * cells, cells))
      value = value == 0.0F ? 0.0F : -value;
  // Planes that are the same everywhere stay so.
  for (std::size_t plane = 0; plane * cells < planes.size(); ++plane)
    if (plane < DisplacementX || plane >= PlaneCount)
      planes::mirror_files(planes.subspan(plane * cells, cells), width, used);
  const int shifts = 2 * variant.shock();
  for (PolicyIndex& move : moves) {
    move.from = planes::mirrored_cell(move.from, width, used);
    move.to = planes::mirrored_cell(move.to, width, used);
    if (move.kind >= kFirstShiftKind && move.kind < kFirstShiftKind + shifts)
      move.kind = kFirstShiftKind + shifts - 1 - (move.kind - kFirstShiftKind);
  }
  return true;
}

EarthquakePosition Encoder<EarthquakePosition>::decode(const EarthquakeVariant& variant,
                                                       std::span<const float> in,
                                                       int* repetitions) {
  const std::size_t cells = in.size() / plane_count(variant);
  const auto value = [&](std::size_t index, std::int32_t cell) {
    return in[index * cells + static_cast<std::size_t>(cell)];
  };
  const Colour mover = value(BlackToMove, 0) != 0.0F ? Colour::Black : Colour::White;
  const Displacement d = {unscaled(value(DisplacementX, 0)), unscaled(value(DisplacementY, 0))};
  const Canvas canvas(variant, d, mover);
  assert(cells == canvas.cells());
  if (repetitions != nullptr) *repetitions = static_cast<int>(value(Repetitions, 0));

  FenPlacement placement;
  std::string en_passant = "-";
  for (Square s = 0; s < 64; ++s) {
    const bool lower = contains(kLowerHalf, s);
    const bool own_half = lower == (mover == Colour::White);
    // A covered square shares its cell with the square that covers it.
    if (value(own_half ? OwnHalf : EnemyHalf, canvas.cell(s)) == 0.0F) {
      placement.missing.set(s);
      continue;
    }
    for (int piece = 0; piece < planes::kPieces; ++piece)
      if (value(static_cast<std::size_t>(piece), canvas.cell(s)) != 0.0F)
        placement.pieces[s] = {static_cast<PieceType>(piece % kOrthodoxTypes),
                               piece < kOrthodoxTypes ? mover : ~mover};
    if (value(EnPassant, canvas.cell(s)) != 0.0F) en_passant = square_name(s);
  }
  std::string castling;
  for (const CastlingRook& rook : kCastlingRooks)
    if (value(rook.colour == mover ? OwnCastlingRooks : EnemyCastlingRooks,
              canvas.cell(rook.square)) != 0.0F)
      castling += rook.letter;
  std::string fen = write_placement(square_board_rows(), placement) +
                    (mover == Colour::White ? " w " : " b ") + (castling.empty() ? "-" : castling) +
                    " " + en_passant + " " + std::to_string(planes::plies_of(value(Progress, 0))) +
                    " 1 " + std::to_string(d.dx) + "," + std::to_string(d.dy);
  if (variant.shifts()) {
    int own = unscaled(value(OwnAftershocks, 0));
    int enemy = unscaled(value(EnemyAftershocks, 0));
    if (mover == Colour::Black) std::swap(own, enemy);
    fen += "/" + std::to_string(own) + "," + std::to_string(enemy) + "/" +
           std::to_string(unscaled(value(LastShift, 0)));
    if (variant.shifts_by_ranks()) fen += "/" + std::to_string(unscaled(value(LastShiftUp, 0)));
  }
  return EarthquakePosition::from_fen(variant, fen);
}

EncodingDetails encoding_details(const EarthquakeVariant& variant) {
  const auto squares = [](Bitboard set) {
    std::vector<Square> list;
    for_each_square(set, [&](Square s) { list.push_back(s); });
    return list;
  };
  const auto lower = squares(kLowerHalf), upper = squares(~kLowerHalf);
  const auto last = squares(last_row(Colour::White)), first = squares(last_row(Colour::Black));
  EncodingDetails details;
  details.marked = {{"squares of the own half", lower, upper},
                    {"squares of the enemy half", upper, lower},
                    {"own promotion squares", last, first},
                    {"enemy promotion squares", first, last}};
  for (int dy = variant.lowest_dy(); dy <= variant.highest_dy(); ++dy)
    for (int dx = -EarthquakeVariant::kMaxDx; dx <= EarthquakeVariant::kMaxDx; ++dx) {
      const Displacement d = {dx, dy};
      const DisplacedBoard* const board = variant.board(d);
      if (board == nullptr) continue;  // cannot occur
      const std::vector<int> numbers =
          variant.shifts_by_ranks() ? std::vector{dx, dy} : std::vector{dx};
      MovedCells moved{.numbers = numbers, .white = {}, .black = {}};
      for (Square s = 0; s < 64; ++s) {
        moved.white.push_back(Canvas(variant, d, Colour::White).cell(s));
        moved.black.push_back(Canvas(variant, d, Colour::Black).cell(s));
      }
      details.moved.push_back(std::move(moved));
      details.attacks.push_back({.numbers = numbers, .patterns = attack_patterns(board->graph())});
    }
  return details;
}

}  // namespace faultline
