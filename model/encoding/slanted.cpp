// The network encoding of the Slanted Escalator family.
#include "model/encoding/slanted.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "base/interned.h"
#include "model/encoding/encoding_details.h"
#include "model/encoding/planes.h"
#include "model/encoding/squares.h"
#include "rules/fen.h"

namespace faultline {
namespace {

/// Planes after the pieces', counted from the first of them.
enum Plane : std::size_t {
  EnPassant,
  OwnKingSide,
  OwnQueenSide,
  EnemyKingSide,
  EnemyQueenSide,
  Squares,
  LeftEscalators,
  RightEscalators,
  BlackToMove,
  Progress,
  Repetitions,
  Ones,
  PlaneCount
};

struct CastlingPlane {
  Plane plane;
  bool own, king_side;
};
constexpr std::array<CastlingPlane, 4> kCastlingPlanes = {{{OwnKingSide, true, true},
                                                           {OwnQueenSide, true, false},
                                                           {EnemyKingSide, false, true},
                                                           {EnemyQueenSide, false, false}}};

/// Chancellors and ultras follow the orthodox types.
int piece_types(const SlantedVariant& variant) {
  return variant.board().shape() == SlantedShape::Ultra ? kPieceTypes : kOrthodoxTypes;
}

/// The plane indices of a variant's canvas.
struct Layout {
  std::size_t types, cells;
  int width;

