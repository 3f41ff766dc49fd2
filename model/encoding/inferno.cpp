// The network encoding of Inferno Chess.
#include "model/encoding/inferno.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "base/interned.h"
#include "model/encoding/encoding_details.h"
#include "model/encoding/planes.h"
#include "model/encoding/squares.h"
#include "rules/attack_tables.h"

namespace faultline {
namespace {

using Board = planes::SquareCanvas;
constexpr auto kBlackView = planes::View::MirrorRanks;

enum LevelPlane : std::size_t {  // after the pieces; one such group per level
  EnPassant = planes::kPieces,
  Castling,  // four of them
  Squares = Castling + planes::kCastlingPlanes,
  LevelPlanes
};
enum Plane : std::size_t { Progress, Repetitions, Ones, CommonPlanes };  // after the levels' groups
constexpr std::int32_t kDescentKind = 5;  // after a move and the promotions

constexpr std::size_t level_planes(int levels) {
  return static_cast<std::size_t>(levels) * LevelPlanes;
}

EncodingInfo describe_encoding(const InfernoVariant& variant) {
  const int levels = variant.levels;
  EncodingInfo info;
  info.family = "inferno";
  info.variant = variant.canonical_name();
  info.version = 2;
  info.symmetry = "mirror";
  info.height = info.width = 8;
  info.levels = levels;
  for (int level = 1; level <= levels; ++level) {
    std::vector<std::string> names = planes::piece_plane_names();
    for (const char* name :
         {"en passant square", "own king-side castling", "own queen-side castling",
          "enemy king-side castling", "enemy queen-side castling", "squares"})
      names.emplace_back(name);
    assert(names.size() == LevelPlanes);
    for (const std::string& name : names)
      info.planes.push_back("level " + std::to_string(level) + ": " + name);
  }
  for (const char* name : {"plies since progress / 100", "earlier occurrences", "ones"})
    info.planes.emplace_back(name);
  info.policy_kinds = planes::orthodox_policy_kinds();
  info.policy_kinds.emplace_back("descent");
  const InfernoPosition start = InfernoPosition::start(variant);
  for (int level = 0; level < levels; ++level)
    for (EncodedSquare square : rectangle_squares(8, 8)) {
      square.exists = !contains(start.hole(level), static_cast<Square>(square.cell));
      square.name = std::to_string(level + 1) + square.name;
      square.cell = square.cell * levels + level;
      for (auto& neighbours : square.neighbours)
        for (int& s : neighbours)
          s += level * kLevelSquares;
      info.squares.push_back(std::move(square));
    }
  info.board_changes = "existence";
  assert(info.planes.size() == level_planes(levels) + CommonPlanes);
  assert(info.policy_kinds.size() == kDescentKind + 1);
  return info;
}

Square cell_of(Square s, Colour mover) {
  return Board::cell_of(static_cast<Square>(s % kLevelSquares), mover, kBlackView);
}

}  // namespace

const EncodingInfo& Encoder<InfernoPosition>::info(const InfernoVariant& variant) {
  static Interned<std::string, EncodingInfo> infos;
  return infos.get(variant.canonical_name(),
                   [&](const auto&) { return describe_encoding(variant); });
}

void Encoder<InfernoPosition>::encode(const InfernoPosition& position, int repetitions,
                                      std::span<float> out) {
  const std::size_t common = level_planes(position.start_levels());
  assert(out.size() == (common + CommonPlanes) * Board::kCells);
  std::ranges::fill(out, 0.0F);
  const Colour mover = position.side_to_move();
  for (int level = 0; level < position.levels(); ++level) {
    const std::size_t first = level_planes(level);
    const auto mark = [&](std::size_t index, Bitboard squares) {
      const auto plane = Board::plane(out, first + index);
      for_each_square(squares, [&](Square s) { plane[cell_of(s, mover)] = 1.0F; });
    };
    std::size_t index = 0;
    for (const Colour colour : {mover, ~mover})
      for (int type = 0; type < kOrthodoxTypes; ++type, ++index)
        mark(index, position.pieces(level, colour, static_cast<PieceType>(type)));
    Board::write_castling(mover, first + Castling, out, [&](Colour colour, bool king_side) {
      return position.has_castling_right(level, colour, king_side);
    });
    mark(Squares, ~position.hole(level));
  }
  if (const Square s = position.en_passant(); s != kNoSquare)
    Board::plane(out, level_planes(s / kLevelSquares) + EnPassant)[cell_of(s, mover)] = 1.0F;
  Board::fill(out, common + Progress, planes::progress_value(position.halfmove_clock()));
  Board::fill(out, common + Repetitions, static_cast<float>(repetitions));
  Board::fill(out, common + Ones, 1.0F);
}

PolicyIndex Encoder<InfernoPosition>::policy_index(const InfernoPosition& position, Move move) {
  std::int32_t kind = planes::orthodox_policy_kind(move);
  if (kind == 0 && move.from() / kLevelSquares != move.to() / kLevelSquares) kind = kDescentKind;
  return {policy_cell(position, move.from()), policy_cell(position, move.to()), kind};
}

std::int32_t Encoder<InfernoPosition>::policy_cell(const InfernoPosition& position, Square square) {
  return cell_of(square, position.side_to_move()) * position.start_levels() +
         square / kLevelSquares;
}

bool Encoder<InfernoPosition>::mirror(const InfernoPosition& position, std::span<float> planes,
                                      std::span<PolicyIndex> moves) {
  const int levels = position.start_levels();
  for (int level = 0; level < levels; ++level)
    if (Board::has_castling(planes, level_planes(level) + Castling)) return false;
  planes::mirror_files(planes, 8, 8);
  const auto mirrored = [levels](std::int32_t place) {
    return planes::mirrored_cell(place / levels, 8, 8) * levels + place % levels;
  };
  for (PolicyIndex& move : moves) {
    move.from = mirrored(move.from);
    move.to = mirrored(move.to);
  }
  return true;
}

InfernoPosition Encoder<InfernoPosition>::decode(const InfernoVariant& variant,
                                                 std::span<const float> in, int* repetitions) {
  const std::size_t common = level_planes(variant.levels);
  assert(in.size() == (common + CommonPlanes) * Board::kCells);
  if (repetitions != nullptr)
    *repetitions = static_cast<int>(Board::value(in, common + Repetitions));
  std::string pieces, castling, en_passant = "-";
  for (int level = 0; level < variant.levels; ++level) {
    const auto here = in.subspan(level_planes(level) * Board::kCells);
    if (Board::value(here, Squares) == 0.0F) break;  // a1 exists on every level
    pieces += (level ? "|" : "") + Board::read_pieces(here);
    castling += (level ? "|" : "") + Board::read_castling(here, Castling);
    const std::string passed = Board::read_square(here, EnPassant);
    if (passed != "-") en_passant = std::to_string(level + 1) + passed;
  }
  const int plies = planes::plies_of(Board::value(in, common + Progress));
  return InfernoPosition::from_fen(
      variant, pieces + " w " + castling + " " + en_passant + " " + std::to_string(plies) + " 1");
}

EncodingDetails encoding_details(const InfernoVariant& variant) {
  return {.attacks = {{.numbers = {0},
                       .patterns = on_levels(attack_patterns(square_board()), variant.levels)}},
          .move_separator = "-"};
}

}  // namespace faultline
