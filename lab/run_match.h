// Plays a match between players given by name, of any family: compiled once, for `match` and
// `tournament`.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lab/match_config.h"
#include "lab/match_result.h"
#include "lab/players.h"
#include "model/encoding/encoding.h"
#include "model/inference/backend_choice.h"
#include "model/inference/backend_registry.h"
#include "play/game_text.h"

namespace faultline {

class UciEnginePool;

/// What players are made of, kept from one match to the next: networks loaded on a device, and
/// engines' processes. Thread-safe.
class PlayerResources {
 public:
  /// `backends` must outlive it. What `options` leave to "auto" follows from the processor. Throws
  /// std::invalid_argument for a device that is missing, or that none of them runs on, also where
  /// no player needs it.
  PlayerResources(const BackendRegistry& backends, const DeviceOptions& options);
  ~PlayerResources();
  PlayerResources(const PlayerResources&) = delete;
  PlayerResources& operator=(const PlayerResources&) = delete;

  /// The checkpoint's network, loaded at the first call; in the precision of all nets unless one is
  /// given. Throws CheckpointError, and std::invalid_argument for a missing device or a precision
  /// that nothing computes in.
  std::shared_ptr<Backend> backend(const std::filesystem::path& net, const EncodingInfo& encoding,
                                   std::optional<Precision> precision = std::nullopt);
  /// `engine`: as PlayerSpec::engine. Throws UciSpecError, and SearcherFailure for a program that
  /// does not speak UCI.
  std::shared_ptr<UciEnginePool> engines(const std::string& engine, const std::string& variant);
  /// What a match has left of its openings for the next one with this key, which names their
  /// variant, source and seed; null if there is nothing, or another match has it. To draw them anew
  /// in every part of a long match would take longer from part to part.
  std::shared_ptr<void> take_openings(const std::string& key);
  /// Leaves them; `bytes`: the memory that they take. They are dropped if too much would be kept.
  void leave_openings(const std::string& key, std::shared_ptr<void> openings, std::size_t bytes);
  /// The number of positions that a batch should have.
  std::size_t best_batch() const { return choice_.batch; }

 private:
  const BackendRegistry* backends_;
  DeviceOptions options_;
  InferenceChoice choice_;  // of players without a precision of their own
  std::mutex mutex_;
  // By path or engine, and variant (and precision); guarded by mutex_.
  std::map<std::tuple<std::string, std::string, Precision>, std::shared_ptr<Backend>> networks_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<UciEnginePool>> engines_;
  struct KeptOpenings {
    std::shared_ptr<void> openings;
    std::size_t bytes = 0;
  };
  std::map<std::string, KeptOpenings> openings_;  // guarded by mutex_
  std::size_t opening_bytes_ = 0;                 // of all; guarded by mutex_
};

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
/// and std::invalid_argument for a setup that is not valid, each before the first game; passes on
/// what an evaluator or a hook throws. A player that fails loses its game and the match goes on.
MatchResult run_match(const MatchSetup& setup, PlayerResources& resources,
                      const MatchHooks& hooks = {});

/// A game in text form. `names`: the first and the second player's. `event`: for its Event tag;
/// the Round tag is "PAIR.GAME", from 1. `cut`: whether a game that was cut is a draw or has no
/// result.
TextGame text_of(const MatchGame& game, const std::string& variant,
                 const std::array<std::string, 2>& names, const std::string& event,
                 CutGames cut = CutGames::Apart);

}  // namespace faultline
