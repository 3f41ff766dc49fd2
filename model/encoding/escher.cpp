// The network encoding of Escher Staircase.
#include "model/encoding/escher.h"

#include <array>
#include <cassert>
#include <string>
#include <utility>

#include "model/encoding/encoding_details.h"
#include "model/encoding/planes.h"
#include "model/encoding/squares.h"
#include "rules/attack_tables.h"

namespace faultline {
namespace {

using Board = planes::SquareCanvas;
constexpr auto kBlackView = planes::View::HalfTurn;

enum Plane : std::size_t {  // after the pieces
  EnPassant = planes::kPieces,
  Progress,
  Repetitions,
  Ones,
  StepsNorth,
  StepsEast,
  StepsSouth,
  StepsWest,
  ReturnsToStart,
  PlaneCount
};
constexpr std::size_t kStaircasePlanes = PlaneCount - StepsNorth;

EncodingInfo describe_encoding() {
  EncodingInfo info;
  info.family = "escher";
  info.variant = EscherVariant{}.canonical_name();
  info.version = 1;
  info.symmetry = "half-turn";
  info.height = info.width = 8;
  info.planes = planes::piece_plane_names();
  for (const char* name :
       {"en passant square", "plies since progress / 100", "earlier occurrences", "ones",
        "staircase steps north", "staircase steps east", "staircase steps south",
        "staircase steps west", "staircase returns to its start"})
    info.planes.emplace_back(name);
  info.policy_kinds = planes::orthodox_policy_kinds();
  info.squares = rectangle_squares(8, 8);
  assert(info.planes.size() == PlaneCount);
  return info;
}

std::array<float, kStaircasePlanes * Board::kCells> draw_staircases() {
  std::array<float, kStaircasePlanes * Board::kCells> drawn{};
  for (const Staircase& staircase : EscherPosition::staircases()) {
    const auto& squares = staircase.squares;
    for (std::size_t i = 0; i + 1 < squares.size(); ++i) {
      const int step = squares[i + 1] - squares[i];
      const auto direction = step == 8    ? StepsNorth
                             : step == 1  ? StepsEast
                             : step == -8 ? StepsSouth
                                          : StepsWest;
      drawn[(direction - StepsNorth) * Board::kCells + squares[i]] = 1.0F;
    }
    drawn[(ReturnsToStart - StepsNorth) * Board::kCells + squares.back()] = 1.0F;
  }
  return drawn;
}

}  // namespace

const EncodingInfo& Encoder<EscherPosition>::info(const EscherVariant&) {
  static const EncodingInfo info = describe_encoding();
  return info;
}

void Encoder<EscherPosition>::encode(const EscherPosition& position, int repetitions,
                                     std::span<float> out) {
  static const auto staircases = draw_staircases();
  assert(out.size() == PlaneCount * Board::kCells);
  Board::write_pieces(position, kBlackView, out);
  Board::write_square(out, EnPassant, position.en_passant(), position.side_to_move(), kBlackView);
  Board::fill(out, Progress, planes::progress_value(position.halfmove_clock()));
  Board::fill(out, Repetitions, static_cast<float>(repetitions));
  Board::fill(out, Ones, 1.0F);
  std::ranges::copy(staircases, out.begin() + StepsNorth * Board::kCells);
}

PolicyIndex Encoder<EscherPosition>::policy_index(const EscherPosition& position, Move move) {
  const Colour mover = position.side_to_move();
  return {Board::cell_of(move.from(), mover, kBlackView),
          Board::cell_of(move.to(), mover, kBlackView), planes::orthodox_policy_kind(move)};
}

std::int32_t Encoder<EscherPosition>::policy_cell(const EscherPosition& position, Square square) {
  return Board::cell_of(square, position.side_to_move(), kBlackView);
}

bool Encoder<EscherPosition>::mirror(const EscherPosition&, std::span<float>,
                                     std::span<PolicyIndex>) {
  return false;  // the staircases run one way
}

EscherPosition Encoder<EscherPosition>::decode(const EscherVariant& variant,
                                               std::span<const float> in, int* repetitions) {
  assert(in.size() == PlaneCount * Board::kCells);
  if (repetitions != nullptr) *repetitions = static_cast<int>(Board::value(in, Repetitions));
  return EscherPosition::from_fen(
      variant, Board::read_pieces(in) + " w - " + Board::read_square(in, EnPassant) + " " +
                   std::to_string(planes::plies_of(Board::value(in, Progress))) + " 1");
}

EncodingDetails encoding_details(const EscherVariant& variant) {
  const EncodingInfo& info = Encoder<EscherPosition>::info(variant);
  const auto drawn = draw_staircases();
  EncodingDetails details;
  details.attacks = {{.numbers = {0}, .patterns = attack_patterns(square_board())}};
  for (std::size_t plane = StepsNorth; plane < PlaneCount; ++plane) {
    MarkedSquares marked{.plane = info.planes[plane], .white = {}, .black = {}};
    for (Square s = 0; s < 64; ++s) {
      const auto is_drawn = [&](Colour mover) {
        return drawn[(plane - StepsNorth) * Board::kCells + Board::cell_of(s, mover, kBlackView)] !=
               0.0F;
      };
      if (is_drawn(Colour::White)) marked.white.push_back(s);
      if (is_drawn(Colour::Black)) marked.black.push_back(s);
    }
    details.marked.push_back(std::move(marked));
  }
  return details;
}

}  // namespace faultline
