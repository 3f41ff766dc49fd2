// Yardsticks: how well players play where the right move is known, or a judge values it. They need
// no opponent.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/options.h"
#include "lab/player_resources.h"
#include "lab/run_match.h"

namespace faultline {

/// In a folder: the result's document as JSON (docs/documents.md).
inline constexpr const char* kYardsticksFile = "yardsticks.json";

struct YardstickSettings {
  MoveLimits limits = {.visits = 100};   // of players without their own
  int endgames = 300;                    // positions, over all sets of pieces
  std::vector<std::string> pieces = {};  // the sets, as in "KRKB"; empty: by the game
  int puzzles = 160;                     // over all lengths
  int only_moves = 40;                   // positions
  int regret = 200;                      // positions
  std::string judge = {};                // a player; empty: by the game
  std::int64_t judge_nodes = 100'000;    // of the judge's searches, if it has no limits of its own
  std::int64_t seed = 1;
};
/// Bound to `settings`, which must outlive them.
std::vector<Option> options(YardstickSettings& settings);

/// Who is asked where no player is named: the game's ready networks (lab/ready_networks.h), the
/// policy/value network without search and with 100 and 800 visits, the fast one with 1 and 10 ms,
/// and players without networks. Throws VariantError.
std::vector<PlayerSpec> yardstick_players(const std::string& variant);
/// The settings' judge, or alpha-beta with the game's ready fast network, or else with material and
/// placement. Throws PlayerError, also for a player whose values say nothing about moves.
PlayerSpec judge_of(const YardstickSettings& settings, const std::string& variant);

inline constexpr std::array<int, 4> kMates = {2, 3, 4, 5};  // moves
using ByMate = std::array<int, kMates.size()>;

/// Answers of a kind, and how many of them were right.
struct RightAnswers {
  int right = 0;
  int all = 0;
};

/// One set of pieces, solved.
struct SolvedSet {
  std::string name;                           // "KRKB": White's pieces, then Black's
  std::int64_t won = 0, drawn = 0, lost = 0;  // positions, by the value for the side to move
  int longest = 0;                            // plies of the longest win
  std::array<int, 2> asked = {};              // positions asked about: won, drawn
};

struct PlayerYardsticks {
  std::string player;
  std::string limits;  // per move; "-" without
  /// Of won and of drawn positions, by set.
  std::vector<std::array<RightAnswers, 2>> kept = {};
  std::int64_t longer = 0;  // plies by which the wins that are kept became longer
  /// The sum over won and over drawn positions of how far its expected score is from the exact one,
  /// and how many they are: none if its values mean nothing.
  std::array<double, 2> value_errors = {};
  std::array<int, 2> valued = {};
  std::array<RightAnswers, kMates.size()> solved = {};  // mates, by length
  RightAnswers only_moves = {};
  std::vector<double> losses = {};  // of expected score, by position that was judged
  double seconds = 0;               // of all searches
  int moves = 0;
};

struct YardstickResult {
  std::string variant;
  YardstickSettings settings;
  std::vector<SolvedSet> sets = {};
  /// What a random move would keep on average, of won and of drawn positions that were asked about.
  std::array<double, 2> random_keeps = {};
  ByMate puzzles = {};               // by length
  std::int64_t puzzle_games = 0;     // games that were searched for them
  int only_moves = 0;                // positions in which the judge confirms one
  std::int64_t only_move_games = 0;  // games that were searched for them
  std::string judge;                 // the player and its limits: "alphabeta, 1000 nodes"
  int judged = 0;                    // positions
  std::vector<PlayerYardsticks> players = {};
  double seconds = 0;
  int threads = 1;
  bool stopped = false;
};

struct YardstickHooks {
  std::function<bool()> stop = nullptr;  // true ends the work with what is there
  /// `done` of `all` of a stage are ready; one call at a time, from any thread.
  std::function<void(const std::string& stage, int done, int all)> on_progress = nullptr;
};

/// Throws as run_match() does, before the work for players that cannot play, as judge_of() does,
/// and OptionError for sets of pieces that cannot be solved here.
YardstickResult run_yardsticks(const std::string& variant, const std::vector<PlayerSpec>& players,
                               const YardstickSettings& settings, int threads,
                               PlayerResources& resources, const YardstickHooks& hooks = {});

Document yardstick_document(const YardstickResult& result);

}  // namespace faultline
