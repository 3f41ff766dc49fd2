// The games of a match and its result so far.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lab/elo.h"
#include "lab/match_config.h"
#include "lab/sprt.h"
#include "play/game_text.h"
#include "rules/types.h"

namespace faultline {

/// How a game of a match ended.
enum class MatchEnding : std::uint8_t {
  Rules,        // by the rules
  Adjudicated,  // MatchConfig::adjudication
  Cut,          // at max_plies
  Forfeit       // a player failed: see MatchGame::failure
};

/// "rules", "adjudicated", "cut", "forfeit".
constexpr std::string_view name(MatchEnding ending) {
  constexpr std::array<std::string_view, 4> kNames = {"rules", "adjudicated", "cut", "forfeit"};
  return kNames[static_cast<std::size_t>(ending)];
}

/// What became of the limits of a player's strategy.
struct StrategyUse {
  bool follows = false;           // whether the player has a strategy
  std::int64_t moves = 0;         // that it searched
  std::int64_t lifted = 0;        // of those, where its limits forbade every legal move
  std::int64_t lifted_below = 0;  // SearchResult::lifted_below

  StrategyUse& operator+=(const StrategyUse& other);
};

/// A finished game.
struct MatchGame {
  int number = 0;                       // from 0; games 2i and 2i + 1 are a pair
  Colour first_colour = Colour::White;  // the first player's
  std::string start_fen;                // "" for the variant's start
  std::vector<std::string> opening;
  std::uint64_t opening_key = 0;      // of the position after the opening
  std::vector<std::string> moves;     // after the opening
  std::vector<MoveComment> comments;  // one per move
  /// Outcome::Adjudicated for games that were cut or adjudicated as draws.
  Outcome outcome = Outcome::Ongoing;
  MatchEnding ending = MatchEnding::Rules;
  std::string failure;                      // what happened to the loser, if it failed
  std::array<StrategyUse, 2> strategies{};  // the first player's, the second's

  int plies() const { return static_cast<int>(opening.size() + moves.size()); }
  int first_score() const { return score_for(outcome, first_colour); }
};

/// A game that a player lost because it failed.
struct Forfeit {
  int game = 0;
  int player = 0;  // 0: the first
  std::string reason;
};

/// The result so far; all counts are for the first player. Games that were cut are in `score()` and
/// `tally` only if MatchConfig::cut says so.
struct MatchResult {
  std::array<Score, 2> by_colour;  // of the first player as White, as Black
  std::array<int, 8> endings{};    // by Outcome, of all games that ended by the rules
  int adjudicated_wins = 0;        // and losses
  int adjudicated_draws = 0;
  int cut = 0;
  bool cut_are_draws = false;
  std::vector<Forfeit> forfeits;
  PairTally tally;  // games whose partner does not count (yet) count as single
  /// Pairs in the order of their numbers from the first without a gap: what the SPRT is based on.
  /// Those with a game that does not count are left out.
  PairCounts sprt_pairs{};
  std::optional<SprtState> sprt = std::nullopt;  // of MatchConfig::sprt
  std::int64_t plies = 0;                        // of all games, openings included
  int finished = 0;                              // games
  int openings = 0;                              // different positions after their openings
  int planned_games = 0;
  std::array<StrategyUse, 2> strategies{};        // the first player's, the second's
  std::array<int, 2> games_with_lifted_limits{};  // for a move of the player

  /// Whether all games were played or the SPRT is decided.
  bool complete() const {
    return finished == planned_games || (sprt && sprt->decision != SprtDecision::None);
  }
  Score score() const;
  int ended(Outcome outcome) const { return endings.at(static_cast<std::size_t>(outcome)); }
  int mates() const { return ended(Outcome::WhiteWins) + ended(Outcome::BlackWins); }
  int forfeits_of(int player) const;
  double mean_plies() const;
};

/// Called from any of the match's threads, one call at a time except for `stop`.
struct MatchHooks {
  /// Games in the order of their numbers, each with the result of these games: it is called when
  /// all games of the match with lower numbers have ended, or it was stopped.
  std::function<void(const MatchGame&, const MatchResult&)> on_game = nullptr;
  /// A game has ended, in any order; the result of all that have.
  std::function<void(const MatchResult&)> on_progress = nullptr;
  /// Called once per batch; true ends the match and drops the games in progress.
  std::function<bool()> stop = nullptr;
};

/// Adds up finished games.
class MatchCounter {
 public:
  explicit MatchCounter(const MatchConfig& config);
  /// Games in any order.
  void add(const MatchGame& game);
  /// Evaluates the SPRT: to be called with pairs in the order of their numbers.
  void add_pair_to_sprt(int pair);
  const MatchResult& result() const { return result_; }

 private:
  static constexpr int kNotPlayed = -1;
  static constexpr int kNotCounted = -2;

  MatchConfig config_;
  MatchResult result_;
  std::vector<int> twice_points_;  // by the games' places
  std::unordered_set<std::uint64_t> openings_;
};

/// Puts the games of all threads in order, and ends the match when its SPRT is decided. Since the
/// test sees pairs in the order of their numbers, it ends with the same games at any number of
/// threads; games with higher numbers that end before are dropped. Thread-safe.
class MatchLedger {
 public:
  /// `hooks` must outlive it.
  MatchLedger(const MatchConfig& config, const MatchHooks& hooks);
  void add(MatchGame game);
  bool decided() const { return decided_; }
  /// Counts what is left after a match that was stopped, and returns the result.
  MatchResult finish();

 private:
  /// Counts the first of the games that are waiting.
  void release();

  const MatchConfig config_;
  const MatchHooks& hooks_;
  std::atomic<bool> decided_{false};
  std::mutex mutex_;                  // guards the following and the calls of hooks
  MatchCounter all_;                  // every game that has ended
  MatchCounter in_order_;             // those that were passed on
  std::map<int, MatchGame> waiting_;  // by their places
  int next_ = 0;                      // the place of the game to be passed on next
  bool gap_ = false;                  // games were left out: the SPRT goes no further
};

}  // namespace faultline
