// Plays a match between players given by name, of any family: compiled once, for `match` and
// `tournament`.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "lab/match_config.h"
#include "lab/match_result.h"
#include "lab/player_resources.h"
#include "lab/players.h"
#include "model/fast/fast_network.h"
#include "model/net_search.h"
#include "search/search_result.h"

namespace faultline {

/// The search settings of a player. `source` is followed by ", cpuct=2" where they were changed.
using PlayerSearch = NetSearch;

struct MatchSetup {
  std::string variant;  // any valid name of it
  std::array<PlayerSpec, 2> players;
  /// games_at_once 0: as many as suit the players and the device; max_plies 0: the family's;
  /// threads 0: one per core.
  MatchConfig config;
  std::array<MoveLimits, 2> limits = {MoveLimits{.visits = 100}, MoveLimits{.visits = 100}};
  /// Nets search with the default settings instead of their own.
  bool search_defaults = false;
  /// "search.cpuct=2": for both players, instead of their own.
  std::vector<std::string> search_settings = {};
};

/// A player's limits, as limits_of() gives them, for its searches.
SearchLimits search_limits(const PlayerSpec& player, const MoveLimits& limits);
/// The settings of an alpha-beta player's search.
AlphaBetaParams alpha_beta_params(const PlayerSpec& player);
/// The threads of one search of the player.
int search_threads(const PlayerSpec& player);
/// Whether its searches find the same whenever they are repeated: they have no limit of time of
/// their own, and one thread.
bool plays_alike(const PlayerSpec& player);
/// The fast network with which an alpha-beta search evaluates; null: material and placement. Throws
/// PlayerError.
std::shared_ptr<const FastNetwork> fast_network_of(const PlayerSpec& player);

/// The search settings that `player` has in a match of `setup`, or alone: those of its net
/// (model/net_search.h), or else the defaults, with the changes of the setup and then its own.
/// Throws PlayerError for a setting that does not exist, and CheckpointError.
PlayerSearch search_of(const PlayerSpec& player, const MatchSetup& setup = {});

/// Fills in games_at_once, max_plies and threads (at most one per core with time limits) where the
/// setup leaves them open, and checks it. Throws as run_match does.
MatchSetup resolved(MatchSetup setup, const PlayerResources& resources);

/// Plays the match. Throws PlayerError, OpeningError, VariantError, CheckpointError
/// and std::invalid_argument for a setup that is not valid, each before the first game, and
/// MachineShortage before it or later; passes on what an evaluator or a hook throws. A player that
/// fails loses its game and the match goes on.
MatchResult run_match(const MatchSetup& setup, PlayerResources& resources,
                      const MatchHooks& hooks = {});

}  // namespace faultline
