// The Position concept: what everything above the rules requires of a game. Search, self-play and
// the encoders are templates over it and are compiled once per family.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "rules/board_effects.h"
#include "rules/board_graph.h"
#include "rules/board_picture.h"
#include "rules/move.h"
#include "rules/piece_kinds.h"
#include "rules/types.h"
#include "rules/variant.h"

namespace faultline {

/// A text that is not a position of the variant. `field()` names the FEN field at fault.
class FenError : public std::runtime_error {
 public:
  FenError(std::string field, const std::string& reason)
      : std::runtime_error("FEN field '" + field + "': " + reason),
        field_(std::move(field)),
        reason_(reason) {}
  const std::string& field() const { return field_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string field_;
  std::string reason_;
};

/// The description of a variant's family: P::info(), or of a game's file variant.info().
template <class P>
const FamilyInfo& family_of(const typename P::Variant& variant) {
  if constexpr (requires { P::info(); })
    return P::info();
  else
    return variant.info();
}

template <class P>
const FamilyInfo& family_of(const P& position) {
  if constexpr (requires { P::info(); })
    return P::info();
  else
    return position.variant().info();
}

/// A position is a small trivially copyable value; search copies and plays instead of undoing.
///
/// - `Variant`: options and the tables built from them. `P::variant(name)` returns one that lives
///   until the program ends (the same object for the same name) or throws VariantError.
/// - `graph(variant)`: the board on which its games begin, with squares that do not exist at the
///   start; it lives until the program ends.
/// - `MoveList`: a BasicMoveList large enough for any position that the parser accepts.
/// - `legal_moves` is complete and holds no illegal move; draws do not end generation. The order is
///   fixed: the same position always lists its moves in the same order.
/// - `count_legal_moves` equals `legal_moves(list).size()` and is cheaper.
/// - `play` takes a legal move of this position; anything else is undefined (asserted in debug).
/// - `outcome(any_legal_move)` has no history, so it never returns Repetition or Adjudicated.
/// - `key` is a 64-bit Zobrist hash of exactly what docs/rules.md defines as the same position.
/// - `halfmove_clock` counts towards the hundred-ply draw; `repetition_window` is the number
///   of plies back within which the current position can have occurred (0 after a capture).
///   They differ where boards move: in escher a carried pawn comes back.
/// - `move_text` / `parse_move` are the UCI-style texts; `parse_move` returns a legal move or
///   nothing. `square_text` is a square's name as in these texts. `picture` is a multi-line text
///   for people.
/// - `kTypes`: piece types are below it. `piece_kinds` says what they are, and lives until the
/// program
///   ends; `piece_values` are their values, by index(PieceType). `en_passant_type` is the type of
///   the piece that an en passant capture takes, `best_promotion` the value of the best piece that
///   one of a type can become.
/// - `piece_at` also takes the from() of a drop: the piece dropped.
/// - `for_each_piece(f)` calls `f(colour, type, square)` for every piece on the board, in no
///   particular order.
/// - `for_each_attacked(colour, f)` calls `f(square, twice)` for every square that pieces of that
/// side
///   attack, as docs/rules.md defines it; `twice`: at least two of them do. In no particular order.
/// - `board_picture` is a drawing of the position, kings in check highlighted; `mark_move`
///   highlights a legal move in `after`, the picture of the position after it. A move that made
///   levels vanish is not marked. `board_effects` says in words what else a legal move does.
template <class P>
concept Position = std::is_trivially_copyable_v<P> &&
    requires(const P p, P q, Move m, typename P::MoveList& list, const typename P::Variant& v,
             const VariantName& name, std::string_view text, BoardPicture& picture,
             void (*visit)(Colour, PieceType, Square), void (*visit_attacked)(Square, bool)) {
  { family_of<P>(v) } -> std::same_as<const FamilyInfo&>;
  { P::describe(v) } -> std::same_as<VariantDescription>;
  { P::variant(name) } -> std::same_as<const typename P::Variant&>;
  { P::graph(v) } -> std::same_as<const BoardGraph&>;
  { v.canonical_name() } -> std::convertible_to<std::string>;
  { P::start(v) } -> std::same_as<P>;
  { P::from_fen(v, text) } -> std::same_as<P>;
  { p.fen() } -> std::same_as<std::string>;
  { p.legal_moves(list) } -> std::same_as<void>;
  { p.count_legal_moves() } -> std::same_as<std::size_t>;
  { q.play(m) } -> std::same_as<void>;
  { p.in_check() } -> std::same_as<bool>;
  { p.side_to_move() } -> std::same_as<Colour>;
  { p.outcome(true) } -> std::same_as<Outcome>;
  { p.key() } -> std::same_as<std::uint64_t>;
  { p.key_from_scratch() } -> std::same_as<std::uint64_t>;
  { p.piece_at(Square{}) } -> std::same_as<Piece>;
  { P::kTypes } -> std::convertible_to<int>;
  { p.piece_kinds() } -> std::same_as<const PieceKinds&>;
  { p.piece_values() } -> std::same_as<const TypeValues&>;
  { p.en_passant_type() } -> std::same_as<PieceType>;
  { p.best_promotion(PieceType{}) } -> std::same_as<int>;
  { p.for_each_piece(visit) } -> std::same_as<void>;
  { p.for_each_attacked(Colour{}, visit_attacked) } -> std::same_as<void>;
  { p.halfmove_clock() } -> std::same_as<int>;
  { p.repetition_window() } -> std::same_as<int>;
  { p.full_move_number() } -> std::same_as<int>;
  { p.move_text(m) } -> std::same_as<std::string>;
  { p.parse_move(text) } -> std::same_as<std::optional<Move>>;
  { p.square_text(Square{}) } -> std::convertible_to<std::string>;
  { p.picture() } -> std::same_as<std::string>;
  { p.board_picture() } -> std::same_as<BoardPicture>;
  { p.mark_move(m, picture) } -> std::same_as<void>;
  { p.board_effects(m) } -> std::same_as<BoardEffects>;
};

}  // namespace faultline
