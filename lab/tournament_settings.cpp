// Tournament settings as JSON, and as the setup of a match.
#include "lab/tournament_settings.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/nearest_name.h"
#include "base/quote.h"
#include "base/text.h"
#include "lab/limit_ranges.h"
#include "model/checkpoint.h"
#include "play/game.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPlayers = 300;
constexpr int kMostGames = 1'000'000;
constexpr std::int64_t kMostPlanned = 100'000'000;  // games of all pairings and rounds

void require(bool holds, std::string_view key, const std::string& value, std::string_view allowed) {
  if (!holds) throw TournamentError(fmt::format("{} = {}: must be {}", key, value, allowed));
}

/// The ranges of the command line, where a limit of 0 is one that is not given. `where` is put
/// before the message: "", or the file.
void require_in_range(const TournamentSettings& settings, const std::string& where) {
  constexpr std::int64_t kNoMost = std::numeric_limits<std::int64_t>::max();
  struct Whole {
    std::string_view key;
    std::int64_t value;
    std::int64_t most;
    std::string_view zero;  // what 0 stands for
  };
  const MoveLimits& limits = settings.limits;
  for (const Whole& one :
       {Whole{"visits", limits.visits, kMostVisits, "no limit"},
        Whole{"nodes", limits.nodes, kNoMost, "no limit"},
        Whole{"evaluations", limits.evaluations, kMostVisits, "no limit"},
        Whole{"time_ms", limits.time_ms, kMostTimeMs, "no limit"},
        Whole{"max_plies", settings.max_plies, kMostGamePlies, "by the family"},
        Whole{"temperature_plies", settings.temperature_plies, kMostGamePlies, "the whole game"},
        Whole{"seed", settings.seed, kNoMost, ""}}) {
    if (one.value >= 0 && one.value <= one.most) continue;
    throw TournamentError(fmt::format(
        "{}{} = {}: must be {}{}", where, one.key, one.value,
        one.most == kNoMost ? std::string("at least 0") : fmt::format("0 to {}", one.most),
        one.zero.empty() ? std::string() : fmt::format(" (0: {})", one.zero)));
  }
}

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

/// Calls visit(key, field) for every field but the players; one list for writing and reading.
template <class Settings, class Visit>
void visit_fields(Settings& s, const Visit& visit) {
  visit("variant", s.variant);
  visit("schedule", s.schedule);
  visit("challengers", s.challengers);
  visit("games", s.games);
  visit("rounds", s.rounds);
  visit("alpha", s.alpha);
  visit("indifference", s.indifference);
  visit("visits", s.limits.visits);
  visit("nodes", s.limits.nodes);
  visit("evaluations", s.limits.evaluations);
  visit("time_ms", s.limits.time_ms);
  visit("openings", s.openings);
  visit("adjudicate_win", s.adjudicate_win);
  visit("adjudicate_draw", s.adjudicate_draw);
  visit("cut", s.cut);
  visit("max_plies", s.max_plies);
  visit("temperature", s.temperature);
  visit("temperature_plies", s.temperature_plies);
  visit("search_defaults", s.search_defaults);
  visit("search_settings", s.search_settings);
  visit("seed", s.seed);
}

}  // namespace

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
  MatchSetup setup;
  setup.variant = settings.variant;
  const auto player = [&](int i) {
    return find_player(settings.players.at(static_cast<std::size_t>(i)).player);
  };
  setup.players = {player(first), player(second)};
  setup.limits = {settings.limits, settings.limits};
  setup.search_defaults = settings.search_defaults;
  setup.search_settings = settings.search_settings;
  MatchConfig& config = setup.config;
  config.openings = with_origins(parse_opening_source(settings.openings), settings.opening_origins);
  config.max_plies = settings.max_plies;
  config.cut = settings.cut == "apart" ? CutGames::Apart : CutGames::Draws;
  config.temperature = static_cast<float>(settings.temperature);
  config.temperature_plies = settings.temperature_plies;
  config.games_at_once = 0;
  if (!settings.adjudicate_win.empty())
    parse_win_adjudication(settings.adjudicate_win, config.adjudication);
  if (!settings.adjudicate_draw.empty())
    parse_draw_adjudication(settings.adjudicate_draw, config.adjudication);
  return setup;
}

