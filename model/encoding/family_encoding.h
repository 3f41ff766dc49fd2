// What a family says of its encoding: a table of planes and a map from squares to cells. For the
// sources of model/encoding/ only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/encoding/encoding.h"
#include "model/encoding/encoding_details.h"
#include "rules/bitboard.h"
#include "rules/fen.h"

namespace faultline {

/// The board as seen by Black; White sees it as its squares are numbered.
enum class BlackView : std::uint8_t { AsWhite, MirrorRanks, HalfTurn };

/// What a plane may show. `level`: 0 for planes that levels share. `mover`: whose side is "own".
template <class P>
struct Shown {
  const P& position;
  int repetitions;
  int level;
  Colour mover;
};

/// A plane besides those of the pieces: one number on all cells, or ones on some squares.
template <class P>
struct Plane {
  using Squares = typename P::SquareSet;

  std::string name;
  float (*number)(const Shown<P>&) = nullptr;
  Squares (*squares)(const Shown<P>&) = nullptr;
  /// By side to move: the same in every position, as far as they exist.
  std::array<Squares, 2> fixed = {};
  /// Shows how the board has changed, which is an input of fast networks (model/fast/), too. Eight
  /// times a number is then a whole one.
  bool is_board = false;
};

template <class P>
using PlaneList = std::vector<Plane<P>>;

/// The planes in order: for every level "own pawn", …, "enemy king" and `of_level`; then `common`.
template <class P>
struct Planes {
  PlaneList<P> of_level;
  PlaneList<P> common = {};
  int piece_types = kOrthodoxTypes;

  std::size_t level_size() const {
    return 2 * static_cast<std::size_t>(piece_types) + of_level.size();
  }
};

/// Reads the planes of one position.
class PlaneReader {
 public:
  PlaneReader(const EncodingInfo& encoding, std::span<const float> planes)
      : encoding_(encoding), planes_(planes) {}

  float value(std::size_t plane, int cell) const {
    return planes_[plane * static_cast<std::size_t>(encoding_.cells()) +
                   static_cast<std::size_t>(cell)];
  }
  /// 0 if there is no plane of that name.
  float value(std::string_view plane, int cell = 0) const {
    const auto found = std::ranges::find(encoding_.planes, plane);
    if (found == encoding_.planes.end()) return 0;
    return value(static_cast<std::size_t>(found - encoding_.planes.begin()), cell);
  }
  bool has(std::string_view plane, int cell = 0) const { return value(plane, cell) != 0.0F; }

 private:
  const EncodingInfo& encoding_;
  std::span<const float> planes_;
};

/// What a family says of its encoding: derived from EncodingDefaults or RectangleEncoding, with
///   static const Planes<P>& planes();    // or planes_of(variant)
/// and, where there is no rectangle,
///   static constexpr BlackView kBlackView;
///   static Canvas canvas(const P&, Colour mover);    // a map from squares to cells; see Rectangle
///   static Canvas canvas(const P::Variant&, Colour mover);    // at the start of a game
/// where the board moves,
///   static PolicyIndex board_movement(const P&, Move);
/// and what else the defaults do not say rightly.
template <class P>
struct FamilyEncoding;

template <class P>
struct EncodingDefaults {
  using Variant = typename P::Variant;
  using Squares = typename P::SquareSet;

  static constexpr int kVersion = 1;
  static constexpr std::string_view kPawn = "pawn";
  static constexpr char kPawnLetter = 'P';
  /// What pawns become, in the order of their policy kinds.
  static constexpr std::array kPromotions = {PieceType::Queen, PieceType::Rook, PieceType::Bishop,
                                             PieceType::Knight};
  /// Where levels are stacked, the squares of each.
  static constexpr int kLevelSquares = kMaxSquares;

  static const Planes<P>& planes_of(const Variant&) { return FamilyEncoding<P>::planes(); }
  static int levels(const Variant&) { return 1; }  // at the start
  static int levels(const P&) { return 1; }        // likewise
  static int levels_left(const P&) { return 1; }
  static Squares pieces(const P& p, int /*level*/, Colour c, PieceType t) { return p.pieces(c, t); }
  static Squares existing(const P&) { return ~Squares{}; }
  static bool may_castle(const P& p, int /*level*/, Colour c, bool king_side) {
    return p.has_castling_right(c, king_side);
  }

  /// EncodingInfo::board_changes.
  static const char* board_changes(const Variant&) { return "nothing"; }
  /// How far a square's centre is to the right of its cell's, in cells.
  static float offset(const Variant&, Square) { return 0; }
  static void add_details(const Variant&, EncodingDetails&) {}

  /// The kinds of moves besides an ordinary one and promotions.
  static std::vector<std::string> own_kinds(const Variant&) { return {}; }
  /// Whether a piece's move that is no promotion is of the first of them.
  static bool is_of_own_kind(Move) { return false; }

  /// Whether the position with left and right exchanged is one of the same game, castling aside;
  /// and what must be done besides moving cells.
  static bool mirrors(const P&) { return true; }
  /// Likewise of the inputs of fast networks, in every position.
  static constexpr bool kMirrorsFastInputs = true;
  static void mirror_planes(const P&, std::span<float>) {}
  static void mirror_move(const P&, PolicyIndex&) {}

