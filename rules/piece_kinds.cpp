// The kinds of pieces that are compiled.
#include "rules/piece_kinds.h"

#include <cstddef>

#include "rules/fen.h"

namespace faultline {
namespace {

PieceKinds make_kinds(char pawn_letter) {
  constexpr std::array<std::string_view, kPieceTypes> kNames = {
      "pawn", "knight", "bishop", "rook", "queen", "king", "chancellor", "ultra"};
  PieceKinds kinds;
  for (std::size_t t = 0; t < kPieceTypes; ++t) {
    std::string name(kNames[t]);
    if (t == 0 && pawn_letter == 'C') name = "crab";
    const auto type = static_cast<PieceType>(t);
    kinds.push_back({.letter = std::string(1, piece_letter({type, Colour::White}, pawn_letter)),
                     .name = name,
                     .drawing = name,
                     .value = kPieceValues[t],
                     .like = type});
  }
  return kinds;
}

}  // namespace

const PieceKinds& compiled_piece_kinds(char pawn_letter) {
  static const PieceKinds pawns = make_kinds('P');
  static const PieceKinds crabs = make_kinds('C');
  return pawn_letter == 'C' ? crabs : pawns;
}

PieceType piece_type_named(const PieceKinds& kinds, std::string_view name) {
  for (std::size_t t = 0; t < kinds.size(); ++t)
    if (kinds[t].name == name) return static_cast<PieceType>(t);
  return PieceType::None;
}

}  // namespace faultline
