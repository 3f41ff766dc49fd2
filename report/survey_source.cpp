// Reports of surveys.
#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/json_text.h"
#include "base/text.h"
#include "base/unreadable_file.h"
#include "lab/tournament_games.h"
#include "play/game.h"
#include "report/sources.h"
#include "report/text_games.h"
#include "survey/survey.h"
#include "survey/survey_games.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

bool is_survey(const fs::path& folder) {
  return fs::exists(survey_settings_file(folder));
}

/// Adds the document in results.json.
void add_results(const fs::path& folder, Report& report) {
  const fs::path file = survey_results_file(folder);
  if (const auto reason = why_unreadable(file)) throw ReportError(*reason);
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    report.notices.push_back(
        fmt::format("There are no results yet: 'faultline survey {} --summary' computes them.",
                    folder.string()));
    return;
  }
  const ReportJson json = ReportJson::parse(in, nullptr, false);
  if (!is_document(json, "survey")) {
    report.notices.push_back(
        fmt::format("{} is not a survey's results, or of another version: 'faultline survey {} "
                    "--summary' writes them anew.",
                    file.string(), folder.string()));
    return;
  }
  for (const ReportJson& notice : json.at("notices"))
    report.notices.push_back(notice.get<std::string>());
  for (const ReportJson& section : json.at("sections"))
    report.sections.push_back(section);
}

/// The games that count of each variant at the most visits; of all together `options.games` are
/// shown.
void add_games(const fs::path& folder, const SurveySettings& settings, const ReportOptions& options,
               Report& report) {
  std::vector<TextGames> games(settings.variants.size());
  const std::size_t per_variant = settings.visits.size();
  SurveyGames read;
  try {
    read = read_survey_games(settings, folder);
  } catch (const ExperimentError& error) {
    report.notices.emplace_back(error.what());
  }
  std::ranges::copy(read.notices, std::back_inserter(report.notices));
  std::set<GamePlace> places;
  for (const auto& [place, game] : read.games)
    places.insert(place);
  const std::set<GamePlace> counting = places_that_count(places, read.unreadable);
  for (const std::string& notice :
       uncounted_notices(static_cast<int>(read.notices.size()),
                         static_cast<int>(places.size() - counting.size())))
    report.notices.push_back(notice + '.');
  for (const GamePlace& place : counting) {
    const auto bout = static_cast<std::size_t>(place.bout);
    if (bout % per_variant == per_variant - 1)
      games[bout / per_variant].add(std::move(read.games.at(place)));
  }
  std::size_t with_games = 0;
  for (const TextGames& one : games)
    if (!one.games().empty()) ++with_games;
  std::size_t number = 0;  // of those with games
  for (std::size_t i = 0; i < games.size(); ++i) {
    if (games[i].games().empty()) continue;
    const std::size_t shown =
        options.games / with_games + (number < options.games % with_games ? 1 : 0);
    ++number;
    add_game_sections(games[i],
                      {.titles = games.size() > 1 ? ": " + settings.variants[i].variant : "",
                       .random_moves = "Moves marked as random belong to the openings."},
                      {.games = shown}, report);
  }
}

void fill(const fs::path& folder, const ReportOptions& options, Report& report) {
  const SurveySettings settings = read_survey(survey_settings_file(folder));
  report.subtitle =
      "survey of " + (settings.variants.size() == 1 ? settings.variants[0].variant
                                                    : counted(settings.variants.size(), "variant"));
  if (settings.variants.empty() || settings.visits.empty())
    throw ReportError(survey_settings_file(folder).string() + ": names no variants or no visits");
  add_results(folder, report);
  add_games(folder, settings, options, report);
  SettingsRows rows;
  for (const SurveyedVariant& surveyed : settings.variants)
    rows.emplace_back(surveyed.variant, surveyed.player);
  const ReportJson json = to_json(settings);
  for (const auto& [key, value] : json.items())
    if (key != "variants") rows.emplace_back(key, setting_text(value));
  report.add(settings_section(rows, "survey.json"));
}

}  // namespace

ReportSource survey_report_source() {
  return {.name = "survey",
          .description = "a survey's folder (with survey.json)",
          .is_one = is_survey,
          .fill = fill};
}

}  // namespace faultline
