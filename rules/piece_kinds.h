// What the piece types of a game are called, and what they are worth.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "rules/types.h"

namespace faultline {

struct PieceKind {
  std::string letter;   // White's, as position texts write it: "Q", "+R"
  std::string name;     // "queen"; no two kinds of a game share one
  std::string drawing;  // the name of the piece whose drawing it has; "": none
  int value = 0;        // centipawns; 0 for pieces that cannot be lost
  /// The piece that it is placed like: pawns advance, kings hide; None: no such piece.
  PieceType like = PieceType::None;

  /// Whether the notation of moves leaves its letter out.
  bool is_pawn() const { return like == PieceType::Pawn; }
};

/// By index(PieceType).
using PieceKinds = std::vector<PieceKind>;

/// By index(PieceType), None's included, in centipawns. The orthodox pieces have the classical
/// values in the form of Michniewski's "Simplified Evaluation Function". The others are estimates
/// by analogy: a chancellor, rook and knight in one, is worth nearly a queen; an ultra reaches
/// sixteen squares without being blocked, twice as many as a knight. A king is not material.
using TypeValues = std::array<int, kMostPieceTypes + 1>;
inline constexpr TypeValues kPieceValues = {100, 320, 330, 500, 900, 0, 850, 650};

/// The types of the families that are compiled. `pawn_letter` 'C': pawns are crabs.
const PieceKinds& compiled_piece_kinds(char pawn_letter = 'P');

/// The type of that name, or None.
PieceType piece_type_named(const PieceKinds& kinds, std::string_view name);

}  // namespace faultline
