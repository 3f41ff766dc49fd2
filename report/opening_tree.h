// How games begin: a tree of their first moves with counts and results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "play/game.h"
#include "play/game_text.h"
#include "report/picture_table.h"
#include "report/report_json.h"
#include "rules/move.h"

namespace faultline {

class OpeningTree {
 public:
  /// Plies that are kept of each game.
  static constexpr std::size_t kDepth = 12;

  /// A game from the variant's start. Its first `random_plies` moves were not chosen by its
  /// players.
  void add(std::span<const Move> moves, std::size_t random_plies, GameResult result);

  std::uint32_t games() const { return nodes_.front().games; }
  /// Whether there is something to compare: a position that at least four games reached, and that
  /// their players, not chance, left by different moves.
  bool has_choices() const;

  /// The start position's frame with "g": [games, White won, drawn, Black won], and "n": the moves,
  /// most played first, each a node of the same form with "t", its text, and "r", in how many of
  /// the games it was not chosen (absent for 0). Has the `most` most frequent nodes that at least
  /// two games reached. Throws GameTextError for a move that is not legal in `game`.
  ReportJson to_json(const Game& game, PictureTable& table, std::size_t most = 400) const;

 private:
  struct Node {
    Move move = Move::none();
    std::uint32_t games = 0;
    std::uint32_t random = 0;
    std::array<std::uint32_t, 3> results{};  // White won, drawn, Black won
    std::vector<std::size_t> children = {};
  };

  std::vector<Node> nodes_{1};  // the first is the start
};

}  // namespace faultline
