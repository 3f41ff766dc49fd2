// Gardner's minichess.
#include "rules/families/gardner.h"

#include "rules/board_position_impl.h"
#include "rules/piece_play.h"

namespace faultline {

namespace {

constexpr std::string_view kStart = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1";

constexpr Bitboard rank(int r) {
  return Bitboard{31} << (GardnerPosition::kFiles * r);
}
constexpr Bitboard last_rank(Colour c) {
  return rank(c == Colour::White ? GardnerPosition::kRanks - 1 : 0);
}

}  // namespace

const BoardGraph& GardnerPosition::graph(const Variant&) {
  static const BoardGraph graph = BoardGraph::rectangle(kFiles, kRanks);
  return graph;
}

const AttackTables& GardnerPosition::tables() {
  static const AttackTables tables(graph({}));
  return tables;
}

const FenRows& GardnerPosition::rows() {
  static const FenRows rows = rectangle_rows(kFiles, kRanks);
  return rows;
}

std::string GardnerPosition::square_text(Square s) {
  return graph({}).name(s);
}

const FamilyInfo& GardnerPosition::info() {
  static const FamilyInfo info = {
      .name = "gardner",
      .inventor = "Martin Gardner",
      .summary = "Chess on 5x5 squares: learned within minutes, for quick experiments.",
      .options = {},
      .most_plies = 300};
  return info;
}

VariantDescription GardnerPosition::describe(const Variant&) {
  return {.summary = info().summary,
          .rulings = {"Pawns advance one square only, so that there is no en passant; there is no "
                      "castling.",
                      "Pawns promote on the fifth rank to queen, rook, bishop or knight.",
                      "Draws are as in chess here: 100 plies without progress, threefold "
                      "repetition, kings only."},
          .move_examples = "a2a3, b1c3, d4d5q (promotion)"};
}

const GardnerVariant& GardnerPosition::variant(const VariantName& name) {
  static const GardnerVariant variant;
  check_option_names(name, info());
  return variant;
}

GardnerPosition GardnerPosition::start(const Variant& variant) {
  return from_fen(variant, kStart);
}

GardnerPosition GardnerPosition::from_fen(const Variant&, std::string_view fen) {
  const auto fields = split_fen(fen, kFenFields);
  FenPlacement placement;
  read_placement(fields[0], rows(), "PNBRQK", false, placement);
  GardnerPosition p;
  const Bitboard edges = rank(0) | rank(kRanks - 1);
  p.set_pieces(placement, {edges, edges});
  p.side_ = read_side(fields[1]);
  if (fields[2] != "-") throw FenError("castling", "there is no castling: expected '-'");
  if (fields[3] != "-") throw FenError("en passant", "there are no double steps: expected '-'");
  p.read_counters(fields[4], fields[5]);
  p.finish_reading();
  return p;
}

template <Colour us, class Sink>
void GardnerPosition::generate(Sink& sink) const {
  const Square king = board_.king(us);
  const auto view = view_of<us>(board_, Bitboard{0}, Bitboard{0}, last_rank(us));
  CheckInfo<Bitboard> checks;
  find_check_info<us>(tables(), board_, king, Bitboard{0}, checks);

  generate_king<us>(tables(), board_, king, view, sink);
  if (!checks.check_mask) return;
  generate_pieces<us>(tables(), board_, view, checks, sink);
}

void GardnerPosition::play(Move move) {
  const PiecePlayed played = move_piece(board_, key_, side_, move, move.to());
  end_turn(played.progress(), played.progress());
}

template class BoardPosition<GardnerPosition, OrthodoxBoard, 256>;
static_assert(Position<GardnerPosition>);

}  // namespace faultline
