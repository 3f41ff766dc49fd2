// A player: its searcher, its evaluator, how it picks moves and when it resigns.
#pragma once

#include <memory>

#include "play/game_rules.h"
#include "search/searcher.h"

namespace faultline {

/// One side of one game. Without a searcher its moves are supplied by the caller
/// (GameDriver::play).
template <Position P>
struct Player {
  /// The player's search, for this game only. The two sides of a game may share one, which then
  /// reuses its tree across both sides' moves (self-play).
  std::shared_ptr<Searcher<P>> searcher = nullptr;
  /// Shared with other games; null where the searcher adds no leaves. Must outlive the player.
  Evaluator<P>* evaluator = nullptr;
  SearchBudget budget = {};
  MoveChoice choice = {};
  Resignation resignation = {};
};

}  // namespace faultline
