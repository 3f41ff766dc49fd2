// The one move generator: riders, leapers and pawns over any board's tables. Family-specific parts
// are supplied by the caller: which squares exist, and which destinations keep its kings safe.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "rules/attack_tables.h"
#include "rules/attacked_squares.h"
#include "rules/move.h"
#include "rules/piece_board.h"

namespace faultline {

/// Promotion pieces, in move order.
inline constexpr std::array kOrthodoxPromotions = {PieceType::Queen, PieceType::Rook,
                                                   PieceType::Bishop, PieceType::Knight};

/// Writes generated moves to a list.
template <class MoveList>
class ListSink {
 public:
  explicit ListSink(MoveList& list) : list_(list) {}
  template <class B>
  void moves(Square from, B targets) {
    for_each_square(targets, [&](Square to) { list_.push(Move(from, to)); });
  }
  template <class B>
  void double_steps(Square from, B targets) {
    for_each_square(targets, [&](Square to) { list_.push(Move(from, to, MoveKind::DoubleStep)); });
  }
  template <class B>
  void promotions(Square from, B targets, std::span<const PieceType> types) {
    for_each_square(targets, [&](Square to) {
      for (const PieceType t : types)
        list_.push(Move::promotion_to(from, to, t));
    });
  }
  void move(Move m) { list_.push(m); }

 private:
  MoveList& list_;
};

/// Counts them instead: perft's last ply, mate and stalemate need no list.
class CountSink {
 public:
  template <class B>
  void moves(Square, B targets) {
    total_ += static_cast<std::size_t>(count(targets));
  }
  template <class B>
  void double_steps(Square, B targets) {
    total_ += static_cast<std::size_t>(count(targets));
  }
  template <class B>
  void promotions(Square, B targets, std::span<const PieceType> types) {
    total_ += static_cast<std::size_t>(count(targets)) * types.size();
  }
  void move(Move) { ++total_; }
  std::size_t total() const { return total_; }

