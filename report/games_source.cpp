// Reports of files of games.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "lab/rating_games.h"
#include "lab/rating_reader.h"
#include "play/game.h"
#include "report/result_sections.h"
#include "report/sources.h"
#include "report/text_games.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  return fs::is_regular_file(path);
}

struct GamesOfVariant {
  std::string variant;  // canonical name
  TextGames games;
  RatingGames results = {};
};

/// What all games have as their Event; "" if they differ.
std::string common_event(const std::vector<TextGame>& games) {
  const auto event_of = [](const TextGame& game) {
    const auto event = std::ranges::find(game.tags, std::string("Event"),
                                         &std::pair<std::string, std::string>::first);
    return event == game.tags.end() || event->second == "?" ? std::string() : event->second;
  };
  const std::string first = event_of(games.front());
  return std::ranges::all_of(games, [&](const TextGame& one) { return event_of(one) == first; })
             ? first
             : "";
}

void fill(const fs::path& file, const ReportOptions& options, Report& report) {
  std::vector<TextGame> games = read_games(file, "chess", report.notices);
  if (games.empty())
    throw ReportError(
        fmt::format("{}: has no game that can be read{}", file.string(),
                    report.notices.empty() ? "" : " (" + report.notices.front() + ")"));
  if (const std::string event = common_event(games); !event.empty()) report.title = event;
  const std::string count = counted(games.size(), "game");
  std::vector<GamesOfVariant> variants;
  for (TextGame& game : games) {
    auto of = std::ranges::find(variants, game.variant, &GamesOfVariant::variant);
    if (of == variants.end())
      of = variants.insert(of, GamesOfVariant{.variant = game.variant, .games = {}});
    if (!game.white.empty() && !game.black.empty())
      of->results.add(rating_game(game, file.string()));
    of->games.add(std::move(game));
  }
  report.subtitle = fmt::format(
      "{} of {}", count,
      variants.size() == 1 ? variants.front().variant : counted(variants.size(), "variant"));
  for (const GamesOfVariant& one : variants) {
    const std::string titles = variants.size() == 1 ? "" : ": " + one.variant;
    add_results(one.results, titles, report);
    // A few games are there to be seen, each of them; many also say something together.
    if (one.games.games().size() <= options.games)
      add_all_games(one.games, titles, report);
    else
      add_game_sections(one.games,
                        {.titles = titles,
                         .random_moves = "Moves marked as random were not chosen by the players."},
                        options, report);
  }
}

}  // namespace

ReportSource games_report_source() {
  return {.name = "games", .description = "a file of games (PGN)", .is_one = is_file, .fill = fill};
}

}  // namespace faultline
