// Shapes of the pieces.
#include "picture/piece_shapes.h"

#include <array>
#include <cstddef>

namespace faultline {

namespace {

using enum PiecePart::Kind;

// All but the crab have the same base, 52 wide, its lower edge at 88.
constexpr std::string_view kFoot = "M26 88V83Q26 78 31 78H69Q74 78 74 83V88Z";

constexpr std::array kPawn = {
    PiecePart{Body, "M32 79C33 68 43 66 44 50H56C57 66 67 68 68 79Z"},
    PiecePart{Body, "M38 51Q36 51 36 48.5Q36 46 38 46H62Q64 46 64 48.5Q64 51 62 51Z"},
    PiecePart{Body, "M50 19A14 14 0 0 1 50 47A14 14 0 0 1 50 19Z"},
    PiecePart{Body, kFoot},
};

constexpr std::array kKnight = {
    PiecePart{Body,
              "M33 79C32 66 47 60 48 50C42 54 37 55 33 60C29 65 22 63 20 57C18 52 26 42 30 34"
              "C32 28 37 24 42 22L43 11L53 19C70 21 78 38 76 58C75 67 71 72 70 79Z"},
    PiecePart{Line, "M56 26C66 32 69 46 66 64"},
    PiecePart{Line, "M25.5 56.5L28 54.5"},
    PiecePart{Dot, "M41 30.5A3 3 0 0 1 41 36.5A3 3 0 0 1 41 30.5Z"},
    PiecePart{Body, kFoot},
};

constexpr std::array kBishop = {
    PiecePart{Body, "M31 79C33 71 41 71 41 62H59C59 71 67 71 69 79Z"},
    PiecePart{Body, "M50 20C37 30 31 43 38 58H62C69 43 63 30 50 20Z"},
    PiecePart{Line, "M56.5 28L47 43"},
    PiecePart{Body, "M36 63Q34 63 34 60.5Q34 58 36 58H64Q66 58 66 60.5Q66 63 64 63Z"},
    PiecePart{Body, "M50 10.5A5 5 0 0 1 50 20.5A5 5 0 0 1 50 10.5Z"},
    PiecePart{Body, kFoot},
};

constexpr std::array kRook = {
    PiecePart{Body, "M33 79L37 44H63L67 79Z"},
    PiecePart{Body, "M29 20H38V27H45V20H55V27H62V20H71V38L65 45H35L29 38Z"},
    PiecePart{Line, "M35 67H65"},
    PiecePart{Body, kFoot},
};

constexpr std::array kQueen = {
    PiecePart{Body, "M31 79L20 36L35 54L35.5 27L50 50L64.5 27L65 54L80 36L69 79Z"},
    PiecePart{Line, "M29 70Q50 64 71 70"},
    PiecePart{Body, "M19 27.5A5 5 0 0 1 19 37.5A5 5 0 0 1 19 27.5Z"},
    PiecePart{Body, "M35 18.5A5 5 0 0 1 35 28.5A5 5 0 0 1 35 18.5Z"},
    PiecePart{Body, "M65 18.5A5 5 0 0 1 65 28.5A5 5 0 0 1 65 18.5Z"},
    PiecePart{Body, "M81 27.5A5 5 0 0 1 81 37.5A5 5 0 0 1 81 27.5Z"},
    PiecePart{Body, kFoot},
};

constexpr std::array kKing = {
    PiecePart{Body, "M46 9H54V15H60.5V22.5H54V33H46V22.5H39.5V15H46Z"},
    PiecePart{Body,
              "M33 79C33 70 19 62 19 47C19 33 38 29 50 44C62 29 81 33 81 47C81 62 67 70 67 79Z"},
    PiecePart{Body, "M50 28L57 38L50 50L43 38Z"},
    PiecePart{Line, "M33 70Q50 64 67 70"},
    PiecePart{Body, kFoot},
};

// A knight's head above a rook's tower.
constexpr std::array kChancellor = {
    PiecePart{Body,
              "M36 66C36 54 47 50 48 42C43 45 40 45 36 49C32.5 53 27 51 25.5 46.5"
              "C24 42 30 34.5 33.5 28C35.5 23 39 19.5 43 18L44 8L52 15"
              "C66 17 72 31 70 47C69 54 68 60 68 66Z"},
    PiecePart{Line, "M55 21.5C63 27 65.5 38 63.5 50"},
    PiecePart{Dot, "M42.5 25A2.8 2.8 0 0 1 42.5 30.6A2.8 2.8 0 0 1 42.5 25Z"},
    PiecePart{Body, "M30 79V72L23 67V55H33.5V61H44V55H56V61H66.5V55H77V67L70 72V79Z"},
    PiecePart{Line, "M33 71H67"},
    PiecePart{Body, kFoot},
};

// An eight-pointed star: one point per direction of its leaps.
constexpr std::array kUltra = {
    PiecePart{Body, "M34 79C35 72 45 72 45 62H55C55 72 65 72 66 79Z"},
    PiecePart{Body,
              "M50 7L55.4 24L71.2 15.800L63 31.600L80 37L63 42.400L71.2 58.200L55.4 50L50 67"
              "L44.6 50L28.8 58.200L37 42.400L20 37L37 31.600L28.8 15.800L44.6 24Z"},
    PiecePart{Dot, "M50 31A6 6 0 0 1 50 43A6 6 0 0 1 50 31Z"},
    PiecePart{Body, kFoot},
};

constexpr std::array kCrab = {
    PiecePart{Limb, "M34 66L20 68L15 78M35 72L25 77L22 86M66 66L80 68L85 78M65 72L75 77L78 86"},
    PiecePart{Limb, "M33 58C24 56 20 50 22 42M67 58C76 56 80 50 78 42"},
    PiecePart{Limb, "M43 52L41 40M57 52L59 40"},
    PiecePart{Body,
              "M22 45C12 42 10 28 20 22C20 28 22 31 26 32C27 28 29 25 33 23C37 32 33 44 22 45Z"},
    PiecePart{Body,
              "M78 45C88 42 90 28 80 22C80 28 78 31 74 32C73 28 71 25 67 23C63 32 67 44 78 45Z"},
    PiecePart{Body,
              "M50 50C66 50 76 58 74 67C72 77 61 82 50 82C39 82 28 77 26 67C24 58 34 50 50 50Z"},
    PiecePart{Body, "M41 33.5A4 4 0 0 1 41 41.5A4 4 0 0 1 41 33.5Z"},
    PiecePart{Body, "M59 33.5A4 4 0 0 1 59 41.5A4 4 0 0 1 59 33.5Z"},
    PiecePart{Line, "M39 64Q50 59 61 64M42 72Q50 76 58 72"},
};

}  // namespace

std::span<const PiecePart> piece_parts(const PieceKind& kind) {
  struct Drawing {
    std::string_view name;
    std::span<const PiecePart> parts;
  };
  static const std::array<Drawing, 9> kDrawings = {{{"pawn", kPawn},
                                                    {"crab", kCrab},
                                                    {"knight", kKnight},
                                                    {"bishop", kBishop},
                                                    {"rook", kRook},
                                                    {"queen", kQueen},
                                                    {"king", kKing},
                                                    {"chancellor", kChancellor},
                                                    {"ultra", kUltra}}};
  for (const Drawing& drawing : kDrawings)
    if (drawing.name == kind.drawing) return drawing.parts;
  return {};
}

}  // namespace faultline
