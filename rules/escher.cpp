// Escher Staircase (RULES.md §2).
#include "rules/escher.h"

#include <array>
#include <cassert>

#include "rules/fen.h"
#include "rules/generator.h"
#include "rules/square_board.h"
#include "rules/square_text.h"

namespace faultline {

namespace {

using enum PieceType;
using namespace square_board_sets;

constexpr std::string_view kStart = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";

constexpr Square at(char file, int rank) {
  return static_cast<Square>((rank - 1) * 8 + (file - 'a'));
}

/// Six squares from `start`, each `step` (±1 or ±8) from the one before.
constexpr Staircase staircase(Square start, int step) {
  Staircase result{};
  for (int i = 0; i < 6; ++i)
    result.squares[static_cast<std::size_t>(i)] = static_cast<Square>(start + i * step);
  return result;
}

constexpr std::array<Staircase, 8> kStaircases = {
    staircase(at('a', 8), 1),  staircase(at('h', 6), -1), staircase(at('a', 3), 1),
    staircase(at('h', 1), -1), staircase(at('a', 1), 8),  staircase(at('c', 8), -8),
    staircase(at('f', 1), 8),  staircase(at('h', 8), -8)};

/// A staircase as a set with a stride: advancing is a shift inside the set, and the last square's
/// bit comes round by a shift of five strides the other way.
class Belt {
 public:
  constexpr Belt() = default;
  constexpr explicit Belt(const Staircase& s)
      : upwards_(s.squares[1] > s.squares[0]),
        stride_(static_cast<std::uint8_t>(upwards_ ? s.squares[1] - s.squares[0]
                                                   : s.squares[0] - s.squares[1])) {
    for (const Square square : s.squares)
      mask_ |= square_set<Bitboard>(square);
  }
  constexpr Bitboard mask() const { return mask_; }
  /// Where the members of `b` that are on the belt end after one step.
  constexpr Bitboard advanced(Bitboard b) const { return turned(b & mask_, upwards_); }
  /// Where they came from.
  constexpr Bitboard reversed(Bitboard b) const { return turned(b & mask_, !upwards_); }

 private:
  constexpr Bitboard turned(Bitboard on_belt, bool up) const {
    const int s = stride_;
    return (up ? (on_belt << s | on_belt >> 5 * s) : (on_belt >> s | on_belt << 5 * s)) & mask_;
  }
  Bitboard mask_ = 0;
  bool upwards_ = false;
  std::uint8_t stride_ = 0;
};

/// What leaving a square sets in motion: no, one or two staircases. Both cross on the square left,
/// which is empty by then, so as maps of sets they do not interfere except there.
struct Motion {
  Bitboard moving = 0;  // the squares of both belts
  std::array<Belt, 2> belts{};
  /// Where pieces come from that are carried onto the square left; two of them collide.
  std::array<Bitboard, 2> onto_left{};

