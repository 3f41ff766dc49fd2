// Orthodox chess (RULES.md §1).
#include "rules/chess.h"

#include <array>

#include "rules/fen.h"
#include "rules/generator.h"
#include "rules/square_board.h"
#include "rules/square_castling.h"
#include "rules/square_play.h"
#include "rules/square_text.h"

namespace faultline {

namespace {

using enum PieceType;
using namespace square_board_sets;

constexpr std::string_view kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

}  // namespace

const FamilyInfo& ChessPosition::info() {
  static const FamilyInfo info = {
      .name = "chess",
      .inventor = "traditional",
      .summary = "Orthodox chess, the yardstick: published perft numbers, any engine to play.",
      .options = {},
      .rulings = {"Draws by 100 plies without progress and by threefold repetition are claimed "
                  "automatically."},
      .move_examples = "e2e4, e1g1 (castling), a7a8q (promotion)"};
  return info;
}

const ChessVariant& ChessPosition::variant(const VariantName& name) {
  static const ChessVariant variant;
  check_option_names(name, info());
  return variant;
}

ChessPosition ChessPosition::start(const Variant& variant) {
  return from_fen(variant, kStart);
}

ChessPosition ChessPosition::from_fen(const Variant&, std::string_view fen) {
  constexpr std::array<std::string_view, 6> kFields = {"pieces",     "side",  "castling",
                                                       "en passant", "plies", "move"};
  const auto fields = split_fen(fen, kFields);
  FenPlacement placement;
  read_placement(fields[0], square_board_rows(), "PNBRQK", false, placement);
  require_one_king_each(placement);

  ChessPosition p;
  for (Square s = 0; s < 64; ++s) {
    const Piece piece = placement.pieces[s];
    if (!piece.exists()) continue;
    if (piece.type == Pawn && contains(kFirstAndLast, s))
      throw FenError("pieces", "a pawn on " + square_name(s) + "; pawns stand on rows 2 to 7");
    p.board_.toggle(piece.colour, piece.type, s);
  }
  p.side_ = read_side(fields[1]);
  const Colour them = ~p.side_;

  p.castling_ = static_cast<std::uint8_t>(read_castling_letters(fields[2]));
  square_castling::require_possible(p.castling_, p.board_);

  if (fields[3] != "-") {
    const Square s = square_from_name(fields[3]);
    if (s == kNoSquare) throw FenError("en passant", "no such square");
    if (!contains(row_of(them, 2), s))
      throw FenError("en passant", "the square is not on the row that a double step passes");
    const Bitboard empty = square_set<Bitboard>(s) | square_set<Bitboard>(ahead(them, s, -1));
    if (p.board_.at(ahead(them, s, 1)) != Piece{Pawn, them} || (p.board_.occupied() & empty))
      throw FenError("en passant", "no pawn has just passed over " + std::string(fields[3]));
    const AttackTables& tables = square_board_tables();
    if (tables.pawn_attacks(them, s) & p.board_.of(p.side_, Pawn)) p.en_passant_ = s;
  }
  p.plies_ = static_cast<std::uint16_t>(read_plies(fields[4]));
  p.move_number_ = static_cast<std::uint32_t>(read_move_number(fields[5]));

  if (attackers(square_board_tables(), p.board_, p.board_.king(them), p.side_, p.board_.occupied()))
    throw FenError("side", "the side not to move is in check");
  p.key_ = p.key_from_scratch();
  return p;
}

std::string ChessPosition::fen() const {
  FenPlacement placement;
  for (Square s = 0; s < 64; ++s)
    placement.pieces[s] = board_.at(s);
  return write_placement(square_board_rows(), placement) +
         (side_ == Colour::White ? " w " : " b ") + write_castling_letters(castling_) + " " +
         (en_passant_ == kNoSquare ? "-" : square_name(en_passant_)) + " " +
         std::to_string(plies_) + " " + std::to_string(move_number_);
}

template <Colour us, class Sink>
void ChessPosition::generate(Sink& sink) const {
  constexpr Colour them = ~us;
  const AttackTables& tables = square_board_tables();
  const Square king = board_.king(us);
  const Bitboard occupied = board_.occupied();
  const GeneratorView<Bitboard> view = {
      .occupied = occupied,
      .targets = ~board_.of(us) & ~board_.of(them, King),
      .empty = ~occupied,
      .enemies = board_.of(them) & ~board_.of(King),
      .double_step_from = row_of(us, 1),
      .promotion_row = last_row(us),
  };
  KingSafety<Bitboard> safety;
  find_king_safety<us>(tables, board_, king, Bitboard{0}, safety);

  generate_king<us>(tables, board_, king, view, sink);
  if (!safety.check_mask) return;
  generate_pieces<us>(
      tables, board_, view,
      [&](Square from, Bitboard candidates) { return safety.allowed(from, candidates); }, sink);

  if (en_passant_ != kNoSquare) {
    const Square victim = ahead(them, en_passant_, 1);
    for_each_square(tables.pawn_attacks(them, en_passant_) & board_.of(us, Pawn), [&](Square from) {
      // Two pawns leave one row at once: look at the position after the capture itself.
      const Bitboard after =
          (occupied ^ square_set<Bitboard>(from) ^ square_set<Bitboard>(victim)) |
          square_set<Bitboard>(en_passant_);
      if (!(attackers(tables, board_, king, them, after) & ~square_set<Bitboard>(victim)))
        sink.move(Move(from, en_passant_, MoveKind::EnPassant));
    });
  }

  if (castling_ && !safety.checkers)
    square_castling::generate<us>(tables, board_, castling_, occupied, [&](Square from, Square to) {
      sink.move(Move(from, to, MoveKind::Castling));
    });
}

template <class Sink>
void ChessPosition::generate(Sink& sink) const {
  if (side_ == Colour::White)
    generate<Colour::White>(sink);
  else
    generate<Colour::Black>(sink);
}

void ChessPosition::legal_moves(MoveList& list) const {
  list.clear();
  ListSink sink(list);
  generate(sink);
}

std::size_t ChessPosition::count_legal_moves() const {
  CountSink sink;
  generate(sink);
  return sink.total();
}

void ChessPosition::play(Move move) {
  const Colour us = side_;
  const Colour them = ~us;
  const Square from = move.from();
  const Square to = move.to();
  key_ ^= zobrist::en_passant(en_passant_);
  en_passant_ = kNoSquare;

  const PiecePlayed played = play_piece(board_, key_, us, move);
  if (move.kind() == MoveKind::DoubleStep) {
    const Square passed = ahead(us, from, 1);
    if (square_board_tables().pawn_attacks(us, passed) & board_.of(them, Pawn)) {
      en_passant_ = passed;
      key_ ^= zobrist::en_passant(passed);
    }
  }

  const auto kept = static_cast<std::uint8_t>(castling_ & square_castling::kRightsKept[from] &
                                              square_castling::kRightsKept[to]);
  if (kept != castling_) {
    key_ ^= zobrist::castling(castling_) ^ zobrist::castling(kept);
    castling_ = kept;
  }
  plies_ = played.progress() ? std::uint16_t{0} : static_cast<std::uint16_t>(plies_ + 1);
  if (us == Colour::Black) ++move_number_;
  side_ = them;
  key_ ^= zobrist::kBlackToMove;
}

bool ChessPosition::in_check() const {
  return attackers(square_board_tables(), board_, board_.king(side_), ~side_, board_.occupied()) !=
         0;
}

Outcome ChessPosition::outcome(bool any_legal_move) const {
  if (!any_legal_move) return in_check() ? win_for(~side_) : Outcome::Stalemate;
  if (board_.occupied() == board_.of(King)) return Outcome::KingsOnly;
  return plies_ >= 100 ? Outcome::HundredPlies : Outcome::Ongoing;
}

std::uint64_t ChessPosition::key_from_scratch() const {
  return board_.key() ^ zobrist::castling(castling_) ^ zobrist::en_passant(en_passant_) ^
         (side_ == Colour::Black ? zobrist::kBlackToMove : 0);
}

std::string ChessPosition::move_text(Move move) const {
  return uci_text(move);
}

std::optional<Move> ChessPosition::parse_move(std::string_view text) const {
  return find_move(*this, text);
}

std::string ChessPosition::picture() const {
  std::string text;
  for (const auto& row : square_board_rows()) {
    text += std::to_string(row.front() / 8 + 1) + " ";
    for (const Square s : row) {
      const Piece piece = board_.at(s);
      const char empty = (s / 8 + s % 8) % 2 == 0 ? ':' : '.';
      text += std::string(" ") + (piece.exists() ? piece_letter(piece) : empty);
    }
    text += '\n';
  }
  return text + "   a b c d e f g h\n";
}

static_assert(Position<ChessPosition>);

}  // namespace faultline
