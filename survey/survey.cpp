// Plays, records and continues a survey.
#include "survey/survey.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/result_folder.h"
#include "base/text.h"
#include "lab/match_game_text.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

std::string event_of(const SurveySettings& settings) {
  return fmt::format("faultline survey, seed {}", settings.seed);
}

/// The games file's path, once the folder has this survey's settings, with the origins of its
/// openings, which are set.
fs::path prepare(SurveySettings& settings, const fs::path& folder) {
  check(settings);
  if (const auto reason = why_taken(folder, FolderContents::Survey)) throw SurveyError(*reason);
  const fs::path file = survey_settings_file(folder);
  fs::path games = survey_games_file(folder);
  if (fs::exists(file)) {
    const SurveySettings stored = read_survey(file);
    check_same(stored, settings, file.string());
    settings.opening_origins = stored.opening_origins;
    check_origins(settings.opening_origins, settings.openings);
  } else if (fs::exists(games)) {
    throw SurveyError(fmt::format("{} exists without {}: use another folder", games.string(),
                                  file.filename().string()));
  } else {
    settings.opening_origins = opening_origins(parse_opening_source(settings.openings));
  }
  check_weights(settings);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw SurveyError(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
  write_file_atomically(file, json_text(to_json(settings), 2) + "\n");
  return games;
}

}  // namespace

fs::path survey_settings_file(const fs::path& folder) {
  return folder / "survey.json";
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
      throw SurveyError(fmt::format("{}: has the game {}, which the settings do not have",
                                    survey_games_file(folder).string(), place.round()));
}

int Survey::finished_games(std::size_t variant, std::size_t visits) const {
  return static_cast<int>(std::ranges::distance(games_.of_bout(bout(variant, visits))));
}

void Survey::play_missing(std::size_t variant, std::size_t visits, PlayerResources& resources,
                          int threads, const SurveyHooks& hooks) {
  const int number = bout(variant, visits);
  std::vector<int> missing = games_.missing_pairs(number, settings_.games / 2);
  if (missing.empty() || (hooks.stop && hooks.stop())) return;
  MatchSetup setup = match_setup(settings_, variant, visits);
  setup.config.games = 2 * static_cast<int>(missing.size());
  setup.config.pairs = std::move(missing);
  setup.config.threads = threads;
  const std::string name = fmt::format("{}, {}", settings_.variants[variant].player,
                                       counted(settings_.visits[visits], "visit"));
  const std::int64_t lacking = settings_.games - finished_games(variant, visits);
  int finished = 0;  // of these
  const MatchHooks match = {
      .on_game =
          [&](const MatchGame& game, const MatchResult&) {
            const GamePlace place{number, game.number / 2, game.number % 2};
            if (games_.played().contains(place)) return;
            games_.append(place, text_of(game, setup.variant, {name, name}, event_of(settings_)));
            if (hooks.on_game) hooks.on_game(variant, visits);
          },
      .on_progress =
          [&](const MatchResult& so_far) {
            // Games that are there are played again with the other one of their pair.
            if (so_far.finished * lacking / setup.config.games <= finished) return;
            ++finished;
            if (hooks.on_finished) hooks.on_finished(variant, visits);
          },
      .stop = hooks.stop};
  run_match(setup, resources, match);
}

void Survey::play(PlayerResources& resources, int threads, const SurveyHooks& hooks) {
  for (std::size_t visits = 0; visits < settings_.visits.size(); ++visits)
    for (std::size_t variant = 0; variant < settings_.variants.size(); ++variant)
      play_missing(variant, visits, resources, threads, hooks);
}

}  // namespace faultline
