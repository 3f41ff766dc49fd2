// What the legs of a side's types have in common: routes that do the same, and lines of attack that
// types share.
#pragma once

#include <vector>

#include "rules/data/board_build.h"
#include "rules/data/game_file.h"
#include "rules/data/routes.h"

namespace faultline::data {

using Routes = std::vector<Route>;

/// The routes of one leg on every level.
Routes routes_on_all_levels(const Board& board, const CellBoard& cells, const Leg& leg,
                            bool crosses);
/// Those that may land where they lead.
Routes landing(const Leg& leg, Routes routes);

/// Routes that do the same.
struct SortedRoutes {
  bool moves, leaves_passed, hops;
  TypeSet takes;
  SquareSet onto;
  Routes routes;
};
/// `routes` by leg; `all`: every type.
std::vector<SortedRoutes> sorted(const std::vector<Leg>& legs, const std::vector<Routes>& routes,
                                 TypeSet all, bool has_holes);

/// A line of a type's attacks, which other types may share.
struct AttackLine {
  TypeSet types = 0;
  TypeSet takes = 0;
  bool hops = false;
  Routes routes;  // sorted
};
/// Adds a type's attacking lines to those of its side.
void add_attacks(const std::vector<Leg>& legs, const std::vector<Routes>& routes, TypeSet type,
                 std::vector<AttackLine>& lines);
/// Lines of the same types in one: leaps, rides and hops apart.
std::vector<AttackLine> merged(std::vector<AttackLine> lines);

}  // namespace faultline::data
