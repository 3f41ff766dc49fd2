// Tournaments: many matches, recorded game by game, and continued where they were interrupted.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "lab/pairings.h"
#include "lab/rating_games.h"
#include "lab/run_match.h"
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

/// Both may be called from any of the tournament's threads, on_game one call at a time.
struct TournamentHooks {
  std::function<void(const GamePlace&, const TextGame&)> on_game = nullptr;
  std::function<bool()> stop = nullptr;  // true ends the tournament and drops games in progress
};

/// A folder with the settings, tournament.json, and the games, games.pgn. Nothing else is kept:
/// what remains to be played follows from the two.
class Tournament {
 public:
  /// Creates the folder, or continues what is in it. Throws what check(TournamentSettings) throws,
  /// TournamentError for a folder with a tournament of other settings, OpeningError if what its
  /// openings come from was changed, and GameTextError.
  Tournament(TournamentSettings settings, const std::filesystem::path& folder);

  const TournamentSettings& settings() const { return settings_; }
  /// With the schedule "sequential": as far as can be known, for pairings end when they are
  /// decided.
  int planned_games() const;
  int finished_games() const { return static_cast<int>(games_.played().size()); }
  bool complete() const { return finished_games() == planned_games(); }
  /// Whether an incomplete last game was dropped, which a killed process leaves.
  bool repaired() const { return games_.repaired(); }

  /// Parts of the schedule that are played one after the other: the rounds, where the games of one
  /// depend on the results of those before, else one.
  int stages() const;
  /// Whether all games of the stage were played; those of the stages before must have been.
  bool has_played(int stage) const { return missing(this->stage(stage)).empty(); }
  /// Plays what is missing, on `threads` threads (0: one per core). The same settings give the same
  /// games, however often it was interrupted, if the players are deterministic and evaluate each
  /// position independently. Throws what run_match throws.
  void play(PlayerResources& resources, int threads, const TournamentHooks& hooks = {});
  /// The same for one stage, after those before.
  void play_stage(int stage, PlayerResources& resources, int threads,
                  const TournamentHooks& hooks = {});
  /// With the schedule "sequential": the pairings in the order of round_robin(), and of each the
  /// pairs of games whose both games count, in the first `stages` stages.
  std::vector<PairCounts> pair_counts(int stages) const;

  /// The results so far, with all players.
  RatingGames results() const;

 private:
  /// What a bout lacks.
  struct Remainder {
    Bout bout;
    std::vector<int> pairs;  // numbers within the bout, ascending; at least one
  };

  int bouts_per_round() const;
  /// The bouts of a stage, all of which can be played at the same time. With pairing by information
  /// and sequential tests they follow from the results of the stages before, which must be
  /// complete.
  std::vector<Bout> stage(int number) const;
  std::vector<Bout> sequential_stage(int number) const;
  std::vector<Bout> informative_stage(int number) const;
  /// Checks that the games of these bouts are between their players.
  void check_played(const std::vector<Bout>& bouts) const;
  std::vector<Remainder> missing(const std::vector<Bout>& bouts) const;
  /// As one match, with all its games at once.
  void play_remainder(const Remainder& remainder, PlayerResources& resources, int threads,
                      const TournamentHooks& hooks);
  RatingGames results_before(int bout) const;
  const std::string& name(int player) const {
    return settings_.players[static_cast<std::size_t>(player)].name;
  }

  TournamentSettings settings_;
  TournamentGames games_;
  std::mutex mutex_;  // guards games_ during play()
};

}  // namespace faultline
