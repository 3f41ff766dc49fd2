// The project's piece set: every piece type as vector paths, so that no font is needed.
#pragma once

#include <span>
#include <string_view>

#include "rules/piece_kinds.h"

namespace faultline {

/// One path of a piece. Parts are drawn in order, later ones over earlier ones.
struct PiecePart {
  enum class Kind : unsigned char {
    Body,  // filled in the piece's colour, with an outline
    Limb,  // a thick line in the piece's colour, with an outline
    Line,  // a thin line in the colour of details
    Dot,   // filled in the colour of details
    Bar,   // a line in the colour of details, as thick as letters are
  };
  Kind kind = Kind::Body;
  std::string_view path;  // SVG path data in a box of 100 × 100, y downwards
};

/// The parts of a piece's shape: of its drawing as look_of() names it, with a cross if it is
/// promoted, or its letter in a disc. They live until the program ends.
std::span<const PiecePart> piece_parts(const PieceKind& kind);

}  // namespace faultline
