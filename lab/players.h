// Players: what the names given on the command line stand for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lab/move_limits.h"
#include "model/inference/precision.h"
#include "search/alpha_beta_params.h"
#include "search/tree_search_settings.h"

namespace faultline {

/// A text that is not a player. The message lists the valid forms or keys.
class PlayerError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A name that is no player's, and of no file or folder.
class UnknownPlayerError : public PlayerError {
  using PlayerError::PlayerError;
};

enum class PlayerKind : std::uint8_t {
  Random,     // random legal moves, no search
  Uniform,    // PUCT search in which every position is a draw and all priors are equal
  Net,        // PUCT search with a network
  Policy,     // the move with a network's highest prior, no search
  Material,   // PUCT search with material counts as values
  AlphaBeta,  // alpha-beta search with material and placement, or a fast network, as values
  Uci         // an external engine
};

struct PlayerSpec {
  PlayerKind kind = PlayerKind::Random;
  std::filesystem::path net = {};  // the checkpoint; empty unless kind is Net or Policy
  std::string name = {};  // for display: "random", "alphabeta?depth=4", the checkpoint's path
  /// Limits that this player has instead of the match's, if any is set.
  MoveLimits limits = {};
  std::optional<float> temperature = std::nullopt;    // instead of the match's
  std::optional<Precision> precision = std::nullopt;  // of its net, instead of the command's
  /// "cpuct=2.5", "table_mb=64": settings of its tree search (TreeSearchSettings) or its alpha-beta
  /// search (AlphaBetaParams), already checked.
  std::vector<std::string> search_settings = {};
  /// The file of the strategy that it follows (strategy/strategy_text.h), which is a valid one, if
  /// not for every variant; empty: none. Searches only.
  std::filesystem::path strategy = {};
  /// The file of the fast network (model/fast/) with which its alpha-beta search evaluates; empty:
  /// by material and placement.
  std::filesystem::path evaluation = {};
  std::string engine = {};  // Uci: what follows "uci:", for parse_uci_engine_spec()

  /// Whether it searches with PUCT, so that visits, evaluations and SearchParams apply.
  bool uses_tree_search() const {
    return kind == PlayerKind::Uniform || kind == PlayerKind::Net || kind == PlayerKind::Material;
  }
  /// Not alphabeta-1, which stays as it is.
  bool can_follow_strategy() const;
  bool uses_net() const { return kind == PlayerKind::Net || kind == PlayerKind::Policy; }
  /// Whether a move needs limits at all.
  bool needs_limits() const { return kind != PlayerKind::Random && kind != PlayerKind::Policy; }
};

inline constexpr const char* kPlayerHelp =
    "a net (runs/NAME/nets/000123.pt, or a bundle), a run's folder (its newest net), untrained:RUN "
    "(its net before training), policy:NET (the net's policy without search), uniform (search "
    "without a "
    "net), material (search with material counts), alphabeta?depth=4 (or nodes=, "
    "ms=; eval=RUN or eval=FILE: with that fast network), alphabeta-1 (the same opponent for "
    "ever), "
    "uci:COMMAND (an engine), or random; with own settings as in NET?visits=800&temperature=0.3 or "
    "NET?strategy=inferno-never-descend";

/// A player in the one form of all: "alphabeta?depth=4&table_mb=64" for the older form
/// "alphabeta:depth=4,table_mb=64", which files of earlier versions have.
std::string player_text(std::string_view text);

/// `text` has one of kPlayerHelp's forms; a run may also be named without the leading "runs/".
/// Throws PlayerError if it has none of them, the net does not exist, a setting is unknown or has a
/// value that is not allowed, or its strategy is not a file of one.
PlayerSpec find_player(std::string_view text);

/// Throws PlayerError if the player's strategy is impossible in the variant.
void check_strategy_of(const PlayerSpec& player, std::string_view variant);

/// The limits of a player: its own if it has any, else `match`'s. Throws PlayerError if none of
/// them applies to this kind of player, whose searches would not end.
MoveLimits limits_of(const PlayerSpec& player, const MoveLimits& match);
/// "100 visits", "5000 nodes or 1000 ms"; "" without limits.
std::string limits_text(const MoveLimits& limits);

}  // namespace faultline
