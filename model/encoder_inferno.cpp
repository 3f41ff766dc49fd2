// Inferno Chess for networks.
#include "model/encoder_inferno.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <utility>

#include "model/planes.h"

namespace faultline {
namespace {

using Board = planes::SquareCanvas;
constexpr std::size_t kLevelCells = 72;  // a level's squares and the row that follows

enum Plane : std::size_t {  // after the pieces
  EnPassant = planes::kPieces,
  Castling,  // four of them
  Squares = Castling + planes::kCastlingPlanes,
  Holes,
  Depth,
  Progress,
  Repetitions,
  Ones,
  PlaneCount
};
constexpr std::int32_t kDescentKind = 5;  // after a move and the promotions

constexpr std::size_t canvas_cells(int levels) {
  return static_cast<std::size_t>(levels) * kLevelCells - 8;
}

EncodingInfo describe_encoding(int levels) {
  EncodingInfo info;
  info.family = "inferno";
  info.variant = InfernoVariant{levels}.canonical_name();
  info.version = 1;
  info.symmetry = "mirror";
  info.height = 9 * levels - 1;
  info.width = 8;
  info.planes = planes::piece_plane_names();
  for (const char* name :
       {"en passant square", "own king-side castling", "own queen-side castling",
        "enemy king-side castling", "enemy queen-side castling", "squares of levels", "holes",
        "depth of the level", "plies since progress / 100", "earlier occurrences", "ones"})
    info.planes.emplace_back(name);
  info.policy_kinds = planes::orthodox_policy_kinds();
  info.policy_kinds.emplace_back("descent");
  assert(info.planes.size() == PlaneCount);
  assert(info.policy_kinds.size() == kDescentKind + 1);
  return info;
}

std::int32_t cell_of(Square s, Colour mover) {
  const auto local = static_cast<Square>(s % kLevelSquares);
  return s / kLevelSquares * static_cast<std::int32_t>(kLevelCells) +
         Board::cell_of(local, mover, planes::View::MirrorRanks);
}

}  // namespace

const EncodingInfo& Encoder<InfernoPosition>::info(const InfernoVariant& variant) {
  static const auto infos = [] {
    std::array<EncodingInfo, kMaxLevels> all;
    for (int levels = 1; levels <= kMaxLevels; ++levels)
      all[static_cast<std::size_t>(levels - 1)] = describe_encoding(levels);
    return all;
  }();
  return infos[static_cast<std::size_t>(variant.levels - 1)];
}

void Encoder<InfernoPosition>::encode(const InfernoPosition& position, int repetitions,
                                      std::span<float> out) {
  const std::size_t cells = canvas_cells(position.start_levels());
  assert(out.size() == PlaneCount * cells);
  std::ranges::fill(out, 0.0F);
  const Colour mover = position.side_to_move();
  const auto plane = [&](std::size_t index) { return out.subspan(index * cells, cells); };
  const auto mark = [&](std::size_t index, int level, Bitboard squares) {
    const auto cells_of_plane = plane(index);
    for_each_square(squares, [&](Square s) {
      const auto global = static_cast<Square>(level * kLevelSquares + s);
      cells_of_plane[static_cast<std::size_t>(cell_of(global, mover))] = 1.0F;
    });
  };

  for (int level = 0; level < position.levels(); ++level) {
    const auto fill_level = [&](std::size_t index, float value) {
      const auto first = static_cast<std::size_t>(level) * kLevelCells;
      std::ranges::fill(plane(index).subspan(first, kLevelSquares), value);
    };
    std::size_t index = 0;
    for (const Colour colour : {mover, ~mover})
      for (int type = 0; type < kOrthodoxTypes; ++type, ++index)
        mark(index, level, position.pieces(level, colour, static_cast<PieceType>(type)));
    std::size_t right = Castling;
    for (const Colour colour : {mover, ~mover})
      for (const bool king_side : {true, false}) {
        fill_level(right++, position.has_castling_right(level, colour, king_side) ? 1.0F : 0.0F);
      }
    fill_level(Squares, 1.0F);
    mark(Holes, level, position.hole(level));
    fill_level(Depth, static_cast<float>(level + 1) / static_cast<float>(kMaxLevels));
  }
  if (position.en_passant() != kNoSquare)
    plane(EnPassant)[static_cast<std::size_t>(cell_of(position.en_passant(), mover))] = 1.0F;
  std::ranges::fill(plane(Progress), planes::progress_value(position.plies_since_progress()));
  std::ranges::fill(plane(Repetitions), static_cast<float>(repetitions));
  std::ranges::fill(plane(Ones), 1.0F);
}

PolicyIndex Encoder<InfernoPosition>::policy_index(const InfernoPosition& position, Move move) {
  const Colour mover = position.side_to_move();
  std::int32_t kind = planes::orthodox_policy_kind(move);
  if (kind == 0 && move.from() / kLevelSquares != move.to() / kLevelSquares) kind = kDescentKind;
  return {cell_of(move.from(), mover), cell_of(move.to(), mover), kind};
}

InfernoPosition Encoder<InfernoPosition>::decode(const InfernoVariant& variant,
                                                 std::span<const float> in, int* repetitions) {
  const std::size_t cells = canvas_cells(variant.levels);
  assert(in.size() == PlaneCount * cells);
  const auto plane = [&](std::size_t index) { return in.subspan(index * cells, cells); };
  if (repetitions != nullptr) *repetitions = static_cast<int>(plane(Repetitions)[0]);

  std::string pieces, castling, en_passant = "-";
  for (int level = 0; level < variant.levels; ++level) {
    const auto first = static_cast<std::size_t>(level) * kLevelCells;
    if (plane(Squares)[first] == 0.0F) break;
    // The level's planes alone, as one board's.
    std::array<float, PlaneCount * Board::kCells> board{};
    for (std::size_t index = 0; index < PlaneCount; ++index)
      std::ranges::copy(plane(index).subspan(first, Board::kCells),
                        Board::plane(std::span<float>(board), index).begin());
    const std::span<const float> here = board;
    pieces += (level ? "|" : "") + Board::read_pieces(here);
    castling += (level ? "|" : "") + Board::read_castling(here, Castling);
    const std::string passed = Board::read_square(here, EnPassant);
    if (passed != "-") en_passant = std::to_string(level + 1) + passed;
  }
  const auto plies = planes::plies_of(plane(Progress)[0]);
  return InfernoPosition::from_fen(
      variant, pieces + " w " + castling + " " + en_passant + " " + std::to_string(plies) + " 1");
}

}  // namespace faultline
