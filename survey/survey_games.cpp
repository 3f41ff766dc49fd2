// A survey's file of games, and which of them count.
#include "survey/survey_games.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "base/run_threads.h"
#include "base/text.h"
#include "survey/survey.h"

namespace faultline {
namespace {

/// The place where a game begins in a file, and the place that its Round tag says, whether or not
/// the game can be read.
struct RecordedGame {
  int line = 0;  // from 1
  std::optional<GamePlace> place = std::nullopt;
};

/// Finds the games of a file in the order of its text, which is as write_game() writes it but for
/// what was damaged.
std::vector<RecordedGame> recorded_games(std::string_view text) {
  constexpr std::string_view kEvent = "[Event \"";
  constexpr std::string_view kRound = "[Round \"";
  std::vector<RecordedGame> games;
  int number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with(kEvent)) {
      games.push_back({.line = number});
    } else if (line.starts_with(kRound)) {
      if (games.empty() || games.back().place) games.push_back({.line = number});
      const std::string_view rest = line.substr(kRound.size());
      games.back().place = GamePlace::parse(rest.substr(0, rest.find('"')));
    }
  }
  return games;
}

/// The game that the line is in; null if it is in none.
const RecordedGame* game_at(const std::vector<RecordedGame>& games, int line) {
  const auto after = std::ranges::upper_bound(games, line, {}, &RecordedGame::line);
  return after == games.begin() ? nullptr : &*(after - 1);
}

}  // namespace

SurveyGames read_survey_games(const SurveySettings& settings, const std::filesystem::path& folder) {
  const std::filesystem::path file = survey_games_file(folder);
  const std::string text = complete_games_in(file);
  const std::size_t bouts = settings.variants.size() * settings.visits.size();
  const auto is_of_survey = [&](const std::optional<GamePlace>& place, const TextGame& game) {
    return place && place->bout < static_cast<int>(bouts) &&
           game.variant ==
               settings.variants[static_cast<std::size_t>(place->bout) / settings.visits.size()]
                   .variant;
  };
  const std::vector<RecordedGame> recorded = recorded_games(text);
  SurveyGames read;
  std::set<GamePlace> named;  // in the notices
  const auto leave_out = [&](const RecordedGame* game, const std::string& reason) {
    if (game && game->place && !named.insert(*game->place).second) return;
    read.notices.push_back(fmt::format(
        "{}; {} is left out", reason,
        game && game->place ? "game " + game->place->round() : std::string("the game")));
  };
  std::istringstream complete(text);
  GameReader reader(complete, file.string());
  for (;;)
    try {
      std::optional<TextGame> game = reader.next();
      if (!game) break;
      const std::optional<GamePlace> place = place_of(*game);
      if (!is_of_survey(place, *game))
        throw ExperimentError(file.string() + ": has a game that is not of this survey");
      read.games.insert_or_assign(*place, std::move(*game));
    } catch (const GameTextError& error) {
      leave_out(game_at(recorded, error.line()), error.what());
    }
  // What was read of a game before its fault is not the game.
  for (const GamePlace& place : named)
    read.games.erase(place);
  for (const RecordedGame& game : recorded) {
    if (!game.place) continue;
    const auto found = read.games.find(*game.place);
    if (found != read.games.end() && !found->second.start_fen.empty()) {
      read.games.erase(found);
      leave_out(&game, fmt::format("{}:{}: does not begin at the variant's start", file.string(),
                                   game.line));
    }
    if (read.games.contains(*game.place)) continue;
    read.unreadable.insert(*game.place);
    // Named already, unless the fault is the game's before it.
    leave_out(&game, fmt::format("{}:{}: cannot be read", file.string(), game.line));
  }
  return read;
}

std::set<GamePlace> places_that_count(const std::set<GamePlace>& played,
                                      const std::set<GamePlace>& unreadable) {
  std::set<GamePlace> all = played;
  all.insert(unreadable.begin(), unreadable.end());
  std::set<GamePlace> counting;
  std::map<int, int> next;  // pair, by bout
  for (const GamePlace& place : all) {
    int& pair = next[place.bout];
    if (place.pair != pair || !all.contains({place.bout, pair, 1 - place.game})) continue;
    if (played.contains(place)) counting.insert(place);
    pair += place.game;
  }
  return counting;
}

PlacedGames replay_games(const SurveySettings& settings, const std::filesystem::path& folder,
                         int threads) {
  SurveyGames read = read_survey_games(settings, folder);
  const std::size_t bouts = settings.variants.size() * settings.visits.size();
  std::set<GamePlace> played;
  for (const auto& [place, game] : read.games)
    played.insert(place);
  std::vector<const std::pair<const GamePlace, TextGame>*> in_order;
  for (const GamePlace& place : places_that_count(played, read.unreadable))
    in_order.push_back(&*read.games.find(place));
  std::vector<GameFacts> facts(in_order.size());
  for_each_index(facts.size(), threads,
                 [&](std::size_t i) { facts[i] = facts_of(in_order[i]->second); });
  PlacedGames placed;
  placed.waiting = static_cast<int>(read.games.size() - in_order.size());
  placed.unreadable = static_cast<int>(read.notices.size());
  placed.notices = std::move(read.notices);
  placed.facts.resize(bouts);
  placed.pairs.resize(bouts);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const GamePlace& place = in_order[i]->first;
    placed.facts[static_cast<std::size_t>(place.bout)].push_back(std::move(facts[i]));
    const std::size_t variant = static_cast<std::size_t>(place.bout) / settings.visits.size();
    placed.pairs[static_cast<std::size_t>(place.bout)].push_back(
        settings.variants[variant].counts_visits ? place.pair : 2 * place.pair + place.game);
  }
  return placed;
}

std::vector<std::string> uncounted_notices(int unreadable, int waiting) {
  std::vector<std::string> notices;
  if (unreadable > 0)
    notices.push_back(fmt::format("{} be read, and the figures are without {}",
                                  counted(unreadable, "game cannot", "games cannot"),
                                  unreadable == 1 ? "it" : "them"));
  if (waiting > 0)
    notices.push_back(fmt::format(
        "{} not counted yet: earlier ones{}", counted(waiting, "game is", "games are"),
        unreadable > 0 ? " are missing, or cannot be read"
                       : ", which are longer, were not over when the survey was stopped"));
  return notices;
}

}  // namespace faultline
