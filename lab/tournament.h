// Tournaments: many matches, recorded game by game, and continued where they were interrupted.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "lab/elo.h"
#include "lab/pairings.h"
#include "lab/rating_games.h"
#include "lab/run_match.h"
#include "lab/sequential_test.h"
#include "lab/tournament_games.h"
#include "lab/tournament_settings.h"

namespace faultline {

/// Games of one pairing, one after the other in the schedule.
struct Bout {
  int number = 0;  // from 0
  Pairing players;
  int first_pair = 0;  // number of pairs of games that the players have before
  int pairs = 0;
};

/// All may be called from any of the tournament's threads, on_game one call at a time.
struct TournamentHooks {
  /// A game was recorded: when it and the earlier ones of its bout have ended, or it was stopped.
  std::function<void(const GamePlace&, const TextGame&)> on_game = nullptr;
  /// A game of a bout between these players has ended, in any order, which was not there before;
  /// the first one's score in the games of the bout that have ended in this session.
  std::function<void(const std::array<std::string, 2>&, const Score&)> on_finished = nullptr;
  std::function<bool()> stop = nullptr;  // true ends the tournament and drops games in progress
};

/// "A - B +3 =2 -1".
std::string bout_text(const std::array<std::string, 2>& players, const Score& score);

/// A folder with the settings, tournament.json, and the games, games.pgn. Nothing else is kept:
/// what remains to be played follows from the two.
class Tournament {
 public:
  /// Creates the folder, or continues what is in it. Throws what check(TournamentSettings) throws,
  /// TournamentError for a folder with a tournament of other settings or of nets that had other
  /// weights, OpeningError if what its openings come from was changed, CheckpointError and
  /// GameTextError.
  Tournament(TournamentSettings settings, const std::filesystem::path& folder);

  const TournamentSettings& settings() const { return settings_; }
  /// The number of games; with the schedule "sequential" the most that there can be, because
  /// pairings end when they are decided.
  int planned_games() const;
  int finished_games() const { return static_cast<int>(games_.played().size()); }
  bool complete() const { return finished_games() == planned_games(); }
  /// Whether an incomplete last game was dropped, which a killed process leaves.
  bool repaired() const { return games_.repaired(); }

  /// Parts of the schedule that are played one after the other: the rounds, where the games of one
  /// depend on the results of those before, else one.
  int stages() const;
  /// How many stages were played, from the first one.
  int played_stages() const { return played_stages_; }
  /// Plays what is missing, on `threads` threads (0: one per core). The same settings give the same
  /// games, however often it was interrupted, if the players are deterministic and evaluate each
  /// position independently. Throws what run_match throws.
  void play(PlayerResources& resources, int threads, const TournamentHooks& hooks = {});
  /// Plays one stage, which must follow those that were played.
  void play_stage(int stage, PlayerResources& resources, int threads,
                  const TournamentHooks& hooks = {});
  /// How many pairings, with the schedule "sequential", are decided by the stages that were played.
  int decided_pairings() const;

  /// The results so far, with all players.
  RatingGames results() const;

 private:
  /// What a bout lacks.
  struct Remainder {
    Bout bout;
    std::vector<int> pairs;  // numbers within the bout, ascending; at least one
    int games = 0;           // of these pairs, that are not there
  };

  int bouts_per_round() const;
  /// The bouts of a stage, all of which can be played at the same time. With pairing by information
  /// and sequential tests they follow from the results of the stages before, which must have been
  /// played.
  std::vector<Bout> stage(int number) const;
  std::vector<Bout> sequential_stage(int number) const;
  std::vector<Bout> informative_stage(int number) const;
  /// Goes on to the first stage that lacks games, and learns the results of those before. Each
  /// stage is looked at once. Returns the number of games in the stages that it came to.
  std::size_t advance();
  /// Adds the results of the stage that was played to pair_counts_, and decides.
  void learn_results();
  /// Checks that the games of these bouts are between their players; returns how many they are.
  std::size_t check_played(const std::vector<Bout>& bouts) const;
  std::vector<Remainder> missing(const std::vector<Bout>& bouts) const;
  /// Plays what is left of a pairing as one match, with all its games at once.
  void play_remainder(const Remainder& remainder, PlayerResources& resources, int threads,
                      const TournamentHooks& hooks);
  RatingGames results_before(int bout) const;
  const std::string& name(int player) const {
    return settings_.players[static_cast<std::size_t>(player)].name;
  }

  TournamentSettings settings_;
  TournamentGames games_;
  // What follows from the games of the stages that were played, and the stage after them.
  int played_stages_ = 0;
  int played_bouts_ = 0;
  std::vector<Bout> bouts_;                    // of the stage after them; none if there is none
  std::vector<PairCounts> pair_counts_;        // schedule "sequential": of the pairings
  std::vector<SequentialDecision> decisions_;  // the same
  std::mutex mutex_;                           // guards games_ during play()
};

}  // namespace faultline
