// The network encoding of Inferno Chess: on 8x8, a group of 18 planes per level, each seen from the
// side to move (ranks mirrored). Squares of different levels share a cell, so that squares linked
// by descents are close; each has its own policy cell. Levels that have vanished leave the last
// groups empty.
#include "rules/families/inferno.h"

#include <string>
#include <vector>

#include "model/encoding/encoder_impl.h"
#include "model/fast/fast_encoder_impl.h"

namespace faultline {

template <>
struct FamilyEncoding<InfernoPosition>
    : RectangleEncoding<InfernoPosition, BlackView::MirrorRanks> {
  using P = InfernoPosition;
  static constexpr int kVersion = 2;
  static constexpr int kLevelSquares = faultline::kLevelSquares;

  static const Planes<P>& planes() {
    static const Planes<P> planes = {
        .of_level = joined<P>(
            {en_passant_plane<P>(),
             castling_planes<P>(),
             {{.name = "squares",
               .squares =
                   [](const Shown<P>& shown) { return ~shown.position.hole(shown.level); }}}}),
        .common = counter_planes<P>()};
    return planes;
  }
  static int levels(const Variant& variant) { return variant.levels; }
  static int levels(const P& position) { return position.start_levels(); }
  static int levels_left(const P& position) { return position.levels(); }
  static Bitboard pieces(const P& position, int level, Colour c, PieceType t) {
    return position.pieces(level, c, t);
  }
  static bool may_castle(const P& position, int level, Colour c, bool king_side) {
    return position.has_castling_right(level, c, king_side);
  }
  static const char* board_changes(const Variant&) { return "existence"; }
  static std::vector<std::string> own_kinds(const Variant&) { return {"descent"}; }
  static bool is_of_own_kind(Move move) {
    return place_of<P>(move.from()).first != place_of<P>(move.to()).first;
  }
  static void add_details(const Variant&, EncodingDetails& details) {
    details.move_separator = "-";
  }
};
template struct Encoder<InfernoPosition>;
template struct FastEncoder<InfernoPosition>;

}  // namespace faultline
