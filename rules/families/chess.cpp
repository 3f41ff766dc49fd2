// Orthodox chess (docs/rules.md).
#include "rules/families/chess.h"

#include "rules/board_position_impl.h"
#include "rules/square_board.h"
#include "rules/square_castling.h"
#include "rules/square_play.h"

namespace faultline {

using namespace square_board_sets;

const FamilyInfo& ChessPosition::info() {
  static const FamilyInfo info = {
      .name = "chess",
      .inventor = "traditional",
      .summary =
          "Orthodox chess, the baseline: published perft numbers, any engine as an opponent.",
      .options = {},
      .most_plies = 500};
  return info;
}

VariantDescription ChessPosition::describe(const Variant&) {
  return {.summary = info().summary,
          .rulings = {"Draws by 100 plies without progress and by threefold repetition are claimed "
                      "automatically."},
          .move_examples = "e2e4, e1g1 (castling), a7a8q (promotion)"};
}

const ChessVariant& ChessPosition::variant(const VariantName& name) {
  static const ChessVariant variant;
  check_option_names(name, info());
  return variant;
}

ChessPosition ChessPosition::start(const Variant& variant) {
  return from_fen(variant, std::string(kOrthodoxStart) + " w KQkq - 0 1");
}

ChessPosition ChessPosition::from_fen(const Variant&, std::string_view fen) {
  const auto fields = split_fen(fen, kFenFields);
  FenPlacement placement;
  read_placement(fields[0], square_board_rows(), "PNBRQK", false, placement);
  ChessPosition p;
  p.set_pieces(placement, {kFirstAndLast, kFirstAndLast});
  p.side_ = read_side(fields[1]);
  p.castling_ = square_castling::read_rights(fields[2], p.board_);
  if (fields[3] != "-") {
    const Square s = p.named_en_passant(fields[3]);
    require_step_over(p.board_, ~p.side_, s, row_of(~p.side_, 2), p.board_.occupied());
    p.offer_en_passant(s);
  }
  p.read_counters(fields[4], fields[5]);
  p.finish_reading();
  return p;
}

template <Colour us, class Sink>
void ChessPosition::generate(Sink& sink) const {
  const AttackTables& tables = square_board_tables();
  const Square king = board_.king(us);
  const auto view = view_of<us>(board_, Bitboard{0}, row_of(us, 1), last_row(us));
  CheckInfo<Bitboard> checks;
  find_check_info<us>(tables, board_, king, Bitboard{0}, checks);

  generate_king<us>(tables, board_, king, view, sink);
  if (!checks.check_mask) return;
  generate_pieces<us>(tables, board_, view, checks, sink);
  if (en_passant_ != kNoSquare)
    generate_en_passant<us>(tables, board_, view.occupied, en_passant_, ahead(~us, en_passant_, 1),
                            sink);
  if (castling_ && !checks.checkers)
    square_castling::generate<us>(tables, board_, castling_, view.occupied,
                                  [&](Move m) { sink.move(m); });
}

void ChessPosition::play(Move move) {
  set_en_passant(kNoSquare);
  const PiecePlayed played = play_piece(board_, key_, side_, move);
  if (move.kind() == MoveKind::DoubleStep) step_over(ahead(side_, move.from(), 1));
  keep_castling(square_castling::kept_after(move));
  end_turn(played.progress(), played.progress());
}

template class BoardPosition<ChessPosition, OrthodoxBoard, 1024>;
static_assert(Position<ChessPosition>);

}  // namespace faultline
