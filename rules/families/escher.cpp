// Escher Staircase (docs/rules.md).
#include "rules/families/escher.h"

#include <algorithm>
#include <array>
#include <utility>

#include "rules/board_position_impl.h"
#include "rules/square_board.h"
#include "rules/square_play.h"

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

/// A staircase as a set with a stride: advancing is a shift within the set, and the last square's
/// bit wraps around by a shift of five strides the other way.
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
  /// The squares of the members of `b` on the belt after one step.
  constexpr Bitboard advanced(Bitboard b) const { return turned(b & mask_, upwards_); }
  /// The inverse.
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

/// The staircases that leaving a square sets in motion: none, one or two. Two cross on the vacated
/// square, which is empty by then, so as maps of sets they interfere only there.
struct Motion {
  Bitboard moving = 0;  // the squares of both belts
  std::array<Belt, 2> belts{};
  /// The origins of pieces carried onto the vacated square; two of them collide.
  std::array<Bitboard, 2> onto_left{};

  constexpr Bitboard advanced(Bitboard b) const {
    return (b & ~moving) | belts[0].advanced(b) | belts[1].advanced(b);
  }
  constexpr Bitboard reversed(Bitboard b) const {
    return (b & ~moving) | belts[0].reversed(b) | belts[1].reversed(b);
  }
  /// The destinations that avoid a collision, given all pieces but the moving one.
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

/// The position after the staircases have moved, without the moving piece: each of its destinations
/// can then be evaluated from where the piece is carried.
struct CarriedBoard {
  OrthodoxBoard board;
  CarriedBoard(const OrthodoxBoard& before, const Motion& motion, Colour us, PieceType type,
               Square from)
      : board(before) {
    board.toggle(us, type, from);
    board.transform([&](Bitboard b) { return motion.advanced(b); });
    promote_carried(board, ~us);
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
      .most_plies = 400};
  return info;
}

VariantDescription EscherPosition::describe(const Variant&) {
  return {
      .summary = info().summary,
      .rulings =
          {"After each move every staircase that contains the square just left advances one step.",
           "A move is illegal if two pieces would end on one square.",
           "A pawn carried onto its last row becomes a queen at once.",
           "A pawn on its owner's first or second row may advance two squares, moved or not.",
           "A double step can be answered en passant only if the staircases left the pawn where "
           "it stepped and the square it passed over empty.",
           "A one-square step backwards on a staircase is carried back to its start: a pass.",
           "There is no castling. Black's king starts on d8, the queen on e8."},
      .move_examples = "e2e4, c3a5 (a bishop leaves c3: row 3 and column c advance), a7a8q"};
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
  const auto fields = split_fen(fen, kFenFields);
  FenPlacement placement;
  read_placement(fields[0], square_board_rows(), "PNBRQK", false, placement);
  EscherPosition p;
  p.set_pieces(placement, {last_row(Colour::White), last_row(Colour::Black)});
  p.side_ = read_side(fields[1]);
  if (fields[2] != "-") throw FenError("castling", "there is no castling: expected '-'");
  if (fields[3] != "-") {
    const Square s = p.named_en_passant(fields[3]);
    const Colour them = ~p.side_;
    // A staircase may have carried something onto the pawn's origin; nothing else can.
    require_step_over(p.board_, them, s, row_of(them, 1) | row_of(them, 2),
                      p.board_.occupied() & (~kOnStaircases | square_set<Bitboard>(s)));
    const Square start = ahead(them, s, -1);
    if (contains(kMotions[start].moving, ahead(them, s, 1)))
      throw FenError("en passant", "a pawn from " + square_name(start) + " is carried on");
    p.offer_en_passant(s);
  }
  p.read_counters(fields[4], fields[5]);
  p.finish_reading();
  return p;
}

template <Colour us, class Sink>
void EscherPosition::generate(Sink& sink) const {
  constexpr Colour them = ~us;
  const AttackTables& tables = square_board_tables();
  const Square king = board_.king(us);
  const Bitboard occupied = board_.occupied();
  const auto view = view_of<us>(board_, Bitboard{0}, row_of(us, 0) | row_of(us, 1), last_row(us));
  // Pieces that leave no staircase move as in chess.
  CheckInfo<Bitboard> checks;
  find_check_info<us>(tables, board_, king, Bitboard{0}, checks);

  // For the others all destinations of a piece share one board: everything else is carried the same
  // way, and the moving piece, wherever it is carried, blocks a line to the king or captures the
  // checker.
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
                                         : checks(from, candidates);
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

bool EscherPosition::leaves_king_safe(Move move) const {
  EscherPosition after = *this;
  play_piece(after.board_, after.key_, side_, move);
  const Motion& motion = kMotions[move.from()];
  const Bitboard landed = after.board_.occupied();
  if ((landed & motion.onto_left[0]) && (landed & motion.onto_left[1])) return false;
  after.advance_staircases(move.from());
  return !after.in_check();
}

bool EscherPosition::advance_staircases(Square left) {
  const Motion& motion = kMotions[left];
  if (!(board_.occupied() & motion.moving)) return false;
  key_ ^= board_.key_of(motion.moving);
  board_.transform([&](Bitboard b) { return motion.advanced(b); });
  const Bitboard queens =
      promote_carried(board_, Colour::White) | promote_carried(board_, Colour::Black);
  key_ ^= board_.key_of(motion.moving);
  return queens != 0;
}

void EscherPosition::play(Move move) {
  set_en_passant(kNoSquare);
  const PiecePlayed played = play_piece(board_, key_, side_, move);
  const bool promoted = advance_staircases(move.from());
  if (move.kind() == MoveKind::DoubleStep) {
    const Square passed = ahead(side_, move.from(), 1);
    const bool carried = contains(kMotions[move.from()].moving, move.to());
    if (!carried && !contains(board_.occupied(), passed)) step_over(passed);
  }
  end_turn(played.progress(), played.changed_pieces() || promoted);
}

std::string EscherPosition::picture() const {
  // One cell per square: the piece, then where its staircases carry it (two where they cross). The
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

BoardPicture EscherPosition::board_picture() const {
  BoardPicture picture = BoardPosition::board_picture();
  for (const Staircase& stairs : kStaircases) {
    PictureMark mark{.kind = PictureMark::Kind::Staircase, .level = 0, .points = {}};
    for (const Square s : stairs.squares)
      mark.points.push_back(picture.find(s)->centre);
    picture.marks.push_back(std::move(mark));
  }
  return picture;
}

void EscherPosition::mark_move(Move move, BoardPicture& after) const {
  const Bitboard carried_to = kMotions[move.from()].advanced(square_set<Bitboard>(move.to()));
  after.highlight(move.from(), PictureHighlight::Kind::MoveFrom);
  after.highlight(first(carried_to), PictureHighlight::Kind::MoveTo);
  const PicturePoint left = after.find(move.from())->centre;
  for (PictureMark& mark : after.marks)
    mark.moved |= std::find(mark.points.begin(), mark.points.end(), left) != mark.points.end();
}

BoardEffects EscherPosition::board_effects(Move move) const {
  BoardEffects effects;
  const Square left = move.from();
  for (const Staircase& stairs : kStaircases) {
    if (!contains(Belt(stairs).mask(), left)) continue;
    const bool is_row = stairs.squares[0] / 8 == stairs.squares[1] / 8;
    effects.marks.emplace_back(1, square_name(left)[is_row ? 1 : 0]);
  }
  OrthodoxBoard after = board_;
  std::uint64_t unused_key = 0;
  play_piece(after, unused_key, side_, move);
  after.transform([&](Bitboard b) { return kMotions[left].advanced(b); });
  for_each_square(promote_carried(after, Colour::White) | promote_carried(after, Colour::Black),
                  [&](Square s) { effects.add_carried_queen(square_name(s)); });
  return effects;
}

template class BoardPosition<EscherPosition, OrthodoxBoard, 1024>;
static_assert(Position<EscherPosition>);

}  // namespace faultline
