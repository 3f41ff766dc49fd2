// Plays a match between players given by name, of any family: compiled once, for `match` and
// `tournament`.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "lab/match_config.h"
#include "lab/match_result.h"
#include "lab/player_resources.h"
#include "lab/players.h"

namespace faultline {

/// The search settings of a player and where they come from.
struct PlayerSearch {
  TreeSearchSettings settings;
  std::string source;  // "runs/gardner/config.toml", "defaults"; followed by ", cpuct=2" if changed
};

struct MatchSetup {
  std::string variant;  // any valid name of it
  std::array<PlayerSpec, 2> players;
  /// games_at_once 0: as many as suit the players and the device; max_plies 0: the family's;
  /// threads 0: one per core.
  MatchConfig config;
  std::array<MoveLimits, 2> limits = {MoveLimits{.visits = 100}, MoveLimits{.visits = 100}};
  /// Nets search with the default settings instead of their run's.
  bool search_defaults = false;
  /// "search.cpuct=2": for both players, instead of their run's.
  std::vector<std::string> search_settings = {};
};

/// What the priors of a checkpoint's search are softened by when it plays: `[search]`
/// match_policy_temperature of its run's config.toml, or else its policy_temperature; 1 if it is of
/// no run. Throws ConfigError if config.toml cannot be read.
float match_policy_temperature(const std::filesystem::path& net);

/// The search settings that `player` has in a match of `setup`. Throws PlayerError for a setting
/// that does not exist, and ConfigError if its run's config.toml cannot be read.
PlayerSearch search_of(const PlayerSpec& player, const MatchSetup& setup);

/// Fills in games_at_once, max_plies and threads (at most one per core with time limits) where the
/// setup leaves them open, and checks it. Throws as run_match does.
MatchSetup resolved(MatchSetup setup, const PlayerResources& resources);

/// Plays the match. Throws PlayerError, OpeningError, VariantError, CheckpointError, ConfigError
/// and std::invalid_argument for a setup that is not valid, each before the first game, and
/// MachineShortage before it or later; passes on what an evaluator or a hook throws. A player that
/// fails loses its game and the match goes on.
MatchResult run_match(const MatchSetup& setup, PlayerResources& resources,
                      const MatchHooks& hooks = {});

}  // namespace faultline
