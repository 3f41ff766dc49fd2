// Surveys: games of variants against themselves, recorded and continued, and what they say of the
// variants (docs/surveys.md).
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "lab/run_match.h"
#include "lab/tournament_games.h"
#include "survey/survey_settings.h"

namespace faultline {

/// Functions that Survey::play() calls, each from any of its threads, on_game and on_finished one
/// call at a time.
struct SurveyHooks {
  /// A game of a variant at a number of visits, by their places in the settings, was recorded: when
  /// it and those before it have ended, or the survey was stopped.
  std::function<void(std::size_t variant, std::size_t visits)> on_game = nullptr;
  /// One that was not there before has ended, in any order.
  std::function<void(std::size_t variant, std::size_t visits)> on_finished = nullptr;
  std::function<bool()> stop = nullptr;  // true ends the survey and drops games in progress
};

/// A folder with the settings, survey.json, and the games, games.pgn. What remains to be played
/// follows from the two.
class Survey {
 public:
  /// Creates the folder, or continues what is in it. Throws what check(SurveySettings) throws,
  /// SurveyError for a folder with a survey of other settings, OpeningError if what its openings
  /// come from was changed, TournamentError and GameTextError for its games.
  Survey(SurveySettings settings, const std::filesystem::path& folder);

  const SurveySettings& settings() const { return settings_; }
  int finished_games() const { return static_cast<int>(games_.played().size()); }
  bool complete() const { return finished_games() == settings_.planned_games(); }
  /// Whether an incomplete last game was dropped, which a killed process leaves.
  bool repaired() const { return games_.repaired(); }
  /// Games that were played of a variant at a number of visits.
  int finished_games(std::size_t variant, std::size_t visits) const;

  /// Plays what is missing, on `threads` threads (0: one per core). The same settings give the same
  /// games, however often it was interrupted, if the network evaluates each position independently.
  /// Throws what run_match throws.
  void play(PlayerResources& resources, int threads, const SurveyHooks& hooks = {});

 private:
  int bout(std::size_t variant, std::size_t visits) const {
    return static_cast<int>(variant * settings_.visits.size() + visits);
  }
  void play_missing(std::size_t variant, std::size_t visits, PlayerResources& resources,
                    int threads, const SurveyHooks& hooks);

  SurveySettings settings_;
  TournamentGames games_;
};

/// The files of a survey's folder.
std::filesystem::path survey_settings_file(const std::filesystem::path& folder);
std::filesystem::path survey_games_file(const std::filesystem::path& folder);
std::filesystem::path survey_results_file(const std::filesystem::path& folder);

}  // namespace faultline
