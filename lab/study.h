// Studies: ways of playing against each other, at several variants, nets and visit counts, until
// every comparison is decided.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "lab/study_settings.h"
#include "lab/tournament.h"

namespace faultline {

/// A folder:
///   study.toml             the file that the study was begun with, for people
///   study.json             all settings, with the strategies' texts
///   strategies/ARM.toml    the strategies that the arms follow
///   games/CELL/            a sequential tournament each: tournament.json, games.pgn
///   results.json           written at the end of each session
class Study {
 public:
  /// Creates the folder, or continues what is in it. `toml`: the text for study.toml, which is kept
  /// if the folder has one; "": none. Throws ExperimentError for a strategy's file that was
  /// changed, and what check(), enter_folder() and Tournament throw.
  Study(StudySettings settings, const std::filesystem::path& folder, const std::string& toml);

  const StudySettings& settings() const { return settings_; }
  const std::vector<StudyCell>& cells() const { return cells_; }
  /// The number of games that are played at most; comparisons that are decided need fewer.
  int planned_games() const;
  int finished_games() const;
  int decided_comparisons() const;
  bool complete() const;
  /// TournamentGames::repaired() of all cells.
  std::vector<std::filesystem::path> repaired() const;

  /// Plays what is missing, one look of all cells after the other, on `threads` threads (0: one per
  /// core). The same settings give the same games, however often it was interrupted, under
  /// Tournament::play()'s conditions.
  void play(PlayerResources& resources, int threads, const ExperimentHooks& hooks = {});

 private:
  StudySettings settings_;
  std::filesystem::path folder_;
  std::vector<StudyCell> cells_;
  std::vector<std::unique_ptr<Tournament>> tournaments_;  // of the cells
};

/// Whether the folder is one of a study.
bool is_study(const std::filesystem::path& folder);
/// Reads a study's settings. Throws ExperimentError.
StudySettings load_study(const std::filesystem::path& folder);
/// The folder of a cell's games.
std::filesystem::path games_of(const std::filesystem::path& folder, const StudyCell& cell);

}  // namespace faultline
