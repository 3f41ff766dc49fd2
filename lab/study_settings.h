// What a study compares (docs/studies.md). study_file.h reads it from its file, study_json.h writes
// it down beside its games.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "lab/opening_origin.h"
#include "lab/tournament_settings.h"
#include "strategy/family_behaviour.h"

namespace faultline {

/// The most visits per move that a study may have.
inline constexpr int kMostStudyVisits = 10'000'000;

/// Settings or files that do not make a study. The message names the file, line and key and what
/// would be valid.
class StudyError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What an arm searches with.
struct StudyNet {
  std::string label;
  std::string player;          // as in kPlayerHelp, with a run resolved to its net
  std::string variant = {};    // that a net plays, canonical; "": all
  std::string weights = {};    // a net's hash, hexadecimal
  bool shares_levels = false;  // and so plays every number of levels of its family
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

struct StudySettings {
  std::string title;
  std::string question;
  std::vector<std::string> variants;  // canonical
  std::vector<StudyNet> nets;         // of the arms without their own
  std::vector<int> visits;            // of each move
  std::vector<StudyArm> arms;
  std::vector<HabitText> behaviour;  // counted besides those of strategy/behaviour.h
  std::string openings = "random:6";
  int games = 400;            // of each comparison, at most; a multiple of look
  int look = 20;              // games between two looks at a comparison; even
  double alpha = 0.05;        // probability that any comparison is decided wrongly
  double indifference = 20;   // Elo that do not matter; 0: all do
  double temperature = 0;     // of the players' moves in the game's first temperature_plies
  int temperature_plies = 0;  // 0: the whole game
  int max_plies = 0;          // longer games are cut and count as draws; 0: by the family
  std::int64_t seed = 1;
  /// What openings come from, but for the players' own nets. Set by Study; empty also in studies of
  /// older programs.
  std::vector<OpeningOrigin> opening_origins = {};
};

/// Whether arms and nets may be called so: names become parts of file names and of players' texts.
bool is_plain_name(std::string_view name);

/// The keys that have one value each, bound to `settings`, which must outlive them.
std::vector<Option> options(StudySettings& settings);

/// Throws StudyError and what check(TournamentSettings) throws for settings that are not valid.
void check(const StudySettings& settings);
/// Checks the settings of a study whose games are only read: the file of openings may be gone.
void check_recorded(const StudySettings& settings);

/// A variant, a net and visits: its arms play a round robin of their own.
struct StudyCell {
  std::string variant;
  std::size_t net = 0;  // in StudySettings::nets
  int visits = 0;
  std::string name;   // for people: "inferno:levels=2, uniform, 50 visits"
  std::string place;  // for a folder: "inferno-levels-2_uniform_50"
};
std::vector<StudyCell> cells_of(const StudySettings& settings);

/// Comparisons: pairs of arms in all cells.
std::size_t comparisons_of(const StudySettings& settings);
/// When one ends: alpha is divided among all of them (Bonferroni).
SequentialTest sequential_test(const StudySettings& settings);

/// The round robin of a cell; the files of strategies are in `strategies`, as ARM.toml.
TournamentSettings tournament_of(const StudySettings& settings, const StudyCell& cell,
                                 const std::filesystem::path& strategies);

}  // namespace faultline
