// What a study compares (docs/studies.md). study_file.h reads it from its file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "lab/experiment.h"
#include "lab/tournament_settings.h"
#include "strategy/family_behaviour.h"

namespace faultline {

/// What an arm searches with.
struct StudyNet {
  std::string label;
  std::string player;          // as in kPlayerHelp, with a run resolved to its net
  std::string variant = {};    // that a net plays, canonical; "": all
  std::string weights = {};    // PlayerInUse::weights
  bool shares_levels = false;  // and so plays every number of levels of its family
  bool counts_visits = true;   // else its limits are its own, in `player`
  bool plays(const std::string& canonical) const;
  friend bool operator==(const StudyNet&, const StudyNet&) = default;
};

/// A way of playing.
struct StudyArm {
  std::string name;
  std::string strategy = {};                   // the text of its strategy's file; "": plain play
  std::optional<StudyNet> net = std::nullopt;  // of its own, instead of the cell's
  friend bool operator==(const StudyArm&, const StudyArm&) = default;
};

/// Of how games are played: openings, temperature, longest games, which count as draws, and seed.
struct StudySettings : GameSettings {
  std::string title;
  std::string question;
  std::vector<std::string> variants;  // canonical
  std::vector<StudyNet> nets;         // of the arms without their own
  std::vector<std::int64_t> visits;   // of each move
  std::vector<StudyArm> arms;
  std::vector<HabitText> behaviour;  // counted besides those of strategy/behaviour.h
  int games = 400;                   // of each comparison, at most; a multiple of look
  int look = 20;                     // games between two looks at a comparison; even
  double alpha = 0.05;               // probability that any comparison is decided wrongly
  double indifference = 20;          // Elo that do not matter; 0: all do

  static const ExperimentKind& kind();
  /// Reads what to_json() wrote; does not check(). Throws ExperimentError.
  static StudySettings from_json(const nlohmann::ordered_json& json, const std::string& source);
};

/// Whether arms and nets may be called so: names become parts of file names and of players' texts.
bool is_plain_name(std::string_view name);

/// All settings but nets, arms and behaviour, whose lists are of objects, bound to `settings`.
std::vector<Option> options(StudySettings& settings);
std::vector<PlayerInUse> players_of(StudySettings& settings);
nlohmann::ordered_json to_json(const StudySettings& settings);

/// Throws ExperimentError and what check(TournamentSettings) throws for settings that are not
/// valid.
void check(const StudySettings& settings);
/// Checks the settings of a study whose games are only read: the file of openings may be gone.
void check_recorded(const StudySettings& settings);

/// A variant, a net and visits: its arms play a round robin of their own.
struct StudyCell {
  std::string variant;
  std::size_t net = 0;  // in StudySettings::nets
  int visits = 0;       // 0: all arms have limits of their own
  std::string name;     // for people: "inferno:levels=2, uniform, 50 visits"
  std::string place;    // for a folder: "inferno-levels-2_uniform_50"
};
std::vector<StudyCell> cells_of(const StudySettings& settings);
/// Whether anyone's searches are limited by StudySettings::visits.
bool counts_visits(const StudySettings& settings);

/// Comparisons: pairs of arms in all cells.
std::size_t comparisons_of(const StudySettings& settings);
/// When one ends: alpha is divided among all of them (Bonferroni).
SequentialTest sequential_test(const StudySettings& settings);

/// The round robin of a cell; the files of strategies are in `strategies`, as ARM.toml.
TournamentSettings tournament_of(const StudySettings& settings, const StudyCell& cell,
                                 const std::filesystem::path& strategies);

}  // namespace faultline
