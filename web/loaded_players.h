// Players, loaded: what SearchPlayers holds.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "lab/player_resources.h"
#include "lab/players.h"
#include "model/fast/fast_network.h"
#include "play/game.h"
#include "search/tree_search_settings.h"
#include "strategy/strategy_text.h"
#include "web/search_players.h"

namespace faultline::web {

/// A player of one game, with what it computes with.
struct LoadedPlayer {
  PlayerSpec spec;
  const Game* game = nullptr;
  std::shared_ptr<GameEvaluator> evaluator;  // null for alpha-beta and random moves
  std::shared_ptr<const FastNetwork> fast;
  TreeSearchSettings search;
  std::optional<StrategyText> strategy;
  std::string network;  // which one it has: "12,000 steps, 0123456789abcdef"; "": none, or unknown

  /// Null: it follows no strategy.
  const StrategyText* plan() const { return strategy ? &*strategy : nullptr; }
  /// Whether an Analyser searches as it does.
  bool can_analyse() const {
    return !strategy && (spec.uses_tree_search() || spec.kind == PlayerKind::AlphaBeta);
  }
  std::unique_ptr<Analyser> analyser(int threads, std::size_t memory_bytes) const;
  std::unique_ptr<GameSearcher> searcher() const;
};

struct SearchPlayers::State {
  State(const BackendRegistry& backends, const DeviceOptions& device)
      : resources(backends, device) {}

  /// The player of that name (search_players.h), loaded at the first call. Throws RequestError for
  /// what is no player of the game.
  std::shared_ptr<const LoadedPlayer> load(const std::string& name, const Game& game);
  /// Forgets a player that failed, so that the next call loads it anew.
  void forget(const LoadedPlayer& player);

  PlayerResources resources;
  std::mutex mutex;
  // By player and variant; guarded by mutex.
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const LoadedPlayer>> loaded;
  std::map<std::string, std::vector<std::string>> names;  // by variant; guarded by mutex
};

}  // namespace faultline::web
