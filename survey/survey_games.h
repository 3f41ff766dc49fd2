// The games of a survey, read from its folder, and which of them count.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lab/tournament_games.h"
#include "survey/game_facts.h"
#include "survey/survey_settings.h"

namespace faultline {

/// A survey's complete games, by the place in it that their Round tags say.
struct SurveyGames {
  std::map<GamePlace, TextGame> games;
  std::set<GamePlace> unreadable = {};  // of games that are in the file and cannot be read
  /// "FILE:LINE: REASON; game 1.2.1 is left out", one for each game that cannot be read.
  std::vector<std::string> notices = {};
};
/// Throws ExperimentError if there is no file, or one with more than a game written in part after
/// its complete games, or with games that are not of this survey.
SurveyGames read_survey_games(const SurveySettings& settings, const std::filesystem::path& folder);

/// The places of the games that count: in each match, those of the pairs before the first one that
/// is not complete. What ended after it are the shorter games of those that were played at the same
/// time. Games that are `unreadable` were played, but do not count themselves.
std::set<GamePlace> places_that_count(const std::set<GamePlace>& played,
                                      const std::set<GamePlace>& unreadable = {});

/// Games that count (places_that_count), with the place in the survey that their Round tags say.
struct PlacedGames {
  std::vector<std::vector<GameFacts>> facts;  // by bout, in the order of the games' numbers
  /// Of each, a number that is common to games from one opening: those of a pair, unless every game
  /// has its own.
  std::vector<std::vector<int>> pairs;
  int waiting = 0;                        // readable games that are left out
  int unreadable = 0;                     // games that cannot be read
  std::vector<std::string> notices = {};  // SurveyGames::notices
};
/// Replays a survey's games, on `threads` threads (0: one per core). Throws as read_survey_games()
/// does.
PlacedGames replay_games(const SurveySettings& settings, const std::filesystem::path& folder,
                         int threads);

/// What is said of games that were played and do not count: "1 game cannot be read, and the figures
/// are without it". Nothing of numbers that are 0.
std::vector<std::string> uncounted_notices(int unreadable, int waiting);

}  // namespace faultline
