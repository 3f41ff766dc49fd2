// How games begin.
#include "lab/opening_tree.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <queue>
#include <utility>

namespace faultline {

void OpeningTree::add(std::span<const Move> moves, std::size_t random_plies, GameResult result) {
  const auto count = [&](OpeningNode& node) {
    ++node.games;
    if (result != GameResult::None)
      ++node.results.at(result == GameResult::WhiteWins ? 0 : result == GameResult::Draw ? 1 : 2);
  };
  std::size_t at = 0;
  count(nodes_[at]);
  for (std::size_t ply = 0; ply < std::min(moves.size(), kDepth); ++ply) {
    const auto& children = nodes_[at].children;
    const auto known = std::ranges::find_if(
        children, [&](std::size_t child) { return nodes_[child].move == moves[ply]; });
    std::size_t next = nodes_.size();
    if (known != children.end()) {
      next = *known;
    } else {
      nodes_.push_back({.move = moves[ply]});
      nodes_[at].children.push_back(next);
    }
    at = next;
    count(nodes_[at]);
    if (ply < random_plies) ++nodes_[at].random;
  }
}

bool OpeningTree::has_choices() const {
  constexpr std::uint32_t kLeastGames = 4;
  return std::ranges::any_of(nodes_, [&](const OpeningNode& node) {
    const auto chosen = std::ranges::count_if(node.children, [&](std::size_t child) {
      return nodes_[child].random < nodes_[child].games;
    });
    return node.games >= kLeastGames && chosen >= 2;
  });
}

std::vector<bool> OpeningTree::most_frequent(std::size_t most) const {
  constexpr std::uint32_t kLeastGames = 2;
  // A node has at least as many games as any below it: the most frequent ones form a tree.
  std::vector<bool> shown(nodes_.size(), false);
  const auto less = [&](std::size_t a, std::size_t b) {
    return std::pair(nodes_[a].games, b) < std::pair(nodes_[b].games, a);
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(less)> open(less);
  open.push(0);
  for (std::size_t count = 0; count < most && !open.empty(); ++count) {
    const std::size_t node = open.top();
    open.pop();
    shown[node] = true;
    for (const std::size_t child : nodes_[node].children)
      if (nodes_[child].games >= kLeastGames) open.push(child);
  }
  return shown;
}

std::vector<std::size_t> OpeningTree::children(std::size_t number,
                                               const std::vector<bool>& shown) const {
  std::vector<std::size_t> children;
  std::ranges::copy_if(nodes_.at(number).children, std::back_inserter(children),
                       [&](std::size_t child) { return bool{shown[child]}; });
  std::ranges::stable_sort(children, std::greater(),
                           [&](std::size_t child) { return nodes_[child].games; });
  return children;
}

}  // namespace faultline