  constexpr Bitboard advanced(Bitboard b) const {
    return (b & ~moving) | belts[0].advanced(b) | belts[1].advanced(b);
  }
  constexpr Bitboard reversed(Bitboard b) const {
    return (b & ~moving) | belts[0].reversed(b) | belts[1].reversed(b);
  }
  /// The destinations that avoid a collision, given all pieces but the mover.
  constexpr Bitboard without_collision(Bitboard occupied) const {
    const bool first = (occupied & onto_left[0]) != 0;
    const bool second = (occupied & onto_left[1]) != 0;
    if (first && second) return 0;
    Bitboard allowed = ~Bitboard{0};
    if (first) allowed &= ~onto_left[1];
    if (second) allowed &= ~onto_left[0];
    return allowed;
  }
};

constexpr std::array<Motion, 64> kMotions = [] {
  std::array<Motion, 64> motions{};
  for (Square s = 0; s < 64; ++s) {
    std::size_t found = 0;
    for (const Staircase& stairs : kStaircases) {
      const Belt belt(stairs);
      if (!contains(belt.mask(), s)) continue;
      motions[s].belts[found] = belt;
      motions[s].onto_left[found] = belt.reversed(square_set<Bitboard>(s));
      motions[s].moving |= belt.mask();
      ++found;
    }
  }
  return motions;
}();

constexpr Bitboard kOnStaircases = [] {
  Bitboard set = 0;
  for (const Staircase& stairs : kStaircases)
    set |= Belt(stairs).mask();
  return set;
}();

/// Pawns of `c` standing on its last row, where only a staircase can have carried them.
Bitboard carried_home(const OrthodoxBoard& board, Colour c) {
  return board.of(c, Pawn) & last_row(c);
}

/// The position as the staircases leave it, without the piece that moves: where each destination of
/// the mover can be judged by looking only at where it is carried.
struct CarriedBoard {
  OrthodoxBoard board;
  CarriedBoard(const OrthodoxBoard& before, const Motion& motion, Colour us, PieceType type,
               Square from)
      : board(before) {
    board.toggle(us, type, from);
    board.transform([&](Bitboard b) { return motion.advanced(b); });
    const Colour them = ~us;
    const Bitboard queens = carried_home(board, them);
    board.toggle(them, Pawn, queens);
    board.toggle(them, Queen, queens);
  }
};

}  // namespace

const FamilyInfo& EscherPosition::info() {
  static const FamilyInfo info = {
      .name = "escher",
      .inventor = "Jim Aikin",
      .summary =
          "Eight conveyor staircases: leaving a square of one carries everything on it a "
          "step.",
      .options = {},
      .rulings =
          {"After each move every staircase that contains the square just left advances one step.",
           "A move is illegal if two pieces would end on one square.",
           "A pawn carried onto its last row becomes a queen at once.",
           "A pawn on its owner's first or second row may advance two squares, moved or not.",
           "A double step can be answered en passant only if the staircases left the pawn where "
           "it stepped and the square it passed over empty.",
           "A one-square step backwards on a staircase comes back to where it was: a pass.",
           "There is no castling. Black's king starts on d8, the queen on e8."},
      .move_examples = "e2e4, c3a5 (a bishop leaves c3: row 3 and column c advance), a7a8q"};
  return info;
}

const EscherVariant& EscherPosition::variant(const VariantName& name) {
  static const EscherVariant variant;
  check_option_names(name, info());
  return variant;
}

const std::array<Staircase, 8>& EscherPosition::staircases() {
  return kStaircases;
}

EscherPosition EscherPosition::start(const Variant& variant) {
  return from_fen(variant, kStart);
}

EscherPosition EscherPosition::from_fen(const Variant&, std::string_view fen) {
  constexpr std::array<std::string_view, 6> kFields = {"pieces",     "side",  "castling",
                                                       "en passant", "plies", "move"};
  const auto fields = split_fen(fen, kFields);
  FenPlacement placement;
  read_placement(fields[0], square_board_rows(), "PNBRQK", false, placement);
  require_one_king_each(placement);

  EscherPosition p;
  for (Square s = 0; s < 64; ++s) {
    const Piece piece = placement.pieces[s];
    if (!piece.exists()) continue;
    if (piece.type == Pawn && contains(last_row(piece.colour), s))
      throw FenError("pieces", "a " + std::string(name(piece.colour)) + " pawn on " +
                                   square_name(s) + ", its last row");
    p.board_.toggle(piece.colour, piece.type, s);
  }
  p.side_ = read_side(fields[1]);
  const Colour them = ~p.side_;
  if (fields[2] != "-") throw FenError("castling", "there is no castling: expected '-'");

  if (fields[3] != "-") {
    const Square s = square_from_name(fields[3]);
    if (s == kNoSquare) throw FenError("en passant", "no such square");
    if (!contains(row_of(them, 1) | row_of(them, 2), s))
      throw FenError("en passant", "the square is not on a row that a double step passes");
    const Square start = ahead(them, s, -1);
    const Square stood = ahead(them, s, 1);
    if (p.board_.at(stood) != Piece{Pawn, them} || contains(p.board_.occupied(), s))
      throw FenError("en passant", "no pawn has just passed over " + std::string(fields[3]));
    const Motion& motion = kMotions[start];
    if (contains(motion.moving, stood))
      throw FenError("en passant", "a pawn from " + square_name(start) + " is carried on");
    // A staircase may have brought something to where the pawn came from; nothing else can.
    if (contains(p.board_.occupied(), start) && !contains(kOnStaircases, start))
      throw FenError("en passant",
                     "no pawn can have come from " + square_name(start) + ", which is not empty");
    if (square_board_tables().pawn_attacks(them, s) & p.board_.of(p.side_, Pawn)) p.en_passant_ = s;
  }
  p.plies_ = static_cast<std::uint16_t>(read_plies(fields[4]));
  p.move_number_ = static_cast<std::uint32_t>(read_move_number(fields[5]));

  if (attackers(square_board_tables(), p.board_, p.board_.king(them), p.side_, p.board_.occupied()))
    throw FenError("side", "the side not to move is in check");
  p.key_ = p.key_from_scratch();
  return p;
}

std::string EscherPosition::fen() const {
  FenPlacement placement;
  for (Square s = 0; s < 64; ++s)
    placement.pieces[s] = board_.at(s);
  return write_placement(square_board_rows(), placement) +
         (side_ == Colour::White ? " w - " : " b - ") +
         (en_passant_ == kNoSquare ? "-" : square_name(en_passant_)) + " " +
         std::to_string(plies_) + " " + std::to_string(move_number_);
}

template <Colour us, class Sink>
void EscherPosition::generate(Sink& sink) const {
  constexpr Colour them = ~us;
  const AttackTables& tables = square_board_tables();
  const Square king = board_.king(us);
  const Bitboard occupied = board_.occupied();
  const GeneratorView<Bitboard> view = {
      .occupied = occupied,
      .targets = ~board_.of(us) & ~board_.of(them, King),
      .empty = ~occupied,
      .enemies = board_.of(them) & ~board_.of(King),
      .double_step_from = row_of(us, 0) | row_of(us, 1),
      .promotion_row = last_row(us),
  };
  // Pieces that leave no staircase move as in chess.
  KingSafety<Bitboard> safety;
  find_king_safety<us>(tables, board_, king, Bitboard{0}, safety);

  // For the others all destinations of a piece share one picture: everything else is carried alike,
  // and the mover, wherever it is carried, blocks a line to the king or takes the checker.
  const auto allowed_on_staircase = [&](Square from, Bitboard candidates) {
    const Motion& motion = kMotions[from];
    candidates &= motion.without_collision(occupied ^ square_set<Bitboard>(from));
    if (!candidates) return candidates;
    const CarriedBoard carried(board_, motion, us, board_.type_at(from), from);
    const Square king_now = carried.board.king(us);
    const Bitboard checkers =
        attackers(tables, carried.board, king_now, them, carried.board.occupied());
    if (!checkers) return candidates;
    if (more_than_one(checkers)) return Bitboard{0};
    const Bitboard saving = checkers | tables.between(king_now, first(checkers));
    return candidates & motion.reversed(saving);
  };
  const auto allowed = [&](Square from, Bitboard candidates) {
    return contains(kOnStaircases, from) ? allowed_on_staircase(from, candidates)
                                         : safety.allowed(from, candidates);
  };

  if (!contains(kOnStaircases, king)) {
    generate_king<us>(tables, board_, king, view, sink);
  } else {
    const Motion& motion = kMotions[king];
    Bitboard candidates = tables.king(king) & view.targets &
                          motion.without_collision(occupied ^ square_set<Bitboard>(king));
    if (candidates) {
      const CarriedBoard carried(board_, motion, us, King, king);
      const Bitboard others = carried.board.occupied();
      Bitboard safe = 0;
      for_each_square(candidates, [&](Square to) {
        const Square lands = first(motion.advanced(square_set<Bitboard>(to)));
        if (!attackers(tables, carried.board, lands, them, others))
          safe |= square_set<Bitboard>(to);
      });
      sink.moves(king, safe);
    }
  }

  generate_pieces<us>(tables, board_, view, allowed, sink);

  if (en_passant_ != kNoSquare) {
    for_each_square(tables.pawn_attacks(them, en_passant_) & board_.of(us, Pawn), [&](Square from) {
      const Move move(from, en_passant_, MoveKind::EnPassant);
      if (leaves_king_safe(move)) sink.move(move);
    });
  }
}

template <class Sink>
void EscherPosition::generate(Sink& sink) const {
  if (side_ == Colour::White)
    generate<Colour::White>(sink);
  else
    generate<Colour::Black>(sink);
}

bool EscherPosition::leaves_king_safe(Move move) const {
  EscherPosition after = *this;
  bool irreversible = false;
  after.move_piece(move, irreversible);
  const Motion& motion = kMotions[move.from()];
  const Bitboard landed = after.board_.occupied();
  if ((landed & motion.onto_left[0]) && (landed & motion.onto_left[1])) return false;
  after.advance_staircases(move.from());
  return !attackers(square_board_tables(), after.board_, after.board_.king(side_), ~side_,
                    after.board_.occupied());
}

void EscherPosition::legal_moves(MoveList& list) const {
  list.clear();
  ListSink sink(list);
  generate(sink);
}

std::size_t EscherPosition::count_legal_moves() const {
  CountSink sink;
  generate(sink);
  return sink.total();
}

bool EscherPosition::move_piece(Move move, bool& irreversible) {
  const Colour us = side_;
  const Colour them = ~us;
  const Square from = move.from();
  const Square to = move.to();
  const PieceType type = board_.type_at(from);
  const Square captured_on = move.kind() == MoveKind::EnPassant ? ahead(us, to, -1) : to;
  if (contains(board_.of(them), captured_on)) {
    const PieceType captured = board_.type_at(captured_on);
    board_.toggle(them, captured, captured_on);
    key_ ^= zobrist::piece(them, captured, captured_on);
    irreversible = true;
  }
  const PieceType placed = move.kind() == MoveKind::Promotion ? move.promotion() : type;
  board_.toggle(us, type, from);
  board_.toggle(us, placed, to);
  key_ ^= zobrist::piece(us, type, from) ^ zobrist::piece(us, placed, to);
  irreversible |= placed != type;
  return irreversible || type == Pawn;
}

bool EscherPosition::advance_staircases(Square left) {
  const Motion& motion = kMotions[left];
  const auto carried_keys = [&] {
    std::uint64_t k = 0;
    for_each_square(board_.occupied() & motion.moving, [&](Square s) {
      const Piece piece = board_.at(s);
      k ^= zobrist::piece(piece.colour, piece.type, s);
    });
    return k;
  };
  if (!(board_.occupied() & motion.moving)) return false;
  key_ ^= carried_keys();
  board_.transform([&](Bitboard b) { return motion.advanced(b); });
  bool promoted = false;
  for (const Colour c : {Colour::White, Colour::Black}) {
    const Bitboard queens = carried_home(board_, c);
    if (!queens) continue;
    board_.toggle(c, Pawn, queens);
    board_.toggle(c, Queen, queens);
    promoted = true;
  }
  key_ ^= carried_keys();
  return promoted;
}

void EscherPosition::play(Move move) {
  const Colour us = side_;
  const Colour them = ~us;
  key_ ^= zobrist::en_passant(en_passant_);
  en_passant_ = kNoSquare;

  bool irreversible = false;
  const bool progress = move_piece(move, irreversible);
  irreversible |= advance_staircases(move.from());

  if (move.kind() == MoveKind::DoubleStep) {
    const Square passed = ahead(us, move.from(), 1);
    const bool carried = contains(kMotions[move.from()].moving, move.to());
    if (!carried && !contains(board_.occupied(), passed) &&
        (square_board_tables().pawn_attacks(us, passed) & board_.of(them, Pawn))) {
      en_passant_ = passed;
      key_ ^= zobrist::en_passant(passed);
    }
  }
  plies_ = progress ? std::uint16_t{0} : static_cast<std::uint16_t>(plies_ + 1);
  repeatable_ = irreversible ? std::uint16_t{0} : static_cast<std::uint16_t>(repeatable_ + 1);
  if (us == Colour::Black) ++move_number_;
  side_ = them;
  key_ ^= zobrist::kBlackToMove;
}

bool EscherPosition::in_check() const {
  return attackers(square_board_tables(), board_, board_.king(side_), ~side_, board_.occupied()) !=
         0;
}

Outcome EscherPosition::outcome(bool any_legal_move) const {
  if (!any_legal_move) return in_check() ? win_for(~side_) : Outcome::Stalemate;
  if (board_.occupied() == board_.of(King)) return Outcome::KingsOnly;
  return plies_ >= 100 ? Outcome::HundredPlies : Outcome::Ongoing;
}

std::uint64_t EscherPosition::key_from_scratch() const {
  return board_.key() ^ zobrist::en_passant(en_passant_) ^
         (side_ == Colour::Black ? zobrist::kBlackToMove : 0);
}

std::string EscherPosition::move_text(Move move) const {
  return uci_text(move);
}

std::optional<Move> EscherPosition::parse_move(std::string_view text) const {
  return find_move(*this, text);
}

std::string EscherPosition::picture() const {
  // One cell a square: the piece, then where its staircases carry it (two where they cross). The
  // step from a staircase's last square back to its first is drawn as a turn.
  const auto carries = [](Square s) {
    std::string marks;
    std::size_t width = 0;
    for (const Staircase& stairs : kStaircases)
      for (std::size_t i = 0; i < 6; ++i) {
        if (stairs.squares[i] != s) continue;
        const int step = stairs.squares[1] - stairs.squares[0];
        marks += i == 5 ? "↺" : step == 1 ? "→" : step == -1 ? "←" : step == 8 ? "↑" : "↓";
        ++width;
      }
    return marks + std::string(3 - width, ' ');
  };
  std::string text;
  for (const auto& row : square_board_rows()) {
    text += std::to_string(row.front() / 8 + 1) + "  ";
    for (const Square s : row) {
      const Piece piece = board_.at(s);
      text += (piece.exists() ? piece_letter(piece) : '.') + carries(s) + " ";
    }
    while (text.back() == ' ')
      text.pop_back();
    text += '\n';
  }
  return text +
         "   a    b    c    d    e    f    g    h\n"
         "arrows: where a staircase carries; ↺: back to its first square\n";
}

static_assert(Position<EscherPosition>);

}  // namespace faultline
