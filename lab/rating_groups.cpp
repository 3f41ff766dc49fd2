// Reachability in the graphs "played against" and "scored against".
#include "lab/rating_groups.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace faultline {
namespace {

using Graph = std::vector<std::vector<int>>;

/// The players that can be reached from `from`, itself included.
std::vector<bool> reached(const Graph& graph, int from) {
  std::vector<bool> seen(graph.size());
  std::vector<int> open = {from};
  seen[static_cast<std::size_t>(from)] = true;
  while (!open.empty()) {
    const int player = open.back();
    open.pop_back();
    for (const int next : graph[static_cast<std::size_t>(player)]) {
      if (seen[static_cast<std::size_t>(next)]) continue;
      seen[static_cast<std::size_t>(next)] = true;
      open.push_back(next);
    }
  }
  return seen;
}

}  // namespace

Linkage link(const RatingGames& games) {
  const std::size_t n = games.players().size();
  Graph played(n), beat(n), lost(n);
  const auto connect = [](Graph& graph, int from, int to) {
    graph[static_cast<std::size_t>(from)].push_back(to);
  };
  for (const RatingGames::Count& count : games.counts()) {
    connect(played, count.white, count.black);
    connect(played, count.black, count.white);
    for (const auto& [winner, loser, wins] :
         {std::tuple(count.white, count.black, count.results[2]),
          std::tuple(count.black, count.white, count.results[0])})
      if (wins + count.results[1] > 0) {
        connect(beat, winner, loser);
        connect(lost, loser, winner);
      }
  }

  Linkage linkage;
  linkage.groups.assign(n, -1);
  linkage.needs_prior.assign(n, false);
  std::vector<int> part(n, -1);  // strongly connected by points
  std::vector<std::size_t> part_sizes;
  for (std::size_t i = 0; i < n; ++i) {
    const int player = static_cast<int>(i);
    if (linkage.groups[i] < 0) {
      const std::vector<bool> members = reached(played, player);
      for (std::size_t j = 0; j < n; ++j)
        if (members[j]) linkage.groups[j] = linkage.count;
      ++linkage.count;
    }
    if (part[i] < 0) {
      const std::vector<bool> below = reached(beat, player);
      const std::vector<bool> above = reached(lost, player);
      part_sizes.push_back(0);
      for (std::size_t j = 0; j < n; ++j)
        if (below[j] && above[j]) {
          part[j] = static_cast<int>(part_sizes.size()) - 1;
          ++part_sizes.back();
        }
    }
  }
  // Each group's largest part; none if several are as large.
  constexpr int kNone = -1;
  std::vector<int> core(static_cast<std::size_t>(linkage.count), kNone);
  std::vector<std::size_t> core_sizes(core.size());
  for (std::size_t i = 0; i < n; ++i) {
    const auto group = static_cast<std::size_t>(linkage.groups[i]);
    const std::size_t size = part_sizes[static_cast<std::size_t>(part[i])];
    if (size < core_sizes[group] || part[i] == core[group]) continue;
    core[group] = size > core_sizes[group] ? part[i] : kNone;
    core_sizes[group] = size;
  }
  for (std::size_t i = 0; i < n; ++i)
    linkage.needs_prior[i] = part[i] != core[static_cast<std::size_t>(linkage.groups[i])];
  return linkage;
}

}  // namespace faultline
