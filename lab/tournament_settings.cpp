// Tournament settings: their table, checks and JSON.
#include "lab/tournament_settings.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "base/text.h"
#include "play/game.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPlayers = 300;
constexpr double kMostRounds = 1'000'000;
constexpr std::int64_t kMostPlanned = 100'000'000;  // games of all pairings and rounds

/// A name as in NAME=PLAYER; a player's own text can only have '=' after a ':' or '?'.
bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_of(":?/\"\\") == std::string_view::npos;
}

/// Whether games can be written with this name and read back.
bool is_printable(std::string_view name) {
  if (std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return false;
  try {
    static_cast<void>(nlohmann::json(name).dump());
    return true;
  } catch (const nlohmann::json::exception&) {  // not UTF-8
    return false;
  }
}

Entrant entrant_from_json(const nlohmann::json& json, const std::string& source) {
  if (json.is_string()) return parse_entrant(json.get<std::string>());
  const std::string what = source + ": players";
  if (!json.is_object())
    throw ExperimentError(fmt::format(
        "{}: {} is no player; each is a text, such as \"alphabeta?depth=2\" or \"mine=runs/a\"",
        what, json_text(json)));
  return {json_field<std::string>(json, "name", what),
          find_player(json_field<std::string>(json, "player", what)).name,
          json.contains("weights") ? json_field<std::string>(json, "weights", what) : ""};
}

}  // namespace

const ExperimentKind& TournamentSettings::kind() {
  static const ExperimentKind kind{FolderContents::Tournament, "tournament", "tournament.json",
                                   "games.pgn", "rounds"};
  return kind;
}

std::vector<Option> sequential_options(double& alpha, double& indifference) {
  return {
      {"alpha", &alpha, Range{1e-6, 0.5},
       "The probability that any comparison is decided wrongly, at most."},
      {"indifference", &indifference, Range{0, 400},
       "A comparison also ends when its difference is decided to be within this many Elo; 0: it "
       "does not."}};
}

std::vector<Option> options(TournamentSettings& s) {
  std::vector<Option> all = {
      {"variant", &s.variant, Anything{}, "What is played."},
      {"schedule", EnumField(&s.schedule),
       Choices{{"round-robin", "gauntlet", "information", "sequential"}},
       "round-robin; gauntlet: the first challengers against all; information: the pairings that "
       "say most about the ratings; sequential: a round robin whose pairings end when they are "
       "decided."},
      {"challengers", &s.challengers, Range{1, kMostPlayers - 1},
       "In a gauntlet, this many players meet all others."},
      games_option(s.games,
                   "Games of each pairing in each round (2 by default in schedule information)"),
      {"rounds", &s.rounds, Range{1, kMostRounds},
       "Times that the schedule is played; in schedule information, times that half as many "
       "pairings as players are chosen (50 by default). A tournament can be continued with more."}};
  std::ranges::copy(sequential_options(s.alpha, s.indifference), std::back_inserter(all));
  std::ranges::copy(options(static_cast<GameSettings&>(s)), std::back_inserter(all));
  return all;
}

std::vector<PlayerInUse> players_of(TournamentSettings& settings) {
  std::vector<PlayerInUse> players;
  for (Entrant& entrant : settings.players)
    players.push_back({entrant.player, &entrant.weights});
  return players;
}

std::string schedule_text(const TournamentSettings& settings) {
  return to_json(settings).at("schedule");
}

Entrant parse_entrant(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string_view::npos && is_name(text.substr(0, equals)))
    return {std::string(text.substr(0, equals)), find_player(text.substr(equals + 1)).name};
  const std::string name = find_player(text).name;
  return {name, name};
}

SequentialTest sequential_test(const TournamentSettings& settings) {
  const auto players = static_cast<double>(settings.players.size());
  return {.alpha = settings.alpha / (players * (players - 1) / 2),
          .indifference = settings.indifference};
}

MatchSetup match_setup(const TournamentSettings& settings, int first, int second) {
  const auto player = [&](int i) {
    return find_player(settings.players.at(static_cast<std::size_t>(i)).player);
  };
  return match_setup(settings, settings.variant, {player(first), player(second)});
}

void check(const TournamentSettings& settings) {
  TournamentSettings copy = settings;
  check_options(options(copy), "");
  find_game(settings.variant);
  const std::size_t count = settings.players.size();
  require(count >= 2 && count <= kMostPlayers, "players", std::to_string(count),
          fmt::format("2 to {}", kMostPlayers));
  for (const Entrant& entrant : settings.players) {
    if (entrant.name.empty()) throw ExperimentError("players: a name is empty");
    if (!is_printable(entrant.name) || !is_printable(entrant.player))
      throw ExperimentError(fmt::format("players: {} has control characters or is not UTF-8",
                                        quote(entrant.name, 80)));
    if (std::ranges::count(settings.players, entrant.name, &Entrant::name) > 1)
      throw ExperimentError(fmt::format("players: two are called {}; name them, as in A={} B={}",
                                        quote(entrant.name, 80), entrant.player, entrant.player));
  }
  require(settings.challengers < static_cast<int>(count), "challengers",
          std::to_string(settings.challengers), "less than the number of players");
  const auto most_bouts = static_cast<std::int64_t>(count * count);
  require(settings.rounds * most_bouts <= kMostPlanned / settings.games, "rounds",
          std::to_string(settings.rounds),
          fmt::format("fewer: a tournament has at most {}", counted(kMostPlanned, "game")));
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const MatchSetup setup = match_setup(settings, i, (i + 1) % static_cast<int>(count));
    check(setup.config);
    limits_of(setup.players[0], setup.limits[0]);
    if (setup.players[0].uses_tree_search()) search_of(setup.players[0], setup);
    check_strategy_of(setup.players[0], settings.variant);
  }
}

Json to_json(const TournamentSettings& settings) {
  TournamentSettings copy = settings;
  Json json;
  json["players"] = Json::array();
  for (const Entrant& entrant : settings.players) {
    Json& player =
        json["players"].emplace_back(Json{{"name", entrant.name}, {"player", entrant.player}});
    if (!entrant.weights.empty()) player["weights"] = entrant.weights;
  }
  json.update(options_to_json(options(copy)));
  write_origins(settings.opening_origins, json);
  return json;
}

TournamentSettings TournamentSettings::from_json(const Json& json, const std::string& source) {
  TournamentSettings settings;
  read_settings(
      settings, options(settings), json, source, {"players"}, [&](const nlohmann::json& object) {
        json_field<std::string>(object, "variant", source);  // must be there
        for (const auto& entry : json_field<std::vector<nlohmann::json>>(object, "players", source))
          settings.players.push_back(entrant_from_json(entry, source));
      });
  return settings;
}

TournamentSettings read_tournament(const std::filesystem::path& file) {
  return TournamentSettings::from_json(read_json_file(file), file.string());
}

}  // namespace faultline
