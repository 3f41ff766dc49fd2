// The network encoding of the Slanted Escalator family, on each board's underlying grid; the board
// is not turned for Black, since the escalators look different from that side. Cells are those of
// the grid, barriers included (10x9, 8x8 or 8x6); an escalator's neighbours below are in its own
// column and the next one. The ultra board has planes and promotions of ultras and chancellors.
#include "rules/families/slanted.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "model/encoding/encoder_impl.h"
#include "model/fast/fast_encoder_impl.h"

namespace faultline {
namespace {

using P = SlantedPosition;

int side_of_escalator(const SlantedBoard& board, Square s) {
  return board.grid().side_of_escalator(board.cell(s).file, board.cell(s).rank);
}

struct GridCanvas {
  const SlantedBoard& board;

  int width() const { return board.grid().width; }
  int height() const { return board.grid().height; }
  int used_width() const { return width(); }
  int cell(Square s) const { return board.cell(s).rank * width() + board.cell(s).file; }
};

Plane<P> escalators(const char* name, const SlantedBoard& board, int side) {
  WideBitboard set{};
  for (Square s = 0; s < board.size(); ++s)
    if (side_of_escalator(board, s) == side) set |= square_set<WideBitboard>(s);
  return {.name = name, .fixed = {set, set}};
}

Planes<P> planes_on(SlantedShape shape) {
  const SlantedBoard& board = SlantedBoard::of(shape, true);
  return {.of_level = joined<P>({en_passant_plane<P>(),
                                 castling_planes<P>(),
                                 {{.name = "squares",
                                   .squares =
                                       [](const Shown<P>& shown) {
                                         return shown.position.variant().board().tables().board();
                                       }},
                                  escalators("left escalators", board, -1),
                                  escalators("right escalators", board, 1)},
                                 black_to_move_plane<P>(),
                                 counter_planes<P>()}),
          .piece_types = shape == SlantedShape::Ultra ? kPieceTypes : kOrthodoxTypes};
}

}  // namespace

template <>
struct FamilyEncoding<SlantedPosition> : EncodingDefaults<P> {
  static constexpr BlackView kBlackView = BlackView::AsWhite;
  static constexpr std::string_view kPawn = "crab";
  static constexpr char kPawnLetter = 'C';
  static constexpr std::array kPromotions = {PieceType::Queen,      PieceType::Rook,
                                             PieceType::Bishop,     PieceType::Knight,
                                             PieceType::Chancellor, PieceType::Ultra};

  static const Planes<P>& planes_of(const Variant& variant) {
    static const std::array<Planes<P>, 3> planes = {planes_on(SlantedShape::Ultra),
                                                    planes_on(SlantedShape::Standard),
                                                    planes_on(SlantedShape::Mini)};
    return planes[static_cast<std::size_t>(variant.board().shape())];
  }
  static GridCanvas canvas(const P& position, Colour) { return {position.variant().board()}; }
  static GridCanvas canvas(const Variant& variant, Colour) { return {variant.board()}; }
  /// An escalator is half a file further towards the middle.
  static float offset(const Variant& variant, Square s) {
    return -0.5F * static_cast<float>(side_of_escalator(variant.board(), s));
  }
  static void mirror_planes(const P& position, std::span<float> all) {
    std::ranges::swap_ranges(plane_named(all, position, "left escalators"),
                             plane_named(all, position, "right escalators"));
  }
  static const FenRows& rows(const Variant& variant) { return variant.board().rows(); }
  static void add_details(const Variant& variant, EncodingDetails& details) {
    const SlantedBoard& board = variant.board();
    if (board.shape() != SlantedShape::Ultra) return;
    AttackPattern ultra{.name = "ultra", .lines = {}};
    for (Square s = 0; s < board.size(); ++s) {
      std::vector<AttackLine>& lines = ultra.lines.emplace_back();
      for_each_square(board.tables().ultra(s), [&](Square to) { lines.push_back({to}); });
    }
    details.attacks.front().patterns.push_back(std::move(ultra));
  }
};
template struct Encoder<SlantedPosition>;
template struct FastEncoder<SlantedPosition>;

}  // namespace faultline
