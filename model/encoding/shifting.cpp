// The network encoding of Shifting Chess.
#include "model/encoding/shifting.h"

#include <cassert>
#include <string>
#include <utility>

#include "base/interned.h"
#include "model/encoding/encoding_details.h"
#include "model/encoding/planes.h"
#include "model/encoding/squares.h"
#include "rules/attack_tables.h"

namespace faultline {
namespace {

using Board = planes::SquareCanvas;
constexpr auto kBlackView = planes::View::MirrorRanks;

enum Plane : std::size_t {  // after the pieces
  EnPassant = planes::kPieces,
  Castling,  // four of them
  Gaps = Castling + planes::kCastlingPlanes,
  Progress,
  Repetitions,
  Ones,
  PlaneCount
};
constexpr std::int32_t kShiftKind = 5;  // after a move and the promotions

EncodingInfo describe_encoding(const ShiftingVariant& variant) {
  EncodingInfo info;
  info.family = "shifting";
  info.variant = variant.canonical_name();
  info.version = 1;
  info.symmetry = "mirror";
  info.height = info.width = 8;
  info.planes = planes::piece_plane_names();
  for (const char* name : {"en passant square", "own king-side castling", "own queen-side castling",
                           "enemy king-side castling", "enemy queen-side castling", "gaps",
                           "plies since progress / 100", "earlier occurrences", "ones"})
    info.planes.emplace_back(name);
  info.policy_kinds = planes::orthodox_policy_kinds();
  info.policy_kinds.emplace_back("shift");
  info.squares = rectangle_squares(8, 8);
  info.board_changes = "existence";
  for (const Area gap : variant.gaps)
    for_each_square(area_squares(gap), [&](Square s) { info.squares[s].exists = false; });
  assert(info.planes.size() == PlaneCount);
  assert(info.policy_kinds.size() == kShiftKind + 1);
  return info;
}

/// The first cell, as `mover` sees the board, of the area that begins at `first`.
Square first_cell(Square first, Colour mover) {
  return mover == Colour::White ? first : static_cast<Square>(48 - first / 8 * 8 + first % 8);
}

}  // namespace

const EncodingInfo& Encoder<ShiftingPosition>::info(const ShiftingVariant& variant) {
  static Interned<std::string, EncodingInfo> infos;
  return infos.get(variant.canonical_name(),
                   [&](const auto&) { return describe_encoding(variant); });
}

void Encoder<ShiftingPosition>::encode(const ShiftingPosition& position, int repetitions,
                                       std::span<float> out) {
  assert(out.size() == PlaneCount * Board::kCells);
  const Colour mover = position.side_to_move();
  Board::write_pieces(position, kBlackView, out);
  Board::write_square(out, EnPassant, position.en_passant(), mover, kBlackView);
  Board::write_castling(position, Castling, out);
  Board::fill(out, Gaps, 0.0F);
  for_each_square(position.gaps(), [&](Square s) {
    Board::plane(out, Gaps)[Board::cell_of(s, mover, kBlackView)] = 1.0F;
  });
  Board::fill(out, Progress, planes::progress_value(position.halfmove_clock()));
  Board::fill(out, Repetitions, static_cast<float>(repetitions));
  Board::fill(out, Ones, 1.0F);
}

PolicyIndex Encoder<ShiftingPosition>::policy_index(const ShiftingPosition& position, Move move) {
  const Colour mover = position.side_to_move();
  if (move.kind() == MoveKind::SectorShift)
    return {first_cell(move.from(), mover), first_cell(move.to(), mover), kShiftKind};
  return {Board::cell_of(move.from(), mover, kBlackView),
          Board::cell_of(move.to(), mover, kBlackView), planes::orthodox_policy_kind(move)};
}

std::int32_t Encoder<ShiftingPosition>::policy_cell(const ShiftingPosition& position,
                                                    Square square) {
  return Board::cell_of(square, position.side_to_move(), kBlackView);
}

bool Encoder<ShiftingPosition>::mirror(const ShiftingPosition&, std::span<float> planes,
                                       std::span<PolicyIndex> moves) {
  if (Board::has_castling(planes, Castling)) return false;
  Board::mirror(planes, moves);
  for (PolicyIndex& move : moves)
    if (move.kind == kShiftKind) {  // areas are named by their left cell
      --move.from;
      --move.to;
    }
  return true;
}

ShiftingPosition Encoder<ShiftingPosition>::decode(const ShiftingVariant& variant,
                                                   std::span<const float> in, int* repetitions) {
  assert(in.size() == PlaneCount * Board::kCells);
  if (repetitions != nullptr) *repetitions = static_cast<int>(Board::value(in, Repetitions));
  return ShiftingPosition::from_fen(
      variant, Board::read_pieces(in, Board::plane(in, Gaps)) + " w " +
                   Board::read_castling(in, Castling) + " " + Board::read_square(in, EnPassant) +
                   " " + std::to_string(planes::plies_of(Board::value(in, Progress))) + " 1");
}

EncodingDetails encoding_details(const ShiftingVariant&) {
  EncodingDetails details;
  details.attacks = {{.numbers = {0}, .patterns = attack_patterns(square_board())}};
  for (Area area = 0; area < kAreas; ++area) {
    const Square first = first_square(area);
    details.areas.push_back({.name = area_name(area),
                             .white = first_cell(first, Colour::White),
                             .black = first_cell(first, Colour::Black)});
  }
  return details;
}

}  // namespace faultline
