// Which of the drawings of picture/piece_shapes.h a piece has.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rules/piece_kinds.h"

namespace faultline {

/// The names of all drawings: "archbishop", "bishop", ….
std::span<const std::string_view> piece_drawings();
bool is_piece_drawing(std::string_view name);

/// The drawing of a piece of that name: itself if there is one, or that of a piece that is drawn
/// alike ("soldier": "pawn"); "" if there is none.
std::string_view drawing_named(std::string_view name);

struct PieceLook {
  std::string_view drawing;  // one of piece_drawings(), or "": its letter in a disc
  bool promoted = false;     // marked with a cross: its letter begins with +
};
/// By its `drawing`, else its name.
PieceLook look_of(const PieceKind& kind);

}  // namespace faultline
