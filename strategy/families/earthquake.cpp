// Earthquake in strategies: aftershocks, and the fault between the halves.
#include "rules/families/earthquake.h"

#include <cstddef>
#include <cstdlib>
#include <string>

#include "strategy/family_behaviour.h"
#include "strategy/predicate.h"

namespace faultline {
namespace {

using P = EarthquakePosition;

bool is_aftershock(const Turn<P>& turn, const Arguments& arguments) {
  return turn.move().kind() == MoveKind::Aftershock &&
         arguments.within(std::abs(turn.move().amount()));
}

bool crosses_fault(const Turn<P>& turn, const Arguments&) {
  return turn.moves_piece() &&
         contains(kLowerHalf, turn.move().from()) != contains(kLowerHalf, turn.move().to());
}

bool aftershocks_left_are(const Turn<P>& turn, const Arguments& arguments) {
  return arguments.within(turn.before().aftershock_count(turn.mover()));
}

}  // namespace

std::vector<Predicate<EarthquakePosition>> own_predicates(const EarthquakeVariant& variant) {
  using enum PredicateSubject;
  const std::string still =
      variant.shifts() ? "" : "there are no aftershocks (aftershock=0, every=0)";
  const std::string unlimited =
      "aftershocks are not limited by number (every=" + std::to_string(variant.every()) + ")";
  return {
      {{"aftershock", "shifts the lower half, by so many files (or ranks, with axis=both)", Turn,
        whole_range(1, variant.shock()), still},
       is_aftershock},
      {{"crosses_fault", "the piece moves from one half of the board to the other", Turn},
       crosses_fault},
      {{"aftershocks_left", "the mover has so many aftershocks left", Situation,
        whole_range(0, variant.aftershocks()), variant.every() > 0 ? unlimited : still},
       aftershocks_left_are},
  };
}

FamilyBehaviour<EarthquakePosition> own_behaviour(const EarthquakeVariant& variant) {
  FamilyBehaviour<EarthquakePosition> behaviour{
      .habits = {{"crosses the fault", "crosses_fault = true"}}};
  if (variant.shifts()) behaviour.habits.push_back({"shifts the lower half", "aftershock = true"});
  return behaviour;
}

}  // namespace faultline
