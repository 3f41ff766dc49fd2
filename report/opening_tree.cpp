// How games begin.
#include "report/opening_tree.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <queue>
#include <utility>

#include "report/game_frames.h"

namespace faultline {

void OpeningTree::add(std::span<const Move> moves, std::size_t random_plies, GameResult result) {
  const auto count = [&](Node& node) {
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
  return std::ranges::any_of(nodes_, [&](const Node& node) {
    const auto chosen = std::ranges::count_if(node.children, [&](std::size_t child) {
      return nodes_[child].random < nodes_[child].games;
    });
    return node.games >= kLeastGames && chosen >= 2;
  });
}

ReportJson OpeningTree::to_json(const Game& game, PictureTable& table, std::size_t most) const {
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

  const std::function<ReportJson(std::size_t, const GamePosition&, const GamePosition*,
                                 const PicturePlacement&)>
      write = [&](std::size_t number, const GamePosition& position, const GamePosition* before,
                  const PicturePlacement& above) {
        const Node& node = nodes_[number];
        PicturePlacement placement = above;
        ReportJson json = frame_json(table, position, placement, before, node.move);
        if (before != nullptr) json["t"] = before->move_text(node.move);
        json["g"] = {node.games, node.results[0], node.results[1], node.results[2]};
        if (node.random > 0) json["r"] = node.random;
        std::vector<std::size_t> children;
        std::ranges::copy_if(node.children, std::back_inserter(children),
                             [&](std::size_t child) { return bool{shown[child]}; });
        std::ranges::stable_sort(children, std::greater(),
                                 [&](std::size_t child) { return nodes_[child].games; });
        for (const std::size_t child : children) {
          const Move move = nodes_[child].move;
          const std::vector<Move> legal = position.legal_moves();
          if (std::ranges::find(legal, move) == legal.end())
            throw GameTextError("an opening has a move that is not legal");
          const auto after = position.clone();
          after->play(move);
          json["n"].push_back(write(child, *after, &position, placement));
        }
        return json;
      };
  return write(0, *game.start(), nullptr, {});
}

}  // namespace faultline