  explicit Layout(const SlantedVariant& variant)
      : types(static_cast<std::size_t>(piece_types(variant))), width(variant.board().grid().width) {
    cells =
        static_cast<std::size_t>(width) * static_cast<std::size_t>(variant.board().grid().height);
  }
  std::size_t floats() const { return (2 * types + PlaneCount) * cells; }
  template <class Span>
  Span pieces(Span all, bool own, std::size_t type) const {
    return all.subspan(((own ? 0 : types) + type) * cells, cells);
  }
  template <class Span>
  Span plane(Span all, Plane plane) const {
    return all.subspan((2 * types + plane) * cells, cells);
  }
  std::size_t cell(const SlantedBoard& board, Square s) const {
    const SlantedCell c = board.cell(s);
    const int number = c.rank * width + c.file;
    return static_cast<std::size_t>(number);
  }
};

EncodingInfo describe_encoding(const SlantedVariant& variant) {
  EncodingInfo info;
  info.family = "slanted";
  info.variant = variant.canonical_name();
  info.version = 1;
  info.symmetry = "none";
  info.height = variant.board().grid().height;
  info.width = variant.board().grid().width;
  constexpr std::array<const char*, kPieceTypes> kTypes = {
      "crab", "knight", "bishop", "rook", "queen", "king", "chancellor", "ultra"};
  const auto types = static_cast<std::size_t>(piece_types(variant));
  for (const char* side : {"own ", "enemy "})
    for (std::size_t type = 0; type < types; ++type)
      info.planes.push_back(std::string(side) + kTypes[type]);
  for (const char* name : {"en passant square", "own king-side castling", "own queen-side castling",
                           "enemy king-side castling", "enemy queen-side castling", "squares",
                           "left escalators", "right escalators", "black to move",
                           "plies since progress / 100", "earlier occurrences", "ones"})
    info.planes.emplace_back(name);
  info.policy_kinds = planes::orthodox_policy_kinds();
  if (types == kPieceTypes)
    for (const char* kind : {"promote-chancellor", "promote-ultra"})
      info.policy_kinds.emplace_back(kind);
  const SlantedBoard& board = variant.board();
  const Layout layout(variant);
  info.squares = encoded_squares(board.graph(), info.width,
                                 [&](Square s) { return static_cast<int>(layout.cell(board, s)); });
  for (Square s = 0; s < board.size();
       ++s)  // an escalator is offset half a file towards the middle
    info.squares[s].x -= 0.5F * static_cast<float>(board.grid().side_of_escalator(
                                    board.cell(s).file, board.cell(s).rank));
  assert(info.planes.size() == 2 * types + PlaneCount);
  return info;
}

std::int32_t policy_kind(Move move) {
  if (move.kind() == MoveKind::Promotion) {
    if (move.promotion() == PieceType::Chancellor) return 5;
    if (move.promotion() == PieceType::Ultra) return 6;
  }
  return planes::orthodox_policy_kind(move);
}

}  // namespace

const EncodingInfo& Encoder<SlantedPosition>::info(const SlantedVariant& variant) {
  static Interned<std::string, EncodingInfo> infos;
  return infos.get(variant.canonical_name(),
                   [&](const auto&) { return describe_encoding(variant); });
}

void Encoder<SlantedPosition>::encode(const SlantedPosition& position, int repetitions,
                                      std::span<float> out) {
  const Layout layout(position.variant());
  const SlantedBoard& board = position.variant().board();
  assert(out.size() == layout.floats());
  std::ranges::fill(out, 0.0F);
  const Colour mover = position.side_to_move();
  const auto fill = [&](Plane plane, float value) {
    std::ranges::fill(layout.plane(out, plane), value);
  };

  for (const Colour colour : {mover, ~mover})
    for (std::size_t type = 0; type < layout.types; ++type) {
      const auto cells = layout.pieces(out, colour == mover, type);
      for_each_square(position.pieces(colour, static_cast<PieceType>(type)),
                      [&](Square s) { cells[layout.cell(board, s)] = 1.0F; });
    }
  if (position.en_passant() != kNoSquare)
    layout.plane(out, EnPassant)[layout.cell(board, position.en_passant())] = 1.0F;
  for (const CastlingPlane& castling : kCastlingPlanes)
    if (position.has_castling_right(castling.own ? mover : ~mover, castling.king_side))
      fill(castling.plane, 1.0F);
  for (Square s = 0; s < board.size(); ++s) {
    const std::size_t cell = layout.cell(board, s);
    const int side = board.grid().side_of_escalator(board.cell(s).file, board.cell(s).rank);
    layout.plane(out, Squares)[cell] = 1.0F;
    if (side != 0) layout.plane(out, side < 0 ? LeftEscalators : RightEscalators)[cell] = 1.0F;
  }
  fill(BlackToMove, mover == Colour::Black ? 1.0F : 0.0F);
  fill(Progress, planes::progress_value(position.halfmove_clock()));
  fill(Repetitions, static_cast<float>(repetitions));
  fill(Ones, 1.0F);
}

PolicyIndex Encoder<SlantedPosition>::policy_index(const SlantedPosition& position, Move move) {
  const Layout layout(position.variant());
  const SlantedBoard& board = position.variant().board();
  return {static_cast<std::int32_t>(layout.cell(board, move.from())),
          static_cast<std::int32_t>(layout.cell(board, move.to())), policy_kind(move)};
}

std::int32_t Encoder<SlantedPosition>::policy_cell(const SlantedPosition& position, Square square) {
  return static_cast<std::int32_t>(
      Layout(position.variant()).cell(position.variant().board(), square));
}

bool Encoder<SlantedPosition>::mirror(const SlantedPosition& position, std::span<float> planes,
                                      std::span<PolicyIndex> moves) {
  const Layout layout(position.variant());
  for (const CastlingPlane& castling : kCastlingPlanes)
    if (layout.plane(planes, castling.plane)[0] != 0.0F) return false;
  const auto mirrored = [&](std::int32_t cell) {
    return planes::mirrored_cell(cell, layout.width, layout.width);
  };
  planes::mirror_files(planes, layout.width, layout.width);
  std::ranges::swap_ranges(layout.plane(planes, LeftEscalators),
                           layout.plane(planes, RightEscalators));
  for (PolicyIndex& move : moves) {
    move.from = mirrored(move.from);
    move.to = mirrored(move.to);
  }
  return true;
}

SlantedPosition Encoder<SlantedPosition>::decode(const SlantedVariant& variant,
                                                 std::span<const float> in, int* repetitions) {
  const Layout layout(variant);
  const SlantedBoard& board = variant.board();
  assert(in.size() == layout.floats());
  const auto flag = [&](Plane plane) { return layout.plane(in, plane)[0]; };
  if (repetitions != nullptr) *repetitions = static_cast<int>(flag(Repetitions));
  const Colour mover = flag(BlackToMove) != 0.0F ? Colour::Black : Colour::White;

  FenPlacement placement;
  std::string en_passant = "-";
  for (Square s = 0; s < board.size(); ++s) {
    const std::size_t cell = layout.cell(board, s);
    for (const bool own : {true, false})
      for (std::size_t type = 0; type < layout.types; ++type)
        if (layout.pieces(in, own, type)[cell] != 0.0F)
          placement.pieces[s] = {static_cast<PieceType>(type), own ? mover : ~mover};
    if (layout.plane(in, EnPassant)[cell] != 0.0F) en_passant = board.name(s);
  }
  unsigned rights = 0;
  for (const CastlingPlane& castling : kCastlingPlanes)
    if (flag(castling.plane) != 0.0F)
      rights |= 1U << (2 * index(castling.own ? mover : ~mover) + (castling.king_side ? 0 : 1));
  return SlantedPosition::from_fen(
      variant, write_placement(board.rows(), placement, 'C') +
                   (mover == Colour::White ? " w " : " b ") + write_castling_letters(rights) + " " +
                   en_passant + " " + std::to_string(planes::plies_of(flag(Progress))) + " 1");
}

EncodingDetails encoding_details(const SlantedVariant& variant) {
  const SlantedBoard& board = variant.board();
  std::vector<Square> left, right;
  for (Square s = 0; s < board.size(); ++s) {
    const int side = board.grid().side_of_escalator(board.cell(s).file, board.cell(s).rank);
    if (side != 0) (side < 0 ? left : right).push_back(s);
  }
  std::vector<AttackPattern> patterns = attack_patterns(board.graph());
  if (board.shape() == SlantedShape::Ultra) {
    AttackPattern ultra{.name = "ultra", .lines = {}};
    for (Square s = 0; s < board.size(); ++s) {
      std::vector<AttackLine>& lines = ultra.lines.emplace_back();
      for_each_square(board.tables().ultra(s), [&](Square to) { lines.push_back({to}); });
    }
    patterns.push_back(std::move(ultra));
  }
  return {.marked = {{"left escalators", left, left}, {"right escalators", right, right}},
          .attacks = {{.numbers = {0}, .patterns = std::move(patterns)}}};
}

}  // namespace faultline
