// Shapes of the pieces.
#include "picture/piece_shapes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/interned.h"
#include "rules/piece_drawings.h"

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

// A knight's head behind a bishop's mitre.
constexpr std::array kArchbishop = {
    PiecePart{Body,
              "M34 70C34 54 47 50 48 42C43 45 40 45 36 49C32.5 53 27 51 25.5 46.5"
              "C24 42 30 34.5 33.5 28C35.5 23 39 19.5 43 18L44 8L52 15"
              "C66 17 72 31 70 47C69 54 68 62 68 70Z"},
    PiecePart{Line, "M55 21.5C63 27 65.5 38 63.5 50"},
    PiecePart{Dot, "M42.5 25A2.8 2.8 0 0 1 42.5 30.6A2.8 2.8 0 0 1 42.5 25Z"},
    PiecePart{Body, "M32 79C33 74 38 74 39 70H62C63 74 68 74 69 79Z"},
    PiecePart{Body, "M50.500 43C41 50 36 58 40 70H61C65 58 60 50 50.500 43Z"},
    PiecePart{Line, "M55.500 49L48 60"},
    PiecePart{Body, kFoot},
};

// A knight's head above a queen's crown.
constexpr std::array kAmazon = {
    PiecePart{Body,
              "M36 70C36 54 47 50 48 42C43 45 40 45 36 49C32.5 53 27 51 25.5 46.5"
              "C24 42 30 34.5 33.5 28C35.5 23 39 19.5 43 18L44 8L52 15"
              "C66 17 72 31 70 47C69 54 68 62 68 70Z"},
    PiecePart{Line, "M55 21.5C63 27 65.5 38 63.5 50"},
    PiecePart{Dot, "M42.5 25A2.8 2.8 0 0 1 42.5 30.6A2.8 2.8 0 0 1 42.5 25Z"},
    PiecePart{Body, "M30 79L18 52L33 63L41 49L50 62L59 49L67 63L82 52L70 79Z"},
    PiecePart{Line, "M29 73Q50 67 71 73"},
    PiecePart{Body, kFoot},
};

constexpr std::array kMann = {
    PiecePart{Body,
              "M33 79C33 70 19 62 19 47C19 33 38 29 50 44C62 29 81 33 81 47C81 62 67 70 67 79Z"},
    PiecePart{Body, "M50 18A9 9 0 0 1 50 36A9 9 0 0 1 50 18Z"},
    PiecePart{Line, "M33 70Q50 64 67 70"},
    PiecePart{Body, kFoot},
};

// A barrel on a wheel.
constexpr std::array kCannon = {
    PiecePart{Body, "M26 79L40 56H66L76 79Z"},
    PiecePart{Body, "M16 54L70 16L84 36L30 71C20 72 14 64 16 54Z"},
    PiecePart{Line, "M60 23L74 43M31 44L45 61"},
    PiecePart{Body, "M50 49A13.5 13.5 0 0 1 50 76A13.5 13.5 0 0 1 50 49Z"},
    PiecePart{Line, "M50 49V76M36.500 62.500H63.500"},
    PiecePart{Dot, "M50 58.500A4 4 0 0 1 50 66.500A4 4 0 0 1 50 58.500Z"},
    PiecePart{Body, kFoot},
};

constexpr std::array kElephant = {
    PiecePart{Body,
              "M36 79C38 70 40 62 36 56C28 56 26 63 27 76H17C14 56 20 48 28 42"
              "C28 26 40 17 56 18C74 19 82 34 80 52C79 64 72 70 70 79Z"},
    PiecePart{Body, "M52 30C70 24 78 42 68 60C56 64 46 46 52 30Z"},
    PiecePart{Line, "M38 57C36 64 33 66 31 65"},
    PiecePart{Dot, "M41 34A3 3 0 0 1 41 40A3 3 0 0 1 41 34Z"},
    PiecePart{Body, kFoot},
};

// A robe and a wide hat.
constexpr std::array kAdvisor = {
    PiecePart{Body, "M30 79C34 66 38 60 40 48H60C62 60 66 66 70 79Z"},
    PiecePart{Line, "M50 52V76M42 50L50 60L58 50"},
    PiecePart{Body, "M50 25A12 12 0 0 1 50 49A12 12 0 0 1 50 25Z"},
    PiecePart{Body, "M24 32Q24 28 30 28Q38 28 42 14H58Q62 28 70 28Q76 28 76 32Q50 38 24 32Z"},
    PiecePart{Body, kFoot},
};

// Helmets: of gold with horns.
constexpr std::array kGold = {
    PiecePart{Body, "M28 79C28 66 34 60 34 48H66C66 60 72 66 72 79Z"},
    PiecePart{Line, "M32 64H68M30 72H70"},
    PiecePart{Body,
              "M26 52C30 48 32 44 32 38C32 26 40 20 50 20C60 20 68 26 68 38C68 44 70 48 74 52Q50 "
              "44 26 52Z"},
    PiecePart{Body, "M28 8C26 22 36 32 50 32C64 32 74 22 72 8C84 26 70 42 50 42C30 42 16 26 28 8Z"},
    PiecePart{Body, kFoot},
};
constexpr std::array kSilver = {
    PiecePart{Body, "M28 79C28 66 34 60 34 48H66C66 60 72 66 72 79Z"},
    PiecePart{Line, "M31 68H69"},
    PiecePart{Body,
              "M26 52C30 48 32 44 32 38C32 26 40 20 50 20C60 20 68 26 68 38C68 44 70 48 74 52Q50 "
              "44 26 52Z"},
    PiecePart{Body, "M50 10L57 24L50 40L43 24Z"},
    PiecePart{Body, kFoot},
};

