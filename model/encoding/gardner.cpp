// The network encoding of Gardner's minichess.
#include "model/encoding/gardner.h"

#include <cassert>
#include <string>

#include "model/encoding/encoding_details.h"
#include "model/encoding/planes.h"
#include "model/encoding/squares.h"

namespace faultline {
namespace {

using Board = planes::Canvas<GardnerPosition::kFiles, GardnerPosition::kRanks>;
constexpr auto kBlackView = planes::View::MirrorRanks;

enum Plane : std::size_t {  // after the pieces
  Progress = planes::kPieces,
  Repetitions,
  Ones,
  PlaneCount
};

EncodingInfo describe_encoding() {
  EncodingInfo info;
  info.family = "gardner";
  info.variant = GardnerVariant{}.canonical_name();
  info.version = 1;
  info.symmetry = "mirror";
  info.height = GardnerPosition::kRanks;
  info.width = GardnerPosition::kFiles;
  info.planes = planes::piece_plane_names();
  for (const char* name : {"plies since progress / 100", "earlier occurrences", "ones"})
    info.planes.emplace_back(name);
  info.policy_kinds = planes::orthodox_policy_kinds();
  info.squares = rectangle_squares(GardnerPosition::kFiles, GardnerPosition::kRanks);
  assert(info.planes.size() == PlaneCount);
  return info;
}

}  // namespace

const EncodingInfo& Encoder<GardnerPosition>::info(const GardnerVariant&) {
  static const EncodingInfo info = describe_encoding();
  return info;
}

void Encoder<GardnerPosition>::encode(const GardnerPosition& position, int repetitions,
                                      std::span<float> out) {
  assert(out.size() == PlaneCount * Board::kCells);
  Board::write_pieces(position, kBlackView, out);
  Board::fill(out, Progress, planes::progress_value(position.halfmove_clock()));
  Board::fill(out, Repetitions, static_cast<float>(repetitions));
  Board::fill(out, Ones, 1.0F);
}

PolicyIndex Encoder<GardnerPosition>::policy_index(const GardnerPosition& position, Move move) {
  const Colour mover = position.side_to_move();
  return {Board::cell_of(move.from(), mover, kBlackView),
          Board::cell_of(move.to(), mover, kBlackView), planes::orthodox_policy_kind(move)};
}

std::int32_t Encoder<GardnerPosition>::policy_cell(const GardnerPosition& position, Square square) {
  return Board::cell_of(square, position.side_to_move(), kBlackView);
}

bool Encoder<GardnerPosition>::mirror(const GardnerPosition&, std::span<float> planes,
                                      std::span<PolicyIndex> moves) {
  Board::mirror(planes, moves);
  return true;
}

GardnerPosition Encoder<GardnerPosition>::decode(const GardnerVariant& variant,
                                                 std::span<const float> in, int* repetitions) {
  assert(in.size() == PlaneCount * Board::kCells);
  if (repetitions != nullptr) *repetitions = static_cast<int>(Board::value(in, Repetitions));
  return GardnerPosition::from_fen(
      variant, Board::read_pieces(in) + " w - - " +
                   std::to_string(planes::plies_of(Board::value(in, Progress))) + " 1");
}

EncodingDetails encoding_details(const GardnerVariant&) {
  EncodingDetails details;
  details.attacks = {{.numbers = {0},
                      .patterns = attack_patterns(BoardGraph::rectangle(GardnerPosition::kFiles,
                                                                        GardnerPosition::kRanks))}};
  return details;
}

}  // namespace faultline
