// Sorts routes by what they do.
#include "rules/data/piece_routes.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace faultline::data {

namespace {

/// What can be compared of a route.
auto content(const Route& r) {
  return std::tie(r.from, r.to, r.empty, r.hurdle);
}
bool before(const Route& a, const Route& b) {
  return content(a) < content(b);
}
bool same(const Route& a, const Route& b) {
  return content(a) == content(b);
}
void sort_unique(std::vector<Route>& routes) {
  std::sort(routes.begin(), routes.end(), before);
  routes.erase(std::unique(routes.begin(), routes.end(), same), routes.end());
}

void append(Routes& to, const Routes& routes) {
  to.insert(to.end(), routes.begin(), routes.end());
}

}  // namespace

Routes routes_on_all_levels(const Board& board, const CellBoard& cells, const Leg& leg,
                            bool crosses) {
  std::vector<Route> all;
  for (int level = 0; level < board.levels.count; ++level) {
    const int first = level * board.squares;
    std::vector<Route> routes = routes_of(board, cells, leg, crosses, first);
    const auto move = [&](Square& s) { s = static_cast<Square>(s + first); };
    for (Route& route : routes) {
      move(route.from);
      move(route.to);
      std::for_each(route.empty.begin(), route.empty.end(), move);
      std::for_each(route.hurdle.begin(), route.hurdle.end(), move);
      all.push_back(std::move(route));
    }
  }
  return all;
}

Routes landing(const Leg& leg, Routes routes) {
  std::erase_if(routes, [&](const Route& r) { return !leg.onto[r.to]; });
  return routes;
}

std::vector<SortedRoutes> sorted(const std::vector<Leg>& legs, const std::vector<Routes>& routes,
                                 TypeSet all, bool has_holes) {
  std::vector<SortedRoutes> result;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const Leg& leg = legs[i];
    if (routes[i].empty()) continue;
    const SortedRoutes use{leg.moves,
                           leg.moves && leg.leaves_passed,
                           leg.hop != Hop::None,
                           leg.captures ? leg.takes & all : 0,
                           has_holes ? leg.onto : SquareSet().set(),
                           routes[i]};
    if (!use.moves && use.takes == 0) continue;
    const auto same_use = std::find_if(result.begin(), result.end(), [&](const SortedRoutes& u) {
      return u.moves == use.moves && u.leaves_passed == use.leaves_passed && u.hops == use.hops &&
             u.takes == use.takes && u.onto == use.onto;
    });
    if (same_use == result.end())
      result.push_back(use);
    else
      append(same_use->routes, use.routes);
  }
  return result;
}

void add_attacks(const std::vector<Leg>& legs, const std::vector<Routes>& routes, TypeSet type,
                 std::vector<AttackLine>& lines) {
  std::map<std::tuple<int, bool, TypeSet>, Routes> by_line;
  for (std::size_t i = 0; i < legs.size(); ++i)
    if (legs[i].captures && !routes[i].empty())
      append(by_line[{routes[i].front().line, legs[i].hop != Hop::None, legs[i].takes}],
             landing(legs[i], routes[i]));
  for (auto& [key, line] : by_line) {
    if (line.empty()) continue;
    sort_unique(line);
    const AttackLine attack{type, std::get<2>(key), std::get<1>(key), line};
    const auto shared = std::find_if(lines.begin(), lines.end(), [&](const AttackLine& other) {
      return other.takes == attack.takes && other.hops == attack.hops &&
             std::equal(other.routes.begin(), other.routes.end(), attack.routes.begin(),
                        attack.routes.end(), same);
    });
    if (shared != lines.end())
      shared->types |= type;
    else
      lines.push_back(attack);
  }
}

std::vector<AttackLine> merged(std::vector<AttackLine> lines) {
  const auto is_leap = [](const Route& r) { return r.empty.empty() && r.hurdle.empty(); };
  std::map<std::tuple<TypeSet, TypeSet, bool, bool>, AttackLine> groups;
  for (AttackLine& line : lines) {
    const bool leaps = std::all_of(line.routes.begin(), line.routes.end(), is_leap);
    AttackLine& group = groups[{line.types, line.takes, line.hops, leaps}];
    group.types = line.types;
    group.takes = line.takes;
    group.hops = line.hops;
    append(group.routes, line.routes);
  }
  std::vector<AttackLine> result;
  for (auto& [key, group] : groups)
    result.push_back(std::move(group));
  return result;
}

}  // namespace faultline::data
