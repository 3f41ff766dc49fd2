// The kinds of pieces that are compiled.
#include "rules/piece_kinds.h"

#include <cstddef>

namespace faultline {
namespace {

PieceKinds make_kinds(char pawn_letter) {
  constexpr std::string_view kLetters = "PNBRQKMU";
  constexpr std::array<std::string_view, kPieceTypes> kNames = {
      "pawn", "knight", "bishop", "rook", "queen", "king", "chancellor", "ultra"};
  PieceKinds kinds;
  for (std::size_t t = 0; t < kPieceTypes; ++t) {
    std::string name(kNames[t]);
    std::string letter(1, kLetters[t]);
    if (t == 0 && pawn_letter == 'C') {
      name = "crab";
      letter = "C";
    }
    kinds.push_back({.letter = letter,
                     .name = name,
                     .drawing = name,
                     .value = kPieceValues[t],
                     .like = static_cast<PieceType>(t)});
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
