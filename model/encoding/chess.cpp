// The network encoding of chess.
#include "model/encoding/chess.h"

#include <cassert>
#include <string>

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
  Progress = Castling + planes::kCastlingPlanes,
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
  info.squares = rectangle_squares(8, 8);
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
  assert(out.size() == PlaneCount * Board::kCells);
  const Colour mover = position.side_to_move();
  Board::write_pieces(position, kBlackView, out);
  Board::write_square(out, EnPassant, position.en_passant(), mover, kBlackView);
  Board::write_castling(position, Castling, out);
  Board::fill(out, Progress, planes::progress_value(position.halfmove_clock()));
  Board::fill(out, Repetitions, static_cast<float>(repetitions));
  Board::fill(out, Ones, 1.0F);
}

PolicyIndex Encoder<ChessPosition>::policy_index(const ChessPosition& position, Move move) {
  const Colour mover = position.side_to_move();
  return {Board::cell_of(move.from(), mover, kBlackView),
          Board::cell_of(move.to(), mover, kBlackView), planes::orthodox_policy_kind(move)};
}

std::int32_t Encoder<ChessPosition>::policy_cell(const ChessPosition& position, Square square) {
  return Board::cell_of(square, position.side_to_move(), kBlackView);
}

bool Encoder<ChessPosition>::mirror(const ChessPosition&, std::span<float> planes,
                                    std::span<PolicyIndex> moves) {
  if (Board::has_castling(planes, Castling)) return false;
  Board::mirror(planes, moves);
  return true;
}

ChessPosition Encoder<ChessPosition>::decode(const ChessVariant& variant, std::span<const float> in,
                                             int* repetitions) {
  assert(in.size() == PlaneCount * Board::kCells);
  if (repetitions != nullptr) *repetitions = static_cast<int>(Board::value(in, Repetitions));
  return ChessPosition::from_fen(
      variant, Board::read_pieces(in) + " w " + Board::read_castling(in, Castling) + " " +
                   Board::read_square(in, EnPassant) + " " +
                   std::to_string(planes::plies_of(Board::value(in, Progress))) + " 1");
}

EncodingDetails encoding_details(const ChessVariant&) {
  EncodingDetails details;
  details.attacks = {{.numbers = {0}, .patterns = attack_patterns(square_board())}};
  return details;
}

}  // namespace faultline
