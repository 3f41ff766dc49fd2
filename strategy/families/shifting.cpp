// Shifting in strategies: sectors that move, and those that may not.
#include "rules/families/shifting.h"

#include <cstddef>
#include <cstdlib>

#include "strategy/family_behaviour.h"
#include "strategy/predicate.h"

namespace faultline {
namespace {

using P = ShiftingPosition;

bool is_shift(const Turn<P>& turn) {
  return turn.move().kind() == MoveKind::SectorShift;
}

/// Areas that a shift moves the sector by.
int distance(Move shift) {
  const int from = area_of(shift.from());
  const int to = area_of(shift.to());
  return std::abs(from / 4 - to / 4) + std::abs(from % 4 - to % 4);
}

/// Pieces of `c` on the area's squares.
int pieces_on(const P& position, Area area, Colour c) {
  int sum = 0;
  for (int t = 0; t < kOrthodoxTypes; ++t)
    sum += count(position.pieces(c, static_cast<PieceType>(t)) & area_squares(area));
  return sum;
}

/// Whether `c` has more pieces on the sector than the other side, and so may shift it.
bool rules_sector(const P& position, Area area, Colour c) {
  return pieces_on(position, area, c) > pieces_on(position, area, ~c);
}

bool shifts(const Turn<P>& turn, const Arguments& arguments) {
  return is_shift(turn) && arguments.within(distance(turn.move()));
}

bool shifts_own_king(const Turn<P>& turn, const Arguments&) {
  return is_shift(turn) && (area_squares(area_of(turn.move().from())) &
                            turn.before().pieces(turn.mover(), PieceType::King)) != 0;
}

bool blocks_sector(const Turn<P>& turn, const Arguments&) {
  if (is_shift(turn)) return false;
  const Area area = area_of(turn.move().to());
  return rules_sector(turn.before(), area, ~turn.mover()) &&
         !rules_sector(turn.after(), area, ~turn.mover());
}

}  // namespace

std::vector<Predicate<ShiftingPosition>> own_predicates(const ShiftingVariant&) {
  using enum PredicateSubject;
  return {
      {{"shifts", "slides a sector, by so many areas", Turn, whole_range(1, 2)}, shifts},
      {{"shifts_own_king", "slides the sector with the mover's king", Turn}, shifts_own_king},
      {{"blocks_sector",
        "a piece arrives on a sector that the opponent could slide and no longer can: it has not "
        "more pieces there",
        Turn},
       blocks_sector},
  };
}

FamilyBehaviour<ShiftingPosition> own_behaviour(const ShiftingVariant&) {
  return {.habits = {{"shifts a sector", "shifts = true"},
                     {"shifts by two areas", "shifts = 2"},
                     {"shifts the own king", "shifts_own_king = true"},
                     {"blocks a sector", "blocks_sector = true"}}};
}

}  // namespace faultline
