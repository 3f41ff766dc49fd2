// Chess for networks.
#include "model/encoder_chess.h"

#include <cassert>
#include <string>

#include "model/planes.h"

namespace faultline {
namespace {

constexpr auto kBlackView = planes::View::MirrorRanks;

enum Plane : std::size_t {  // after the pieces
  EnPassant = planes::kPieces,
  OwnKingSide,
  OwnQueenSide,
  EnemyKingSide,
  EnemyQueenSide,
  Progress,
  Repetitions,
  Ones,
  PlaneCount
};

EncodingInfo describe_encoding() {
  EncodingInfo info;
  info.family = "chess";
  info.variant = ChessVariant{}.canonical_name();
  info.version = 1;
  info.symmetry = "mirror";
  info.height = info.width = 8;
  info.planes = planes::piece_plane_names();
  for (const char* name : {"en passant square", "own king-side castling", "own queen-side castling",
                           "enemy king-side castling", "enemy queen-side castling",
                           "plies since progress / 100", "earlier occurrences", "ones"})
    info.planes.emplace_back(name);
  info.policy_kinds = planes::orthodox_policy_kinds();
  assert(info.planes.size() == PlaneCount);
  return info;
}

}  // namespace

const EncodingInfo& Encoder<ChessPosition>::info(const ChessVariant&) {
  static const EncodingInfo info = describe_encoding();
  return info;
}

void Encoder<ChessPosition>::encode(const ChessPosition& position, int repetitions,
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
  planes::fill(out, Progress, planes::progress_value(position.plies_since_progress()));
  planes::fill(out, Repetitions, static_cast<float>(repetitions));
  planes::fill(out, Ones, 1.0F);
}

PolicyIndex Encoder<ChessPosition>::policy_index(const ChessPosition& position, Move move) {
  const Colour mover = position.side_to_move();
  return {planes::cell_of(move.from(), mover, kBlackView),
          planes::cell_of(move.to(), mover, kBlackView), planes::orthodox_policy_kind(move)};
}

ChessPosition Encoder<ChessPosition>::decode(const ChessVariant& variant, std::span<const float> in,
                                             int* repetitions) {
  assert(in.size() == PlaneCount * planes::kCells);
  std::string castling;
  for (const auto& [plane, letter] :
       {std::pair{OwnKingSide, 'K'}, std::pair{OwnQueenSide, 'Q'}, std::pair{EnemyKingSide, 'k'},
        std::pair{EnemyQueenSide, 'q'}})
    if (planes::plane(in, plane)[0] != 0.0F) castling += letter;
  if (repetitions != nullptr) *repetitions = static_cast<int>(planes::plane(in, Repetitions)[0]);
  return ChessPosition::from_fen(
      variant, planes::read_pieces(in) + " w " + (castling.empty() ? "-" : castling) + " " +
                   planes::read_square(in, EnPassant) + " " +
                   std::to_string(planes::read_progress(in, Progress)) + " 1");
}

}  // namespace faultline
