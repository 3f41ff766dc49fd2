// Tournaments: many matches, recorded game by game, and continued where they were interrupted.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

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

/// A folder with the settings, tournament.json, and the games, games.pgn. Nothing else is kept:
/// what remains to be played follows from the two.
class Tournament {
 public:
  /// Creates the folder, or continues what is in it. Throws what check(TournamentSettings) and
  /// enter_folder() throw, and GameTextError.
  Tournament(TournamentSettings settings, const std::filesystem::path& folder);

  const TournamentSettings& settings() const { return settings_; }
  /// The number of games; with the schedule "sequential" the most that there can be, because
  /// pairings end when they are decided.
  int planned_games() const;
  int finished_games() const { return games_.finished(); }
  bool complete() const { return finished_games() == planned_games(); }
  /// TournamentGames::repaired().
  std::vector<std::filesystem::path> repaired() const { return games_.repaired(); }

  /// Parts of the schedule that are played one after the other: the rounds, where the games of one
  /// depend on the results of those before, else one.
  int stages() const;
  /// How many stages were played, from the first one.
  int played_stages() const { return played_stages_; }
  /// Plays what is missing, on `threads` threads (0: one per core). The same settings give the same
  /// games, however often it was interrupted, if the players are deterministic and evaluate each
  /// position independently. Throws what run_match throws.
  void play(PlayerResources& resources, int threads, const ExperimentHooks& hooks = {});
  /// Plays one stage, which must follow those that were played.
  void play_stage(int stage, PlayerResources& resources, int threads,
                  const ExperimentHooks& hooks = {});
  /// How many pairings, with the schedule "sequential", are decided by the stages that were played.
  int decided_pairings() const;

  /// The results so far, with all players.
  RatingGames results() const;

 private:
  int bouts_per_round() const;
  /// The bouts of a stage, all of which can be played at the same time. With pairing by information
  /// and sequential tests they follow from the results of the stages before, which must have been
  /// played.
  std::vector<Bout> stage(int number) const;
  /// Those of a round that are not decided.
  std::vector<Bout> round(int number) const;
  std::vector<Bout> informative_stage(int number) const;
  /// Goes on to the first stage that lacks games, and learns the results of those before. Each
  /// stage is looked at once. Returns the number of games in the stages that it came to.
  std::size_t advance();
  /// Adds the results of the stage that was played to pair_counts_, and decides.
  void learn_results();
  /// Checks that the games of these bouts are between their players; returns how many they are.
  std::size_t check_played(const std::vector<Bout>& bouts) const;
  /// Those of the bouts that lack games.
  std::vector<Bout> missing(const std::vector<Bout>& bouts) const;
  BoutGames games_of(const Bout& bout) const;
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
};

}  // namespace faultline
