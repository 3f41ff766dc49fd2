// Escher in strategies: what the staircases do.
#include "rules/families/escher.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "strategy/family_behaviour.h"
#include "strategy/predicate.h"

namespace faultline {
namespace {

using P = EscherPosition;

/// Names of EscherPosition::staircases(): by row or column.
constexpr std::array<const char*, 8> kStaircaseNames = {
    "row-8", "row-6", "row-3", "row-1", "column-a", "column-c", "column-f", "column-h"};

bool leaves_board_unchanged(const Turn<P>& turn, const Arguments&) {
  for (const Colour c : {Colour::White, Colour::Black})
    for (int t = 0; t < kOrthodoxTypes; ++t) {
      const auto type = static_cast<PieceType>(t);
      if (turn.before().pieces(c, type) != turn.after().pieces(c, type)) return false;
    }
  return true;
}

bool triggers_staircase(const Turn<P>& turn, const Arguments& arguments) {
  const auto& all = P::staircases();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (arguments.has_name(0, static_cast<int>(i)) &&
        std::ranges::find(all[i].squares, turn.move().from()) != all[i].squares.end())
      return true;
  return false;
}

bool carries_own_king(const Turn<P>& turn, const Arguments&) {
  const Square stepped = turn.piece() == PieceType::King
                             ? turn.move().to()
                             : first(turn.before().pieces(turn.mover(), PieceType::King));
  return first(turn.after().pieces(turn.mover(), PieceType::King)) != stepped;
}

bool carries_enemy(const Turn<P>& turn, const Arguments&) {
  const Colour them = ~turn.mover();
  Bitboard taken = 0;
  if (turn.move().kind() == MoveKind::EnPassant) {
    const Square to = turn.move().to();
    taken =
        square_set<Bitboard>(static_cast<Square>(turn.mover() == Colour::White ? to - 8 : to + 8));
  } else {
    taken = square_set<Bitboard>(turn.move().to());
  }
  for (int t = 0; t < kOrthodoxTypes; ++t) {
    const auto type = static_cast<PieceType>(t);
    if ((turn.before().pieces(them, type) & ~taken) != turn.after().pieces(them, type)) return true;
  }
  return false;
}

bool promotes_by_staircase(const Turn<P>& turn, const Arguments&) {
  const auto pawns = [&](const P& position) {
    return count(position.pieces(turn.mover(), PieceType::Pawn));
  };
  const int by_moving = turn.move().kind() == MoveKind::Promotion ? 1 : 0;
  return pawns(turn.before()) - pawns(turn.after()) > by_moving;
}

}  // namespace

std::vector<Predicate<EscherPosition>> own_predicates(const EscherVariant&) {
  using enum PredicateSubject;
  std::vector<Parameter::Name> staircases;
  for (std::size_t i = 0; i < kStaircaseNames.size(); ++i)
    staircases.push_back({kStaircaseNames.at(i), static_cast<int>(i)});
  return {
      {{"board_unchanged", "all pieces are where they were: the turn is a pass", Turn},
       leaves_board_unchanged},
      {{"triggers_staircase",
        "leaves a square of one of these staircases, which advance",
        Turn,
        {names_parameter("staircases", staircases, false)}},
       triggers_staircase},
      {{"carries_own_king", "a staircase carries the mover's king", Turn}, carries_own_king},
      {{"carries_enemy", "a staircase carries an enemy piece", Turn}, carries_enemy},
      {{"promotes_by_staircase", "a staircase carries a pawn of the mover onto its last row", Turn},
       promotes_by_staircase},
  };
}

FamilyBehaviour<EscherPosition> own_behaviour(const EscherVariant&) {
  return {.habits = {{"leaves the board unchanged", "board_unchanged = true"},
                     {"triggers a staircase", "triggers_staircase = true"},
                     {"carries the own king", "carries_own_king = true"},
                     {"carries an enemy piece", "carries_enemy = true"},
                     {"promotes by staircase", "promotes_by_staircase = true"}}};
}

}  // namespace faultline
