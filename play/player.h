// A player: what finds its moves, what evaluates positions for it, how it picks and when it
// resigns.
#pragma once

#include <memory>

#include "play/game_rules.h"
#include "search/searcher.h"

namespace faultline {

/// One side of one game. Without a searcher its moves come from outside (GameDriver::play).
template <Position P>
struct Player {
  /// Of this game alone. The two sides of a game may share one, which then keeps what it has found
  /// for one side when the other is to move (self-play).
  std::shared_ptr<Searcher<P>> searcher = nullptr;
  /// Shared with other games; null where the searcher adds no leaves. Must outlive the player.
  Evaluator<P>* evaluator = nullptr;
  SearchBudget budget = {};
  MoveChoice choice = {};
  Resignation resignation = {};
};

}  // namespace faultline