void check(const TournamentSettings& settings) {
  find_game(settings.variant);
  const std::size_t count = settings.players.size();
  require(count >= 2 && count <= kMostPlayers, "players", std::to_string(count),
          fmt::format("2 to {}", kMostPlayers));
  std::set<std::string> names;
  for (const Entrant& entrant : settings.players) {
    if (entrant.name.empty()) throw TournamentError("players: a name is empty");
    if (!is_printable(entrant.name) || !is_printable(entrant.player))
      throw TournamentError(fmt::format("players: {} has control characters or is not UTF-8",
                                        quote(entrant.name, 80)));
    if (!names.insert(entrant.name).second)
      throw TournamentError(fmt::format("players: two are called {}; name them, as in A={} B={}",
                                        quote(entrant.name, 80), entrant.player, entrant.player));
  }
  require(std::ranges::find(kSchedules, settings.schedule) != std::end(kSchedules), "schedule",
          quote(settings.schedule), "round-robin, gauntlet, information or sequential");
  require(settings.challengers >= 1 && settings.challengers < static_cast<int>(count),
          "challengers", std::to_string(settings.challengers),
          "at least 1 and less than the number of players");
  require(settings.games >= 2 && settings.games % 2 == 0 && settings.games <= kMostGames, "games",
          std::to_string(settings.games),
          fmt::format("even, 2 to {}: every opening is played twice, with colours swapped",
                      kMostGames));
  require(settings.rounds >= 1 && settings.rounds <= kMostGames, "rounds",
          std::to_string(settings.rounds), fmt::format("1 to {}", kMostGames));
  require(settings.alpha >= 1e-6 && settings.alpha <= 0.5, "alpha",
          fmt::format("{:g}", settings.alpha), "0.000001 to 0.5");
  require(settings.indifference >= 0 && settings.indifference <= 400, "indifference",
          fmt::format("{:g}", settings.indifference), "0 to 400 (Elo; 0: none)");
  const std::int64_t most_bouts =
      static_cast<std::int64_t>(count) * static_cast<std::int64_t>(count);
  require(settings.rounds * most_bouts <= kMostPlanned / settings.games, "rounds",
          std::to_string(settings.rounds),
          fmt::format("fewer: a tournament has at most {}", counted(kMostPlanned, "game")));
  require(settings.cut == "apart" || settings.cut == "draws", "cut", quote(settings.cut),
          "apart or draws");
  require_in_range(settings, "");
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const MatchSetup setup = match_setup(settings, i, (i + 1) % static_cast<int>(count));
    check(setup.config);
    limits_of(setup.players[0], setup.limits[0]);
    if (setup.players[0].uses_tree_search()) search_of(setup.players[0], setup);
    check_strategy_of(setup.players[0], settings.variant);
  }
}

Json to_json(const TournamentSettings& settings) {
  Json json;
  json["players"] = Json::array();
  for (const Entrant& entrant : settings.players) {
    Json& player =
        json["players"].emplace_back(Json{{"name", entrant.name}, {"player", entrant.player}});
    if (!entrant.weights.empty()) player["weights"] = entrant.weights;
  }
  visit_fields(settings, [&](const char* key, const auto& field) { json[key] = field; });
  write_origins(settings.opening_origins, json);
  return json;
}

TournamentSettings tournament_from_json(const Json& json, const std::string& source) {
  TournamentSettings settings;
  std::vector<std::string> keys = {"players", kOpeningOriginsKey};
  try {
    const nlohmann::json object = json;
    visit_fields(settings, [&](const char* key, auto& field) {
      keys.emplace_back(key);
      if (object.is_object() && !object.contains(key) && std::string_view(key) != "variant") return;
      field = json_field<std::remove_cvref_t<decltype(field)>>(object, key, source);
    });
    for (const auto& entry : json_field<std::vector<nlohmann::json>>(object, "players", source)) {
      if (entry.is_string())
        settings.players.push_back(parse_entrant(entry.get<std::string>()));
      else if (!entry.is_object())
        throw TournamentError(fmt::format(
            "{}: players: {} is no player; each is a text, such as \"alphabeta?depth=2\" or "
            "\"mine=runs/a\"",
            source, json_text(entry)));
      else
        settings.players.push_back(
            {json_field<std::string>(entry, "name", source + ": players"),
             find_player(json_field<std::string>(entry, "player", source + ": players")).name,
             entry.contains("weights")
                 ? json_field<std::string>(entry, "weights", source + ": players")
                 : std::string()});
    }
    settings.opening_origins = read_origins(object, source);
  } catch (const PlayerError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw TournamentError(error.what());
  }
  for (const auto& [key, value] : json.items())
    if (std::ranges::find(keys, key) == keys.end())
      throw TournamentError(fmt::format("{}: there is no key {}{}", source, quote(key),
                                        did_you_mean(nearest_name(key, keys))));
  require_in_range(settings, source + ": ");
  return settings;
}

TournamentSettings read_tournament(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw TournamentError(file.string() + ": cannot be opened");
  Json json;
  try {
    json = Json::parse(in);
  } catch (const Json::parse_error&) {
    throw TournamentError(file.string() + ": is not JSON");
  }
  return tournament_from_json(json, file.string());
}

void check_same(const TournamentSettings& stored, const TournamentSettings& given,
                const std::string& source) {
  const auto comparable = [](TournamentSettings settings) {
    settings.opening_origins.clear();
    for (Entrant& entrant : settings.players)
      entrant.weights.clear();
    return to_json(settings);
  };
  const Json old_json = comparable(stored);
  const Json new_json = comparable(given);
  for (const auto& [key, value] : new_json.items()) {
    if (key == "rounds" ? given.rounds >= stored.rounds : value == old_json.at(key)) continue;
    throw TournamentError(fmt::format(
        "{} has {} = {}, not {}: continue it with the same settings (more rounds are possible), or "
        "use another --out",
        source, key, json_text(old_json.at(key)), json_text(value)));
  }
}

void check_weights(const TournamentSettings& settings) {
  for (const Entrant& entrant : settings.players) {
    if (entrant.weights.empty()) continue;
    const std::filesystem::path net = find_player(entrant.player).net;
    const std::string now = read_checkpoint_info(net).weights();
    if (now == entrant.weights) continue;
    throw TournamentError(fmt::format(
        "players: {} has other weights than when the tournament was begun ({}, not {}): put the "
        "net back, or use another --out",
        net.string(), now, entrant.weights));
  }
}

}  // namespace faultline
