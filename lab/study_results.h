// What a study has found so far, from its recorded games.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lab/elo.h"
#include "lab/sequential_test.h"
#include "lab/study_settings.h"
#include "play/game_text.h"
#include "strategy/behaviour.h"

namespace faultline {

/// Two arms of one cell. Scores are the first one's. Only looks that were completed count: short
/// games end first, and part of a look would have too many of them.
struct Comparison {
  std::size_t cell = 0;
  std::array<std::size_t, 2> arms{};  // in StudySettings::arms
  PairCounts pairs{};                 // by the first arm's points
  PairCounts white_pairs{};           // the same pairs by White's
  Score score;                        // of the first arm
  std::int64_t plies = 0;
  int cut = 0;                         // at the ply limit, of the draws
  std::map<std::string, int> endings;  // "checkmate" …: games
  std::array<SideBehaviour, 2> behaviour;
  SequentialDecision decision = SequentialDecision::None;
  /// Contain the scores of all comparisons at once, at any time, with probability 1 - alpha.
  Interval score_interval{0, 1};

  int games() const { return score.games(); }
  double mean_score() const;
  double draw_share() const;
  double mean_plies() const;
};

/// An arm among all arms of a cell, by the model of lab/rating.h, which draws on all of the cell's
/// games at once. Ratings and intervals are for one look at this arm alone: they decide nothing.
struct Standing {
  std::size_t arm = 0;  // in StudySettings::arms
  Score score;          // against all others
  double elo = 0;       // above the reference, whose own is 0
  Interval elo_95{0, 0};
};

/// A difference between two cells that differ in one thing only: the same comparison has scores
/// whose intervals do not overlap.
struct Contrast {
  std::size_t low = 0;   // comparison with the lower score
  std::size_t high = 0;  // and with the higher one
};

struct StudyResults {
  StudySettings settings;
  std::vector<StudyCell> cells;
  std::vector<BehaviourNames> names;  // of the cells
  std::vector<Comparison> comparisons;
  std::vector<Contrast> contrasts;
  std::vector<std::vector<Standing>> standings;  // of each cell with games, best first
  std::vector<std::string> notices;              // what could not be read

  int games() const;
  int decided() const;
  /// The arm that ratings are relative to: the first one that plays without a strategy, or else the
  /// first one.
  std::size_t reference() const;
  /// What an arm did in a cell, against all others.
  SideBehaviour behaviour_of(std::size_t cell, std::size_t arm) const;
  /// White's score in a cell, with an interval that holds at any time with probability 95 %.
  double white_score(std::size_t cell) const;
  Interval white_interval(std::size_t cell) const;
};

/// A game that counts.
struct StudyGame {
  std::size_t number = 0;      // from 0, in the order of the folder's files
  std::size_t comparison = 0;  // in StudyResults::comparisons
  TextGame game;
};

/// Reads a study's folder, whose games may still be played. `on_game`, unless null, is called with
/// each game that counts. Throws ExperimentError.
StudyResults study_results(const std::filesystem::path& folder,
                           const std::function<void(const StudyGame&)>& on_game = nullptr);
/// The games of these numbers, in order.
std::vector<StudyGame> study_games(const std::filesystem::path& folder,
                                   const StudySettings& settings,
                                   const std::set<std::size_t>& numbers);

}  // namespace faultline
