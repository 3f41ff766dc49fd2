// Surveys: games of variants against themselves, recorded and continued, and what they say of the
// variants (docs/surveys.md).
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "lab/tournament_games.h"
#include "survey/survey_settings.h"

namespace faultline {

/// A folder with the settings, survey.json, and the games, games.pgn. What remains to be played
/// follows from the two.
class Survey {
 public:
  /// Creates the folder, or continues what is in it. Throws what check(SurveySettings) and
  /// enter_folder() throw, and GameTextError.
  Survey(SurveySettings settings, const std::filesystem::path& folder);

  const SurveySettings& settings() const { return settings_; }
  int planned_games() const { return settings_.planned_games(); }
  int finished_games() const { return games_.finished(); }
  bool complete() const { return finished_games() == planned_games(); }
  /// TournamentGames::repaired().
  std::vector<std::filesystem::path> repaired() const { return games_.repaired(); }
  /// Games that were played of a variant at a number of visits.
  int finished_games(std::size_t variant, std::size_t visits) const;

  /// Plays what is missing, on `threads` threads (0: one per core). The same settings give the same
  /// games, however often it was interrupted, if the network evaluates each position independently.
  /// Work is in visits per move, summed over games. Throws what run_match throws.
  void play(PlayerResources& resources, int threads, const ExperimentHooks& hooks = {});

 private:
  int bout(std::size_t variant, std::size_t visits) const {
    return static_cast<int>(variant * settings_.visits.size() + visits);
  }

  SurveySettings settings_;
  TournamentGames games_;
};

/// The files of a survey's folder.
std::filesystem::path survey_settings_file(const std::filesystem::path& folder);
std::filesystem::path survey_games_file(const std::filesystem::path& folder);
std::filesystem::path survey_results_file(const std::filesystem::path& folder);

}  // namespace faultline
