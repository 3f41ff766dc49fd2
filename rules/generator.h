// The one move generator: riders, leapers and pawns over any board's tables. What is special to a
// family comes in from outside: which squares exist, and which destinations keep its kings safe.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "rules/attack_tables.h"
#include "rules/move.h"
#include "rules/piece_board.h"

namespace faultline {

/// Pieces a pawn promotes to, in the order in which moves are listed.
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

/// The pieces of `by` that attack `s`, given the occupancy that blocks riders (§0, "attack").
template <class Tables, class Board, class B>
B attackers(const Tables& tables, const Board& board, Square s, Colour by, B occupied) {
  using enum PieceType;
  return (tables.knight(s) & board.of(by, Knight)) | (tables.king(s) & board.of(by, King)) |
         (tables.pawn_attacks(~by, s) & board.of(by, Pawn)) |
         (tables.orthogonal(s, occupied) & board.of(by, Rook, Queen)) |
         (tables.diagonal(s, occupied) & board.of(by, Bishop, Queen));
}

/// What the generator asks a family for, besides its tables and pieces.
template <class B>
struct GeneratorView {
  B occupied{};          // what blocks riders: pieces, and squares that no line may pass
  B targets{};           // where pieces may land: existing, not own, not the enemy's king
  B empty{};             // where pawns may advance to
  B enemies{};           // what pawns may capture
  B double_step_from{};  // pawns that may advance two squares
  B promotion_row{};     // where pawns promote
  std::span<const PieceType> promotions = kOrthodoxPromotions;
};

/// All moves of `us` but the king's, castling and en passant. `allowed(from, candidates)` gives
/// the candidates that do not leave a king in check; it is asked only where there are candidates.
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
    const B captures = tables.pawn_attacks(us, from) & view.enemies;
    B second{};
    if (any(push) && contains(view.double_step_from, from))
      for_each_square(push, [&](Square s) { second |= tables.pawn_push(us, s) & view.empty; });
    const B candidates = push | captures | second;
    if (!any(candidates)) return;
    const B legal = allowed(from, candidates);
    const B single = legal & ~second;
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
}

/// Checks and pins against one king, for boards on which a move changes only its own squares.
template <class B>
struct KingSafety {
  B checkers{};
  B pinned{};
  B check_mask{};                         // where a piece other than the king must land
  std::array<B, sizeof(B) * 8> pin_line;  // filled for pinned squares only

  B allowed(Square from, B candidates) const {
    candidates &= check_mask;
    return contains(pinned, from) ? candidates & pin_line[from] : candidates;
  }
};

/// `enemies` are all enemy pieces (the only ones that stop a pinning line before its pinner),
/// `walls` what else stops riders.
template <Colour us, class Tables, class Board, class B>
void find_king_safety(const Tables& tables, const Board& board, Square king, B walls,
                      KingSafety<B>& safety) {
  using enum PieceType;
  constexpr Colour them = ~us;
  const B own = board.of(us);
  const B stops = board.of(them) | walls;
  safety.pinned = B{};
  safety.checkers = (tables.knight(king) & board.of(them, Knight)) |
                    (tables.pawn_attacks(us, king) & board.of(them, Pawn));
  const B snipers = (tables.orthogonal(king, stops) & board.of(them, Rook, Queen)) |
                    (tables.diagonal(king, stops) & board.of(them, Bishop, Queen));
  for_each_square(snipers, [&](Square sniper) {
    const B line = tables.between(king, sniper);
    const B shields = line & own;
    if (!any(shields)) {
      safety.checkers |= square_set<B>(sniper);
    } else if (!more_than_one(shields)) {
      safety.pinned |= shields;
      safety.pin_line[first(shields)] = line | square_set<B>(sniper);
    }
  });
  if (!any(safety.checkers))
    safety.check_mask = ~B{};
  else if (more_than_one(safety.checkers))
    safety.check_mask = B{};
  else
    safety.check_mask = safety.checkers | tables.between(king, first(safety.checkers));
}

/// The king's ordinary moves on such boards: to squares that no enemy attacks once it has left.
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

}  // namespace faultline
