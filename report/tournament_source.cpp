// Reports of tournaments.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/json_fields.h"
#include "lab/rating.h"
#include "lab/rating_document.h"
#include "lab/rating_games.h"
#include "lab/rating_reader.h"
#include "lab/tournament_settings.h"
#include "play/game.h"
#include "report/sources.h"
#include "report/text_games.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

bool is_tournament(const fs::path& folder) {
  return fs::exists(folder / "tournament.json");
}

/// What a tournament's tournament.json says. Unlike read_tournament(), which is for playing, it
/// does not ask for the players' nets: a report can be made after they are gone.
struct TournamentFile {
  std::string variant;  // canonical name
  std::vector<Entrant> players;
  SettingsRows settings;  // the other keys and their values
};

TournamentFile read_settings(const fs::path& file) {
  const std::string source = file.string();
  std::ifstream in(file, std::ios::binary);
  const ReportJson json = ReportJson::parse(in, nullptr, false);
  if (!json.is_object()) throw ExperimentError(source + ": is not a JSON object");
  const nlohmann::json object = json;
  TournamentFile tournament;
  for (const auto& [key, value] : json.items())
    if (key != "players") tournament.settings.emplace_back(key, setting_text(value));
  try {
    tournament.variant = find_game(json_field<std::string>(object, "variant", source)).variant();
    for (const auto& entry : json_field<std::vector<nlohmann::json>>(object, "players", source)) {
      if (entry.is_string())
        tournament.players.push_back({entry.get<std::string>(), entry.get<std::string>()});
      else
        tournament.players.push_back(
            {json_field<std::string>(entry, "name", source + ": players"),
             json_field<std::string>(entry, "player", source + ": players")});
    }
  } catch (const std::runtime_error& error) {
    throw ExperimentError(error.what());
  }
  return tournament;
}

RatingGames results_of(const TextGames& games, const std::string& source, Report& report) {
  RatingGames results;
  for (const TextGame& game : games.games())
    try {
      results.add(rating_game(game, source));
    } catch (const GameTextError& error) {
      report.notices.emplace_back(error.what());
    }
  return results;
}

/// The steps after which the net "…/nets/000500.pt" of a run was saved, with the run's folder.
std::optional<std::pair<std::string, double>> steps_of(const std::string& player) {
  const fs::path file(player.substr(0, player.find('?')));
  const std::string stem = file.stem().string();
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (file.extension() != ".pt" || stem.empty() || stem.size() > 15 ||
      !std::ranges::all_of(stem, is_digit))
    return std::nullopt;
  return std::pair(file.parent_path().string(), std::stod(stem));
}

/// `nets`: sorted. The same net may play more than once, with other settings.
std::size_t different_steps(const std::vector<std::pair<double, const PlayerRating*>>& nets) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < nets.size(); ++i)
    if (i == 0 || nets[i].first != nets[i - 1].first) ++different;
  return different;
}

/// Elo over the steps of training, for runs of which at least three nets play.
void add_progress(const TournamentFile& tournament, const Ratings& ratings, Report& report) {
  std::map<std::string, std::vector<std::pair<double, const PlayerRating*>>> runs;
  for (const Entrant& entrant : tournament.players)
    if (const auto net = steps_of(entrant.player)) {
      const auto rated = std::ranges::find(ratings.players, entrant.name, &PlayerRating::name);
      if (rated != ratings.players.end()) runs[net->first].emplace_back(net->second, &*rated);
    }
  for (auto& [run, nets] : runs) {
    std::ranges::sort(nets);
    if (different_steps(nets) < 3) continue;
    Axis steps{"steps", {}};
    Series elo{"Elo", {}};
    for (const auto& [step, player] : nets) {
      steps.values.push_back(step);
      elo.values.push_back(player->elo);
      elo.low.push_back(player->elo_95.low);
      elo.high.push_back(player->elo_95.high);
    }
    report.add(Section{
        "Strength by training",
        Curves{{steps}, {{run, "elo", "Elo of the run's nets, with 95 % intervals.", {elo}}}}});
  }
}

SettingsRows settings_rows(const TournamentFile& tournament) {
  SettingsRows rows;
  for (const Entrant& entrant : tournament.players)
    if (entrant.name != entrant.player) rows.emplace_back("player " + entrant.name, entrant.player);
  rows.insert(rows.end(), tournament.settings.begin(), tournament.settings.end());
  return rows;
}

void fill(const fs::path& folder, const ReportOptions& options, Report& report) {
  const TournamentFile tournament = read_settings(folder / "tournament.json");
  report.subtitle = "tournament of " + tournament.variant;
  const fs::path file = folder / "games.pgn";
  TextGames games;
  for (TextGame& game : read_games(file, tournament.variant, report.notices))
    games.add(std::move(game));
  const RatingGames results = results_of(games, file.string(), report);
  if (results.games().empty()) {
    report.notices.emplace_back("No game has a result yet: there are no ratings.");
  } else {
    const Ratings ratings = rate(results);
    report.add(rating_document(ratings));
    add_progress(tournament, ratings, report);
    report.add(pairings_matrix(ratings));
  }
  add_game_sections(games,
                    {.random_moves = "Moves marked as random were not chosen by the players: every "
                                     "opening is played twice, with colours swapped."},
                    options, report);
  report.add(settings_section(settings_rows(tournament), "tournament.json"));
}

}  // namespace

ReportSource tournament_report_source() {
  return {.name = "tournament",
          .description = "a tournament's folder (with tournament.json)",
          .is_one = is_tournament,
          .fill = fill};
}

}  // namespace faultline
