// Plays, records and continues a survey.
#include "survey/survey.h"

#include <iterator>
#include <ranges>
#include <string>
#include <utility>

#include <fmt/core.h>

namespace faultline {
namespace {

namespace fs = std::filesystem;

std::string event_of(const SurveySettings& settings) {
  return fmt::format("faultline survey, seed {}", settings.seed);
}

/// The games file's path, once the folder has this survey's settings.
fs::path prepare(SurveySettings& settings, const fs::path& folder) {
  check(settings);
  enter_folder(settings, folder);
  return survey_games_file(folder);
}

}  // namespace

fs::path survey_settings_file(const fs::path& folder) {
  return folder / SurveySettings::kind().file;
}

fs::path survey_games_file(const fs::path& folder) {
  return folder / "games.pgn";
}

fs::path survey_results_file(const fs::path& folder) {
  return folder / "results.json";
}

Survey::Survey(SurveySettings settings, const fs::path& folder)
    : settings_(std::move(settings)), games_(prepare(settings_, folder), event_of(settings_)) {
  const int bouts = static_cast<int>(settings_.variants.size() * settings_.visits.size());
  for (const auto& [place, game] : games_.played())
    if (place.bout >= bouts || place.pair >= settings_.games / 2)
      throw ExperimentError(fmt::format("{}: has the game {}, which the settings do not have",
                                        survey_games_file(folder).string(), place.round()));
}

int Survey::finished_games(std::size_t variant, std::size_t visits) const {
  return static_cast<int>(std::ranges::distance(games_.of_bout(bout(variant, visits))));
}

void Survey::play(PlayerResources& resources, int threads, const ExperimentHooks& hooks) {
  for (std::size_t visits = 0; visits < settings_.visits.size(); ++visits)
    for (std::size_t variant = 0; variant < settings_.variants.size(); ++variant) {
      const SurveyedVariant& surveyed = settings_.variants[variant];
      const std::string at = limit_text(settings_.visits[visits], surveyed.counts_visits);
      const std::string name = fmt::format("{}, {}", surveyed.player, at);
      games_.play_missing({.bout = bout(variant, visits),
                           .pairs = settings_.games / 2,
                           .names = {name, name},
                           .setup = match_setup(settings_, variant, visits),
                           .title = fmt::format("{} at {}", surveyed.variant, at),
                           .work = static_cast<double>(settings_.visits[visits])},
                          resources, threads, hooks);
    }
}

}  // namespace faultline
