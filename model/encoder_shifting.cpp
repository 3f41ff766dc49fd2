// Shifting Chess for networks.
#include "model/encoder_shifting.h"

#include <cassert>
#include <string>
#include <utility>

#include "model/planes.h"
#include "rules/interned.h"

namespace faultline {
namespace {

constexpr auto kBlackView = planes::View::MirrorRanks;

enum Plane : std::size_t {  // after the pieces
  EnPassant = planes::kPieces,
  OwnKingSide,
  OwnQueenSide,
  EnemyKingSide,
  EnemyQueenSide,
  Gaps,
  Progress,
  Repetitions,
  Ones,
  PlaneCount
};
constexpr std::int32_t kShiftKind = 5;  // after a move and the promotions

EncodingInfo describe_encoding(const std::string& variant) {
  EncodingInfo info;
  info.family = "shifting";
  info.variant = variant;
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
  return infos.get(variant.canonical_name(), describe_encoding);
}

void Encoder<ShiftingPosition>::encode(const ShiftingPosition& position, int repetitions,
                                       std::span<float> out) {
  assert(out.size() == PlaneCount * planes::kCells);
  const Colour mover = position.side_to_move();
  planes::write_pieces(position, kBlackView, out);
  planes::write_square(out, EnPassant, position.en_passant(), mover, kBlackView);
  const auto right = [&](Colour colour, bool king_side) {
    return position.has_castling_right(colour, king_side) ? 1.0F : 0.0F;
  };
  planes::fill(out, OwnKingSide, right(mover, true));
  planes::fill(out, OwnQueenSide, right(mover, false));
  planes::fill(out, EnemyKingSide, right(~mover, true));
  planes::fill(out, EnemyQueenSide, right(~mover, false));
  planes::fill(out, Gaps, 0.0F);
  for_each_square(position.gaps(), [&](Square s) {
    planes::plane(out, Gaps)[planes::cell_of(s, mover, kBlackView)] = 1.0F;
  });
  planes::fill(out, Progress, planes::progress_value(position.plies_since_progress()));
  planes::fill(out, Repetitions, static_cast<float>(repetitions));
  planes::fill(out, Ones, 1.0F);
}

PolicyIndex Encoder<ShiftingPosition>::policy_index(const ShiftingPosition& position, Move move) {
  const Colour mover = position.side_to_move();
  if (move.kind() == MoveKind::SectorShift)
    return {first_cell(move.from(), mover), first_cell(move.to(), mover), kShiftKind};
  return {planes::cell_of(move.from(), mover, kBlackView),
          planes::cell_of(move.to(), mover, kBlackView), planes::orthodox_policy_kind(move)};
}

ShiftingPosition Encoder<ShiftingPosition>::decode(const ShiftingVariant& variant,
                                                   std::span<const float> in, int* repetitions) {
  assert(in.size() == PlaneCount * planes::kCells);
  std::string castling;
  for (const auto& [plane, letter] :
       {std::pair{OwnKingSide, 'K'}, std::pair{OwnQueenSide, 'Q'}, std::pair{EnemyKingSide, 'k'},
        std::pair{EnemyQueenSide, 'q'}})
    if (planes::plane(in, plane)[0] != 0.0F) castling += letter;
  if (repetitions != nullptr) *repetitions = static_cast<int>(planes::plane(in, Repetitions)[0]);
  return ShiftingPosition::from_fen(
      variant, planes::read_pieces(in, planes::plane(in, Gaps)) + " w " +
                   (castling.empty() ? "-" : castling) + " " + planes::read_square(in, EnPassant) +
                   " " + std::to_string(planes::read_progress(in, Progress)) + " 1");
}

}  // namespace faultline