constexpr std::array kLance = {
    PiecePart{Body, "M46 79V40H54V79Z"},
    PiecePart{Body, "M50 6L62 34L50 44L38 34Z"},
    PiecePart{Line, "M50 14V38"},
    PiecePart{Body, "M34 50Q32 50 32 47.500Q32 45 34 45H66Q68 45 68 47.500Q68 50 66 50Z"},
    PiecePart{Body, kFoot},
};

constexpr std::string_view kDisc = "M50 16A36 36 0 0 1 50 88A36 36 0 0 1 50 16Z";
constexpr std::string_view kCross = "M50 21V33M44 27H56";  // above a letter
// A small disc with a cross at the upper right.
constexpr std::array kPromoted = {
    PiecePart{Body, "M79 8A13 13 0 0 1 79 34A13 13 0 0 1 79 8Z"},
    PiecePart{Line, "M79 14V28M72 21H86"},
};

// A to Z.
constexpr std::array<std::string_view, 26> kLetters = {
    "M36 70L50 38L64 70M41 59H59",
    "M39 54H51Q60 53 60 46Q60 38 51 38H39V70H52Q62 70 62 62Q62 54 51 54",
    "M62 44Q57 38 50 38Q37 38 37 54Q37 70 50 70Q57 70 62 64",
    "M39 70V38H48Q63 38 63 54Q63 70 48 70Z",
    "M61 38H40V70H61M40 53H57",
    "M61 38H40V70M40 53H57",
    "M62 44Q57 38 50 38Q37 38 37 54Q37 70 50 70Q58 70 63 66V55H52",
    "M38 38V70M62 38V70M38 54H62",
    "M50 38V70M43 38H57M43 70H57",
    "M58 38V60Q58 70 49 70Q41 70 40 61",
    "M39 38V70M61 38L39 57M46 51L62 70",
    "M40 38V70H61",
    "M35 70V38L50 58L65 38V70",
    "M38 70V38L62 70V38",
    "M50 38Q36 38 36 54Q36 70 50 70Q64 70 64 54Q64 38 50 38Z",
    "M40 70V38H52Q61 38 61 47Q61 56 52 56H40",
    "M50 38Q36 38 36 54Q36 70 50 70Q64 70 64 54Q64 38 50 38ZM54 61L64 72",
    "M40 70V38H52Q61 38 61 47Q61 55 52 55H40M51 55L62 70",
    "M61 44Q58 38 50 38Q39 38 39 46Q39 52 50 54Q62 56 62 62Q62 70 50 70Q41 70 38 63",
    "M36 38H64M50 38V70",
    "M38 38V58Q38 70 50 70Q62 70 62 58V38",
    "M37 38L50 70L63 38",
    "M33 38L41 70L50 46L59 70L67 38",
    "M38 38L62 70M62 38L38 70",
    "M37 38L50 55L63 38M50 55V70",
    "M38 38H62L38 70H62",
};

struct Drawing {
  std::string_view name;
  std::span<const PiecePart> parts;
};
const std::array<Drawing, 18> kDrawings = {{{"pawn", kPawn},
                                            {"crab", kCrab},
                                            {"knight", kKnight},
                                            {"bishop", kBishop},
                                            {"rook", kRook},
                                            {"queen", kQueen},
                                            {"king", kKing},
                                            {"chancellor", kChancellor},
                                            {"ultra", kUltra},
                                            {"archbishop", kArchbishop},
                                            {"amazon", kAmazon},
                                            {"mann", kMann},
                                            {"cannon", kCannon},
                                            {"elephant", kElephant},
                                            {"advisor", kAdvisor},
                                            {"gold", kGold},
                                            {"silver", kSilver},
                                            {"lance", kLance}}};

std::span<const PiecePart> parts_of_drawing(std::string_view name) {
  const auto found = std::ranges::find(kDrawings, name, &Drawing::name);
  return found == kDrawings.end() ? std::span<const PiecePart>{} : found->parts;
}

std::vector<PiecePart> letter_parts(std::string_view letter) {
  std::vector<PiecePart> parts = {{Body, kDisc}};
  for (const char c : letter) {
    if (c == '+') parts.push_back({Line, kCross});
    if (c >= 'A' && c <= 'Z') parts.push_back({Bar, kLetters[static_cast<std::size_t>(c - 'A')]});
  }
  return parts;
}

}  // namespace

std::span<const PiecePart> piece_parts(const PieceKind& kind) {
  const PieceLook look = look_of(kind);
  const std::span<const PiecePart> drawing = parts_of_drawing(look.drawing);
  if (!drawing.empty() && !look.promoted) return drawing;
  static Interned<std::pair<std::string, std::string>, std::vector<PiecePart>> composed;
  return composed.get({std::string(look.drawing), drawing.empty() ? kind.letter : ""},
                      [&](const auto&) {
                        if (drawing.empty()) return letter_parts(kind.letter);
                        std::vector<PiecePart> parts(drawing.begin(), drawing.end());
                        parts.insert(parts.end(), kPromoted.begin(), kPromoted.end());
                        return parts;
                      });
}

}  // namespace faultline
