// Slanted in strategies: escalators, forks, and the ultra's jumps.
#include "rules/families/slanted.h"

#include <array>
#include <cstddef>

#include "search/material.h"
#include "strategy/family_behaviour.h"
#include "strategy/predicate.h"

namespace faultline {
namespace {

using P = SlantedPosition;

constexpr int kLeft = 0;
constexpr int kRight = 1;

/// kLeft or kRight; -1: no escalator.
int escalator_of(const P& position, Square s) {
  const SlantedBoard& board = position.variant().board();
  const SlantedCell cell = board.cell(s);
  const int side = board.grid().side_of_escalator(cell.file, cell.rank);
  return side < 0 ? kLeft : side > 0 ? kRight : -1;
}

bool enters_escalator(const Turn<P>& turn, const Arguments& arguments) {
  const int side = escalator_of(turn.before(), turn.move().to());
  return side >= 0 && side != escalator_of(turn.before(), turn.move().from()) &&
         arguments.has_name(0, side);
}

/// Whether a line from `at` that goes on for `steps` links reaches `to` behind a fork. `forked`: it
/// has already passed one; `leaps`: over pieces.
bool reaches_by_fork(const P& position, Square at, Direction d, Square to, int steps, bool leaps,
                     bool forked = false) {
  const BoardGraph::Neighbours& next = position.variant().board().graph().neighbours(at, d);
  for (const Square s : next) {
    const bool behind = forked || next.size() > 1;
    if (s == to && behind) return true;
    if (steps > 1 && s != to && (leaps || !position.piece_at(s).exists()) &&
        reaches_by_fork(position, s, d, to, steps - 1, leaps, behind))
      return true;
  }
  return false;
}

/// Links that a piece may follow straight ahead.
int straight_links(PieceType type) {
  switch (type) {
    case PieceType::Rook:
    case PieceType::Queen:
    case PieceType::Chancellor:
      return kMaxSquares;
    case PieceType::Pawn:
    case PieceType::Ultra:
      return 2;
    case PieceType::King:
      return 1;
    default:
      return 0;
  }
}

bool uses_fork(const Turn<P>& turn, const Arguments&) {
  const PieceType piece = turn.piece();
  const Move move = turn.move();
  if (move.kind() == MoveKind::Castling) return false;
  if (piece == PieceType::Pawn && captured_type(turn.before(), move) != PieceType::None)
    return false;  // diagonally
  for (const Direction d : {Direction::N, Direction::S})
    if (reaches_by_fork(turn.before(), move.from(), d, move.to(), straight_links(piece),
                        piece == PieceType::Ultra))
      return true;
  return false;
}

bool is_ultra_jump(const Turn<P>& turn, const Arguments&) {
  if (turn.piece() != PieceType::Ultra) return false;
  const BoardGraph& graph = turn.before().variant().board().graph();
  for (int d = 0; d < kDirections; ++d)
    for (const Square s : graph.neighbours(turn.move().from(), static_cast<Direction>(d)))
      if (s == turn.move().to()) return false;
  return true;
}

}  // namespace

std::vector<Predicate<SlantedPosition>> own_predicates(const SlantedVariant& variant) {
  using enum PredicateSubject;
  const bool has_ultras = variant.board().shape() == SlantedShape::Ultra;
  return {
      {{"enters_escalator",
        "the piece arrives on an escalator, on one of these sides, from outside",
        Turn,
        {names_parameter("sides", {{"left", kLeft}, {"right", kRight}}, false)}},
       enters_escalator},
      {{"uses_fork", "the piece goes straight over a fork", Turn}, uses_fork},
      {{"ultra_jump",
        "an ultra moves two links at once, or over a barrier",
        Turn,
        {},
        has_ultras ? "" : "only board=ultra has ultras"},
       is_ultra_jump},
  };
}

FamilyBehaviour<SlantedPosition> own_behaviour(const SlantedVariant& variant) {
  FamilyBehaviour<SlantedPosition> behaviour{
      .habits = {{"enters an escalator", "enters_escalator = true"},
                 {"enters it with a piece", "enters_escalator = true, not = { piece = \"pawn\" }"},
                 {"uses a fork", "uses_fork = true"}}};
  if (variant.board().shape() == SlantedShape::Ultra)
    behaviour.habits.push_back({"jumps with an ultra", "ultra_jump = true"});
  return behaviour;
}

}  // namespace faultline
