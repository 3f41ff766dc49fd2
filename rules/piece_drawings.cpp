// Names of pieces and what they are drawn as.
#include "rules/piece_drawings.h"

#include <algorithm>
#include <array>
#include <utility>

namespace faultline {
namespace {

constexpr std::array<std::string_view, 18> kDrawings = {
    "advisor", "amazon",   "archbishop", "bishop", "cannon", "chancellor",
    "crab",    "elephant", "gold",       "king",   "knight", "lance",
    "mann",    "pawn",     "queen",      "rook",   "silver", "ultra"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kAlike = {{
    {"cardinal", "archbishop"},
    {"chariot", "rook"},
    {"dragon", "rook"},
    {"dragon-horse", "bishop"},
    {"dragon-king", "rook"},
    {"empress", "chancellor"},
    {"guard", "advisor"},
    {"hoplite", "pawn"},
    {"horse", "knight"},
    {"mandarin", "advisor"},
    {"marshall", "chancellor"},
    {"minister", "advisor"},
    {"princess", "archbishop"},
    {"soldier", "pawn"},
    {"tokin", "pawn"},
    {"unicorn", "knight"},
    {"warlord", "archbishop"},
}};

}  // namespace

std::span<const std::string_view> piece_drawings() {
  return kDrawings;
}

bool is_piece_drawing(std::string_view name) {
  return std::ranges::find(kDrawings, name) != kDrawings.end();
}

std::string_view drawing_named(std::string_view name) {
  constexpr std::string_view kPromoted = "promoted ";
  if (name.starts_with(kPromoted)) name.remove_prefix(kPromoted.size());
  if (const auto found = std::ranges::find(kDrawings, name); found != kDrawings.end())
    return *found;
  for (const auto& [piece, drawing] : kAlike)
    if (piece == name) return drawing;
  return "";
}

PieceLook look_of(const PieceKind& kind) {
  PieceLook look{.drawing = "", .promoted = kind.letter.starts_with('+')};
  // Shogi's horse is a bishop with more moves, others are knights.
  if (look.promoted && kind.name == "horse")
    look.drawing = drawing_named("dragon-horse");
  else if (is_piece_drawing(kind.drawing))
    look.drawing = drawing_named(kind.drawing);
  else
    look.drawing = drawing_named(kind.name);
  if (look.drawing.empty() && kind.like == PieceType::King) look.drawing = drawing_named("king");
  return look;
}

}  // namespace faultline