 private:
  std::size_t total_ = 0;
};

/// Whether a board may hold chancellors and ultras. Its tables then also provide
///   ultra(s): where an ultra on `s` lands,
///   ultra_attackers(s, ultras, occupied): which of `ultras` attack a king on `s`,
///   ultra_obstacles(s, ultra): the squares on which a piece blocks that attack, if any.
template <class Board>
inline constexpr bool kHasFairyPieces = Board::kTypes > kOrthodoxTypes;

/// The pieces of `c` that leap as knights, ride as rooks: chancellors do both.
template <class Board>
auto knights_of(const Board& board, Colour c) {
  if constexpr (kHasFairyPieces<Board>)
    return board.of(c, PieceType::Knight, PieceType::Chancellor);
  else
    return board.of(c, PieceType::Knight);
}
template <class Board>
auto orthogonal_riders_of(const Board& board, Colour c) {
  using enum PieceType;
  if constexpr (kHasFairyPieces<Board>)
    return board.of(c, Rook, Queen) | board.of(c, Chancellor);
  else
    return board.of(c, Rook, Queen);
}

/// The pieces of `by` that attack `s`, given the occupancy that blocks riders; docs/rules.md
/// defines attacks.
template <class Tables, class Board, class B>
B attackers(const Tables& tables, const Board& board, Square s, Colour by, B occupied) {
  using enum PieceType;
  B found = (tables.knight(s) & knights_of(board, by)) | (tables.king(s) & board.of(by, King)) |
            (tables.pawn_attacks(~by, s) & board.of(by, Pawn)) |
            (tables.orthogonal(s, occupied) & orthogonal_riders_of(board, by)) |
            (tables.diagonal(s, occupied) & board.of(by, Bishop, Queen));
  if constexpr (kHasFairyPieces<Board>)
    found |= tables.ultra_attackers(s, board.of(by, Ultra), occupied);
  return found;
}

/// What the pieces of `by` attack (docs/rules.md), given the occupancy that blocks riders; an ultra
/// attacks where it captures.
template <class Tables, class Board, class B>
AttackedSquares<B> attacked_squares(const Tables& tables, const Board& board, Colour by,
                                    B occupied) {
  using enum PieceType;
  AttackedSquares<B> attacked;
  const auto add = [&](PieceType type, auto&& from) {
    for_each_square(board.of(by, type), [&](Square s) { attacked.add(from(s)); });
  };
  add(Pawn, [&](Square s) { return tables.pawn_attacks(by, s); });
  add(Knight, [&](Square s) { return tables.knight(s); });
  add(Bishop, [&](Square s) { return tables.diagonal(s, occupied); });
  add(Rook, [&](Square s) { return tables.orthogonal(s, occupied); });
  add(Queen,
      [&](Square s) { return tables.diagonal(s, occupied) | tables.orthogonal(s, occupied); });
  add(King, [&](Square s) { return tables.king(s); });
  if constexpr (kHasFairyPieces<Board>) {
    add(Chancellor, [&](Square s) { return tables.knight(s) | tables.orthogonal(s, occupied); });
    add(Ultra, [&](Square s) { return tables.ultra(s); });
  }
  return attacked;
}

/// What the generator needs from a family, besides its tables and pieces.
template <class B>
struct GeneratorView {
  B occupied{};          // what blocks riders: pieces, and squares that no line may cross
  B targets{};           // where pieces may land: existing, not own, not the enemy's king
  B empty{};             // where pawns may advance to
  B enemies{};           // what pawns may capture
  B double_step_from{};  // pawns that may advance two squares
  B promotion_row{};     // where pawns promote
  bool pawns_step_diagonally = false;  // crabs: to empty squares, too
  std::span<const PieceType> promotions = kOrthodoxPromotions;
};

/// The view of a board on which pieces block, and `missing` squares can neither hold a piece nor be
/// crossed by a line.
template <Colour us, class Board, class B>
GeneratorView<B> view_of(const Board& board, B missing, B double_step_from, B promotion_row) {
  const B blocked = board.occupied() | missing;
  return {
      .occupied = blocked,
      .targets = ~board.of(us) & ~board.of(~us, PieceType::King) & ~missing,
      .empty = ~blocked,
      .enemies = board.of(~us) & ~board.of(PieceType::King),
      .double_step_from = double_step_from,
      .promotion_row = promotion_row,
  };
}

/// All moves of `us` but the king's, castling and en passant. `allowed(from, candidates)` gives the
/// candidates that do not leave a king in check; it is called only if there are candidates.
template <Colour us, class Tables, class Board, class B, class Allowed, class Sink>
void generate_pieces(const Tables& tables, const Board& board, const GeneratorView<B>& view,
                     Allowed&& allowed, Sink& sink) {
  using enum PieceType;
  const auto emit = [&](Square from, B reach) {
    const B candidates = reach & view.targets;
    if (any(candidates)) sink.moves(from, allowed(from, candidates));
  };

  for_each_square(board.of(us, Pawn), [&](Square from) {
    const B push = tables.pawn_push(us, from) & view.empty;
    const B diagonal = tables.pawn_attacks(us, from);
    B single = push | (diagonal & view.enemies);
    if (view.pawns_step_diagonally) single |= diagonal & view.empty;
    B second{};
    if (any(push) && contains(view.double_step_from, from))
      for_each_square(push, [&](Square s) { second |= tables.pawn_push(us, s) & view.empty; });
    if (!any(single | second)) return;
    const B legal = allowed(from, single | second);
    single &= legal;
    const B promoting = single & view.promotion_row;
    if (any(promoting)) sink.promotions(from, promoting, view.promotions);
    sink.moves(from, single & ~view.promotion_row);
    sink.double_steps(from, legal & second);
  });
  for_each_square(board.of(us, Knight), [&](Square from) { emit(from, tables.knight(from)); });
  for_each_square(board.of(us, Bishop),
                  [&](Square from) { emit(from, tables.diagonal(from, view.occupied)); });
  for_each_square(board.of(us, Rook),
                  [&](Square from) { emit(from, tables.orthogonal(from, view.occupied)); });
  for_each_square(board.of(us, Queen), [&](Square from) {
    emit(from, tables.orthogonal(from, view.occupied) | tables.diagonal(from, view.occupied));
  });
  if constexpr (kHasFairyPieces<Board>) {
    for_each_square(board.of(us, Chancellor), [&](Square from) {
      emit(from, tables.orthogonal(from, view.occupied) | tables.knight(from));
    });
    for_each_square(board.of(us, Ultra), [&](Square from) { emit(from, tables.ultra(from)); });
  }
}

/// Checks and pins against one king, for boards on which a move changes only its own squares and no
/// two squares are joined by more than one path with squares between them. Lines may fork: one
/// piece can be pinned by several, and one square can block several checks.
template <class B>
struct CheckInfo {
  B checkers{};
  B pinned{};
  B check_mask{};                         // where pieces other than the king must land
  std::array<B, sizeof(B) * 8> pin_line;  // filled for pinned squares only

