// Reports of tournaments.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/signed_text.h"
#include "base/text.h"
#include "lab/elo.h"
#include "lab/rating.h"
#include "lab/rating_games.h"
#include "lab/rating_reader.h"
#include "lab/tournament_settings.h"
#include "play/game.h"
#include "report/result_sections.h"
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
  std::vector<std::pair<std::string, std::string>> settings;  // the other keys and their values
};

TournamentFile read_settings(const fs::path& file) {
  const std::string source = file.string();
  std::ifstream in(file, std::ios::binary);
  const ReportJson json = ReportJson::parse(in, nullptr, false);
  if (!json.is_object()) throw ExperimentError(source + ": is not a JSON object");
  const nlohmann::json object = json;
  TournamentFile tournament;
  for (const auto& [key, value] : json.items())
    if (key != "players")
      tournament.settings.emplace_back(
          key, value.is_string() ? value.get<std::string>() : json_text(value));
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

ReportJson figures(const TournamentFile& tournament, const RatingGames& results, std::size_t games,
                   const std::optional<Ratings>& ratings) {
  std::vector<ReportFact> facts = {
      {"Games", grouped(games),
       results.without_result() > 0
           ? counted(results.without_result(), "game") + " without a result"
           : ""},
      {"Players", std::to_string(tournament.players.size())}};
  if (ratings) {
    for (const VariantFit& fit : ratings->variants) {
      facts.push_back({"Worth of the first move",
                       fmt::format("{} ± {:.0f} Elo", signed_text(fit.advantage_elo),
                                   ratings->quantile_95 * fit.advantage_deviation),
                       "95 % interval"});
      facts.push_back({"Draws between equals", percent_text(fit.draw_share),
                       fmt::format("95 %: {:.1f} to {:.1f} %", 100 * fit.draw_share_95.low,
                                   100 * fit.draw_share_95.high)});
    }
    if (ratings->fit.freedom > 0)
      facts.push_back({"Test of fit", fmt::format("p = {:.2g}", ratings->fit.p),
                       ratings->fit.p < 0.05 ? "one number per player does not explain the results"
                                             : "the ratings explain the results"});
  }
  return facts_section("Figures", facts);
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
    ReportJson steps = ReportJson::array(), elo = steps, low = steps, high = steps;
    for (const auto& [step, player] : nets) {
      steps.push_back(shown_number(step, 9));
      elo.push_back(shown_number(player->elo));
      low.push_back(shown_number(player->elo_95.low));
      high.push_back(shown_number(player->elo_95.high));
    }
    ReportJson section = report_section("curves", "Strength by training");
    section["axes"] = {{{"name", "steps"}, {"values", steps}}};
    section["charts"] = {
        {{"title", run},
         {"unit", "elo"},
         {"note", "Elo of the run's nets, with 95 % intervals."},
         {"series", {{{"name", "Elo"}, {"values", elo}, {"low", low}, {"high", high}}}}}};
    report.sections.push_back(std::move(section));
  }
}

ReportJson settings_table(const TournamentFile& tournament) {
  ReportJson rows = ReportJson::array();
  for (const Entrant& entrant : tournament.players)
    if (entrant.name != entrant.player) rows.push_back({"player " + entrant.name, entrant.player});
  for (const auto& [key, value] : tournament.settings)
    rows.push_back({key, value});
  using enum ReportColumn::Kind;
  return table_section("Settings", {{"key", Code}, {"value", Code}}, std::move(rows),
                       "As in tournament.json.");
}

void fill(const fs::path& folder, const ReportOptions& options, Report& report) {
  const TournamentFile tournament = read_settings(folder / "tournament.json");
  report.subtitle = "tournament of " + tournament.variant;
  const fs::path file = folder / "games.pgn";
  TextGames games;
  for (TextGame& game : read_games(file, tournament.variant, report.notices))
    games.add(std::move(game));
  const RatingGames results = results_of(games, file.string(), report);
  std::optional<Ratings> ratings;
  if (results.games().empty())
    report.notices.emplace_back("No game has a result yet: there are no ratings.");
  else
    ratings = rate(results);
  report.sections.push_back(figures(tournament, results, games.games().size(), ratings));
  if (ratings) {
    report.sections.push_back(ratings_section(*ratings));
    add_progress(tournament, *ratings, report);
    report.sections.push_back(pairings_section(*ratings));
  }
  add_game_sections(games, find_game(tournament.variant),
                    {.random_moves = "Moves marked as random were not chosen by the players: every "
                                     "opening is played twice, with colours swapped."},
                    options, report);
  report.sections.push_back(settings_table(tournament));
}

}  // namespace

ReportSource tournament_report_source() {
  return {.name = "tournament",
          .description = "a tournament's folder (with tournament.json)",
          .is_one = is_tournament,
          .fill = fill};
}

}  // namespace faultline
