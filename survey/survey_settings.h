// The settings of a survey, and the file that keeps them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/experiment.h"
#include "lab/game_settings.h"

namespace faultline {

struct SurveyedVariant {
  std::string variant;  // canonical name
  /// Who plays both sides, as in kPlayerHelp: a net of this variant, "uniform", "material" or
  /// "alphabeta", also with a fast network of it.
  std::string player;
  std::string weights = {};   // PlayerInUse::weights
  bool counts_visits = true;  // else SurveySettings::visits are nodes of an alpha-beta search
  friend bool operator==(const SurveyedVariant&, const SurveyedVariant&) = default;
};

/// Of how games are played: openings, temperature, longest games, search settings and seed.
struct SurveySettings : GameSettings {
  SurveySettings();  // from the variant's start, at a temperature of 0.5

  std::vector<SurveyedVariant> variants = {};
  std::vector<std::int64_t> visits = {50, 200};  // ascending; each has games of its own
  int games = 100;                               // of each variant at each number of visits; even
  std::int64_t perft_nodes = 10'000'000;         // of the deepest perft
  int playouts = 500;                            // of random moves

  int planned_games() const;
  static const ExperimentKind& kind();
  /// Keys that are missing keep their defaults, except for variants. `source` names the file in
  /// messages. Throws ExperimentError for a key that is unknown or has the wrong type.
  static SurveySettings from_json(const nlohmann::ordered_json& json, const std::string& source);
};

/// All settings but variants, whose list is of objects, bound to `settings`.
std::vector<Option> options(SurveySettings& settings);
std::vector<PlayerInUse> players_of(SurveySettings& settings);

/// "200 visits", or "200 nodes" where they are not counted.
std::string limit_text(std::int64_t visits, bool counts_visits);
/// Whether any player searches so many visits, or so many nodes.
bool counts_visits(const SurveySettings& settings);
bool counts_nodes(const SurveySettings& settings);

/// The players for `variants` (empty: those of the nets): of each the one of `nets` that is a net
/// of it, or an alpha-beta search with a fast one, else `evaluator`. Throws ExperimentError for a
/// net that is of none of the variants or is not a net, for two nets of one variant, and for
/// variants that are given twice; PlayerError, CheckpointError, VariantError.
std::vector<SurveyedVariant> assign_players(const std::vector<std::string>& variants,
                                            const std::vector<std::string>& nets,
                                            std::string_view evaluator);

/// Throws ExperimentError, PlayerError, OpeningError, VariantError or std::invalid_argument for
/// settings that are not valid.
void check(const SurveySettings& settings);
/// Checks the settings of a survey whose games are only read: players and a file of openings may be
/// gone.
void check_recorded(const SurveySettings& settings);
/// The match of a variant with itself at one number of visits, with the seed but without threads.
MatchSetup match_setup(const SurveySettings& settings, std::size_t variant, std::size_t visits);

nlohmann::ordered_json to_json(const SurveySettings& settings);
/// Throws ExperimentError if the file cannot be read.
SurveySettings read_survey(const std::filesystem::path& file);

}  // namespace faultline