  void check(Square checker, B blocking) {
    checkers |= square_set<B>(checker);
    check_mask &= blocking | square_set<B>(checker);
  }
  /// `line`: the squares on which the piece on `s` still blocks that pin.
  void pin(Square s, B line) {
    pin_line[s] = contains(pinned, s) ? pin_line[s] & line : line;
    pinned |= square_set<B>(s);
  }
  /// The candidates that leave the king safe.
  B operator()(Square from, B candidates) const {
    candidates &= check_mask;
    return contains(pinned, from) ? candidates & pin_line[from] : candidates;
  }
};

/// `enemies` are all enemy pieces (the only ones that end a pinning line before the pinner),
/// `walls` what else stops riders.
template <Colour us, class Tables, class Board, class B>
void find_check_info(const Tables& tables, const Board& board, Square king, B walls,
                     CheckInfo<B>& checks) {
  using enum PieceType;
  constexpr Colour them = ~us;
  const B own = board.of(us);
  const B stops = board.of(them) | walls;
  checks.pinned = B{};
  checks.checkers = (tables.knight(king) & knights_of(board, them)) |
                    (tables.pawn_attacks(us, king) & board.of(them, Pawn));
  checks.check_mask = ~B{};
  if (any(checks.checkers))
    checks.check_mask = more_than_one(checks.checkers) ? B{} : checks.checkers;
  const B snipers = (tables.orthogonal(king, stops) & orthogonal_riders_of(board, them)) |
                    (tables.diagonal(king, stops) & board.of(them, Bishop, Queen));
  for_each_square(snipers, [&](Square sniper) {
    const B line = tables.between(king, sniper);
    const B blockers = line & own;
    if (!any(blockers))
      checks.check(sniper, line);
    else if (!more_than_one(blockers))
      checks.pin(first(blockers), line | square_set<B>(sniper));
  });
  if constexpr (kHasFairyPieces<Board>) {
    const B occupied = own | board.of(them);
    for_each_square(tables.ultra(king) & board.of(them, Ultra), [&](Square ultra) {
      const B obstacles = tables.ultra_obstacles(king, ultra);
      if (!any(obstacles & occupied))
        checks.check(ultra, obstacles);
      else if (any(obstacles & own))
        checks.pin(first(obstacles), square_set<B>(ultra));
    });
  }
}

/// The king's ordinary moves on such boards: to squares that no enemy attacks once the king has
/// left its square.
template <Colour us, class Tables, class Board, class B, class Sink>
void generate_king(const Tables& tables, const Board& board, Square king,
                   const GeneratorView<B>& view, Sink& sink) {
  const B without_king = view.occupied & ~square_set<B>(king);
  B safe{};
  for_each_square(tables.king(king) & view.targets, [&](Square to) {
    if (!any(attackers(tables, board, to, ~us, without_king))) safe |= square_set<B>(to);
  });
  sink.moves(king, safe);
}

/// En passant captures over `passed` of the pawn on `victim`. Two pawns leave their squares at
/// once, so each is tested on the position after it. `blocked`: what stops riders.
template <Colour us, class Tables, class Board, class B, class Sink>
void generate_en_passant(const Tables& tables, const Board& board, B blocked, Square passed,
                         Square victim, Sink& sink) {
  const Square king = board.king(us);
  const B captured = square_set<B>(victim);
  for_each_square(
      tables.pawn_attacks(~us, passed) & board.of(us, PieceType::Pawn), [&](Square from) {
        const B after = (blocked ^ square_set<B>(from) ^ captured) | square_set<B>(passed);
        if (!any(attackers(tables, board, king, ~us, after) & ~captured))
          sink.move(Move(from, passed, MoveKind::EnPassant));
      });
}

}  // namespace faultline
