// The settings of a survey, and the file that keeps them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/opening_origin.h"
#include "lab/run_match.h"

namespace faultline {

/// Settings or files that do not make a survey. The message names the field or file and what would
/// be valid.
class SurveyError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct SurveyedVariant {
  std::string variant;  // canonical name
  /// Who plays both sides, as in kPlayerHelp: a net of this variant, "uniform" or "material".
  std::string player;
  /// A net's hash, hexadecimal: games of two nets must not be mixed. Empty in surveys of other
  /// players, and of older programs.
  std::string weights = {};
  friend bool operator==(const SurveyedVariant&, const SurveyedVariant&) = default;
};

struct SurveySettings {
  std::vector<SurveyedVariant> variants = {};
  std::vector<std::int64_t> visits = {50, 200};  // ascending; each has games of its own
  int games = 100;                               // of each variant at each number of visits; even
  std::string openings = "random:0";             // kOpeningsHelp; the variant's start
  double temperature = 0.5;                      // above 0
  int temperature_plies = 0;                     // 0: the whole game
  int max_plies = 0;                             // 0: by the family
  bool search_defaults = false;
  std::vector<std::string> search_settings = {};
  std::int64_t perft_nodes = 10'000'000;  // of the deepest perft
  int playouts = 500;                     // of random moves
  std::int64_t seed = 1;
  /// What openings come from, but for the players' own nets. Set by Survey; empty also in surveys
  /// of older programs.
  std::vector<OpeningOrigin> opening_origins = {};

  int planned_games() const;
};

/// The players for `variants` (empty: those of the nets): of each the one of `nets` that is a net
/// of it, else `evaluator`. Throws SurveyError for a net that is of none of the variants or is not
/// a net, for two nets of one variant, and for variants that are given twice; PlayerError,
/// CheckpointError, VariantError.
std::vector<SurveyedVariant> assign_players(const std::vector<std::string>& variants,
                                            const std::vector<std::string>& nets,
                                            std::string_view evaluator);

/// Throws SurveyError, PlayerError, OpeningError, VariantError or std::invalid_argument for
/// settings that are not valid.
void check(const SurveySettings& settings);
/// Checks the settings of a survey whose games are only read: players and a file of openings may be
/// gone.
void check_recorded(const SurveySettings& settings);
/// The match of a variant with itself at one number of visits, with the seed but without threads.
MatchSetup match_setup(const SurveySettings& settings, std::size_t variant, std::size_t visits);

nlohmann::ordered_json to_json(const SurveySettings& settings);
/// Keys that are missing keep their defaults, except for variants. `source` names the file in
/// messages. Throws SurveyError for a key that is unknown or has the wrong type.
SurveySettings survey_from_json(const nlohmann::ordered_json& json, const std::string& source);
/// Throws SurveyError if the file cannot be read.
SurveySettings read_survey(const std::filesystem::path& file);

/// Throws SurveyError if the file of a net has other weights than `settings` says.
void check_weights(const SurveySettings& settings);

/// Throws SurveyError that names the first setting in which `given` differs from `stored`, the
/// survey's own; more games are possible, and origins of openings are left to check_origins().
/// `source` names the file.
void check_same(const SurveySettings& stored, const SurveySettings& given,
                const std::string& source);

}  // namespace faultline