  static auto decoded_canvas(const Variant& v, const PlaneReader&, Colour mover) {
    return FamilyEncoding<P>::canvas(v, mover);
  }
  static const FenRows& rows(const Variant&) { return square_board_rows(); }
  static bool is_missing(const PlaneReader&, Square, int /*cell*/) { return false; }
  /// The rights to castle as bits, as in FENs. `level`: what names of planes begin with.
  template <class Canvas>
  static unsigned castling_rights(const PlaneReader& read, const std::string& level, const Canvas&,
                                  Colour mover) {
    unsigned rights = 0;
    for (const bool own : {true, false})
      for (const bool king_side : {true, false})
        if (read.has(level + (own ? "own " : "enemy ") + (king_side ? "king" : "queen") +
                     "-side castling"))
          rights |= 1U << (2 * index(own ? mover : ~mover) + (king_side ? 0 : 1));
    return rights;
  }
  /// FEN's fields after the move number, with a space before each.
  static std::string fields_about_the_board(const Variant&, const PlaneReader&, Colour) {
    return "";
  }
};

/// The cells of a board of `Files` × `Ranks` squares, square = rank * Files + file.
template <BlackView view, int Files, int Ranks>
struct Rectangle {
  Colour mover;

  static constexpr int width() { return Files; }
  static constexpr int height() { return Ranks; }
  /// The columns that the board takes up, from the left.
  static constexpr int used_width() { return Files; }
  constexpr int cell(Square square) const {
    if (mover == Colour::White || view == BlackView::AsWhite) return square;
    const int turned = Files * Ranks - 1 - square;
    return view == BlackView::HalfTurn ? turned : turned / Files * Files + square % Files;
  }
};

template <class P, BlackView view, int Files = 8, int Ranks = Files>
struct RectangleEncoding : EncodingDefaults<P> {
  using Canvas = Rectangle<view, Files, Ranks>;
  static constexpr BlackView kBlackView = view;

  static Canvas canvas(const P&, Colour mover) { return {mover}; }
  static Canvas canvas(const typename P::Variant&, Colour mover) { return {mover}; }
  static const FenRows& rows(const typename P::Variant&) {
    static const FenRows rows = rectangle_rows(Files, Ranks);
    return rows;
  }
};

/// A square's level and its number there.
template <class P>
constexpr std::pair<int, Square> place_of(Square s) {
  constexpr int size = FamilyEncoding<P>::kLevelSquares;
  if constexpr (size == kMaxSquares)
    return {0, s};
  else
    return {s / size, static_cast<Square>(s % size)};
}

/// One plane of a board without levels.
template <class P>
std::span<float> plane_named(std::span<float> all, const P& position, std::string_view name) {
  const Planes<P>& planes = FamilyEncoding<P>::planes_of(position.variant());
  const auto found = std::ranges::find(planes.of_level, name, &Plane<P>::name);
  const auto canvas = FamilyEncoding<P>::canvas(position, position.side_to_move());
  const auto cells = static_cast<std::size_t>(canvas.width() * canvas.height());
  const auto number = static_cast<std::size_t>(found - planes.of_level.begin());
  return all.subspan((planes.level_size() - planes.of_level.size() + number) * cells, cells);
}

template <class P>
PlaneList<P> joined(std::initializer_list<PlaneList<P>> lists) {
  PlaneList<P> all;
  for (const PlaneList<P>& list : lists)
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

template <class P>
PlaneList<P> en_passant_plane() {
  return {{.name = "en passant square", .squares = [](const Shown<P>& shown) {
             const Square passed = shown.position.en_passant();
             if (passed == kNoSquare) return typename P::SquareSet{};
             const auto [level, square] = place_of<P>(passed);
             return level == shown.level ? square_set<typename P::SquareSet>(square)
                                         : typename P::SquareSet{};
           }}};
}

/// The rights to castle: own king-side, own queen-side, then the enemy's.
template <class P>
PlaneList<P> castling_planes() {
  static constexpr auto right = [](const Shown<P>& shown, bool own, bool king_side) {
    const Colour colour = own ? shown.mover : ~shown.mover;
    return FamilyEncoding<P>::may_castle(shown.position, shown.level, colour, king_side) ? 1.0F
                                                                                         : 0.0F;
  };
  return {{.name = "own king-side castling",
           .number = [](const Shown<P>& shown) { return right(shown, true, true); }},
          {.name = "own queen-side castling",
           .number = [](const Shown<P>& shown) { return right(shown, true, false); }},
          {.name = "enemy king-side castling",
           .number = [](const Shown<P>& shown) { return right(shown, false, true); }},
          {.name = "enemy queen-side castling",
           .number = [](const Shown<P>& shown) { return right(shown, false, false); }}};
}

/// For encodings that do not show the board as the mover sees it in every respect.
template <class P>
PlaneList<P> black_to_move_plane() {
  return {{.name = "black to move", .number = [](const Shown<P>& shown) {
             return shown.mover == Colour::Black ? 1.0F : 0.0F;
           }}};
}

inline constexpr double kProgressScale = 100;  // plies / this

template <class P>
PlaneList<P> counter_planes() {
  return {{.name = "plies since progress / 100",
           .number =
               [](const Shown<P>& shown) {
                 return static_cast<float>(shown.position.halfmove_clock() / kProgressScale);
               }},
          {.name = "earlier occurrences",
           .number = [](const Shown<P>& shown) { return static_cast<float>(shown.repetitions); }},
          {.name = "ones", .number = [](const Shown<P>&) { return 1.0F; }}};
}

}  // namespace faultline
