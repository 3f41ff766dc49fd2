// How games begin: a tree of their first moves with counts and results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "play/game_text.h"
#include "rules/move.h"

namespace faultline {

/// A position that games reached, by its number in the tree; 0 is the start.
struct OpeningNode {
  Move move = Move::none();  // that led to it
  std::uint32_t games = 0;
  std::uint32_t random = 0;                // of these, in which the move was not chosen
  std::array<std::uint32_t, 3> results{};  // White won, drawn, Black won
  std::vector<std::size_t> children = {};
};

class OpeningTree {
 public:
  /// Plies that are kept of each game.
  static constexpr std::size_t kDepth = 12;

  /// A game from the variant's start. Its first `random_plies` moves were not chosen by its
  /// players.
  void add(std::span<const Move> moves, std::size_t random_plies, GameResult result);

  std::uint32_t games() const { return nodes_.front().games; }
  const OpeningNode& node(std::size_t number) const { return nodes_.at(number); }
  /// Whether there is something to compare: a position that at least four games reached, and that
  /// their players, not chance, left by different moves.
  bool has_choices() const;

  /// The `most` most frequent nodes that at least two games reached, by number: with every node its
  /// parents.
  std::vector<bool> most_frequent(std::size_t most) const;
  /// The children of a node that are among `shown`, the most frequent first.
  std::vector<std::size_t> children(std::size_t number, const std::vector<bool>& shown) const;

 private:
  std::vector<OpeningNode> nodes_{1};
};

}  // namespace faultline
