// What a study compares: keys, checks, and the tournaments that it is made of.
#include "lab/study_settings.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/quote.h"
#include "base/text.h"
#include "lab/opening_source.h"
#include "rules/variant.h"
#include "strategy/behaviour.h"
#include "strategy/strategy.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostComparisons = 10'000;

void require_name(std::string_view key, const std::string& name) {
  require(is_plain_name(name), key, quote(name),
          "letters, digits, '-', '_', '+' and '.', at most 40");
}

std::string place_of(std::string_view text) {
  std::string place;
  for (const char c : text)
    place += is_plain_name(std::string_view(&c, 1)) || c == '.' ? c : '-';
  return place;
}

}  // namespace

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 40 && name.front() != '.' &&
         std::ranges::all_of(name, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '+';
         });
}

const ExperimentKind& StudySettings::kind() {
  static const ExperimentKind kind{FolderContents::Study, "study", "study.json", "games", "games",
                                   {"title", "question"}};
  return kind;
}

std::vector<Option> options(StudySettings& s) {
  MoveLimits limits;
  Option visits = move_limit_options(limits, 1).front();
  visits.field = &s.visits;
  visits.help =
      "Root visits per move, as in 50,200: each number is a combination of its own. Searches by "
      "alphabeta do not count them.";
  std::vector<Option> all = {
      {"title", &s.title, Anything{}, "What the study is about, in a few words."},
      {"question", &s.question, Anything{}, "The question that it asks, in a sentence or two."},
      {"variants", &s.variants, Anything{}, "The variants that are played."},
      visits,
      games_option(s.games,
                   "Games of each comparison, at most (a study can be continued with more)"),
      {"look", &s.look, Range{2, 1'000'000, true},
       "Games between two tests of a comparison, which may end at each; divides games."}};
  std::ranges::copy(sequential_options(s.alpha, s.indifference), std::back_inserter(all));
  std::ranges::copy(chosen(options(static_cast<GameSettings&>(s)),
                           {"openings", "temperature", "temperature_plies", "max_plies", "seed"}),
                    std::back_inserter(all));
  return all;
}

std::vector<PlayerInUse> players_of(StudySettings& settings) {
  std::vector<PlayerInUse> players;
  for (StudyNet& net : settings.nets)
    players.push_back({net.player, &net.weights});
  for (StudyArm& arm : settings.arms)
    if (arm.net) players.push_back({arm.net->player, &arm.net->weights});
  return players;
}

void check(const StudySettings& settings) {
  check_recorded(settings);
  parse_opening_source(settings.openings);  // throws for another text
  if (settings.temperature > 0) return;
  for (const std::string& variant : settings.variants)
    require_enough_openings(settings.openings, variant, settings.games, 2,
                            "lower games, or set temperature");
}

void check_recorded(const StudySettings& settings) {
  StudySettings copy = settings;
  check_options(options(copy), "");
  require(!settings.title.empty(), "title", "''", "a few words");
  require(settings.games % settings.look == 0, "games", std::to_string(settings.games),
          fmt::format("a multiple of look, which is {}", settings.look));
  require(settings.arms.size() >= 2, "arms", counted(settings.arms.size(), "participant"),
          "at least two: [[arms]] with a name, and a strategy unless they play plainly");
  std::vector<std::string> names;
  for (const StudyArm& arm : settings.arms) {
    require_name("arms", arm.name);
    names.push_back(arm.name);
    if (arm.net)
      for (const std::string& variant : settings.variants)
        require(arm.net->plays(variant), "arms", fmt::format("{}'s net", arm.name),
                fmt::format("a net of all variants, such as {}; it plays {}", variant,
                            arm.net->variant));
  }
  require_distinct("arms", names);
  require_distinct("variants", settings.variants);
  std::vector<std::string> visits;
  for (const std::int64_t number : settings.visits)
    visits.push_back(std::to_string(number));
  require_distinct("visits", visits);
  const auto takes_best = [](const StudyNet& net) { return !net.counts_visits; };
  if (settings.temperature > 0 && (std::ranges::any_of(settings.nets, takes_best) ||
                                   std::ranges::any_of(settings.arms, [&](const StudyArm& arm) {
                                     return arm.net && takes_best(*arm.net);
                                   })))
    throw ExperimentError(
        "temperature: alphabeta always plays the best move, so that its games would be repeated; "
        "leave it 0");
  std::vector<std::string> labels;
  for (const StudyNet& net : settings.nets) {
    if (!is_plain_name(net.label))
      throw ExperimentError(fmt::format(
          "nets: {} needs a label of letters, digits, '-', '_', '+' and '.', as in 1h={}",
          quote(net.player, 80), net.player));
    labels.push_back(net.variant.empty() ? net.label
                                         : fmt::format("{} ({})", net.label, net.variant));
    if (std::ranges::none_of(settings.variants,
                             [&](const std::string& variant) { return net.plays(variant); }))
      throw ExperimentError(fmt::format("nets: {} plays {}, which is not among the variants, {}",
                                        net.label, net.variant,
                                        fmt::join(settings.variants, ", ")));
  }
  require_distinct("nets", labels);
  std::vector<std::string> places;
  for (const StudyCell& cell : cells_of(settings))
    places.push_back(cell.place);
  require_distinct("nets", places);
  for (const std::string& variant : settings.variants) {
    if (std::ranges::none_of(settings.nets,
                             [&](const StudyNet& net) { return net.plays(variant); }))
      throw ExperimentError(fmt::format(
          "nets: none plays {}; add a net of it, or uniform, material or alphabeta, which play "
          "everything",
          variant));
    try {
      make_behaviour_observer(variant, settings.behaviour);
      for (const StudyArm& arm : settings.arms)
        if (!arm.strategy.empty())
          check_strategy(parse_strategy(arm.strategy, fmt::format("[[arms]] {}", arm.name)),
                         variant);
    } catch (const StrategyError& error) {
      throw ExperimentError(error.what());
    }
  }
  require(
      comparisons_of(settings) <= kMostComparisons, "arms",
      counted(comparisons_of(settings), "comparison"),
      fmt::format("fewer: variants, nets, visits and pairs of [[arms]] together give at most {}",
                  kMostComparisons));
}

bool StudyNet::plays(const std::string& canonical) const {
  return variant.empty() || variant == canonical ||
         (shares_levels &&
          parse_variant_name(variant).family == parse_variant_name(canonical).family);
}

namespace {

/// Whether an arm does that plays with `net` or with its own.
bool counts_visits(const StudySettings& settings, const StudyNet& net) {
  return std::ranges::any_of(
      settings.arms, [&](const StudyArm& arm) { return (arm.net ? *arm.net : net).counts_visits; });
}

}  // namespace

bool counts_visits(const StudySettings& settings) {
  return std::ranges::any_of(settings.nets,
                             [&](const StudyNet& net) { return counts_visits(settings, net); });
}

std::vector<StudyCell> cells_of(const StudySettings& settings) {
  std::vector<StudyCell> cells;
  for (const std::string& variant : settings.variants)
    for (std::size_t net = 0; net < settings.nets.size(); ++net) {
      const StudyNet& player = settings.nets[net];
      if (!player.plays(variant)) continue;
      if (!counts_visits(settings, player)) {
        cells.push_back({.variant = variant,
                         .net = net,
                         .name = fmt::format("{}, {}", variant, player.label),
                         .place = fmt::format("{}_{}", place_of(variant), player.label)});
        continue;
      }
      for (const std::int64_t visits : settings.visits)
        cells.push_back(
            {.variant = variant,
             .net = net,
             .visits = static_cast<int>(visits),
             .name = fmt::format("{}, {}, {}", variant, player.label, counted(visits, "visit")),
             .place = fmt::format("{}_{}_{}", place_of(variant), player.label, visits)});
    }
  return cells;
}

std::size_t comparisons_of(const StudySettings& settings) {
  const std::size_t arms = settings.arms.size();
  return cells_of(settings).size() * (arms * (arms - 1) / 2);
}

SequentialTest sequential_test(const StudySettings& settings) {
  return {.alpha = settings.alpha / static_cast<double>(comparisons_of(settings)),
          .indifference = settings.indifference};
}

TournamentSettings tournament_of(const StudySettings& settings, const StudyCell& cell,
                                 const fs::path& strategies) {
  TournamentSettings tournament;
  static_cast<GameSettings&>(tournament) = settings;
  tournament.opening_origins.clear();
  tournament.variant = cell.variant;
  for (const StudyArm& arm : settings.arms) {
    std::string player = arm.net ? arm.net->player : settings.nets[cell.net].player;
    if (!arm.strategy.empty())
      player += fmt::format("{}strategy={}", player.find('?') == std::string::npos ? '?' : '&',
                            (strategies / (arm.name + ".toml")).string());
    tournament.players.push_back({arm.name, player});
  }
  tournament.schedule = Schedule::Sequential;
  tournament.games = settings.look;
  tournament.rounds = settings.games / settings.look;
  tournament.alpha = settings.alpha / static_cast<double>(cells_of(settings).size());
  tournament.indifference = settings.indifference;
  tournament.limits = {.visits = cell.visits};
  tournament.cut = CutGames::Draws;
  // A run that is named may have a newer net than when the study was begun.
  const OpeningSource openings = recorded_opening_source(settings.openings);
  if (openings.kind == OpeningSource::Kind::Policy)
    tournament.openings = text(with_origins(openings, settings.opening_origins));
  return tournament;
}

namespace {

/// "shares_levels" only where it makes a difference: studies of the net's own variant alone may
/// have been begun by a version that did not know it.
Json net_to_json(const StudyNet& net, const std::vector<std::string>& variants) {
  Json json = {{"label", net.label},
               {"player", net.player},
               {"variant", net.variant},
               {"weights", net.weights}};
  if (net.shares_levels && std::ranges::any_of(variants, [&](const std::string& variant) {
        return variant != net.variant && net.plays(variant);
      }))
    json["shares_levels"] = true;
  if (!net.counts_visits) json["counts_visits"] = false;
  return json;
}

StudyNet net_from_json(const nlohmann::json& json, const std::string& source) {
  return {.label = json_field<std::string>(json, "label", source),
          .player = json_field<std::string>(json, "player", source),
          .variant = json_field<std::string>(json, "variant", source),
          .weights = json_field<std::string>(json, "weights", source),
          .shares_levels =
              json.contains("shares_levels") && json_field<bool>(json, "shares_levels", source),
          .counts_visits =
              !json.contains("counts_visits") || json_field<bool>(json, "counts_visits", source)};
}

}  // namespace

Json to_json(const StudySettings& settings) {
  StudySettings copy = settings;
  Json json = options_to_json(options(copy));
  json["nets"] = Json::array();
  for (const StudyNet& net : settings.nets)
    json["nets"].push_back(net_to_json(net, settings.variants));
  json["arms"] = Json::array();
  for (const StudyArm& arm : settings.arms)
    json["arms"].push_back(
        {{"name", arm.name},
         {"strategy", arm.strategy},
         {"net", arm.net ? net_to_json(*arm.net, settings.variants) : Json(nullptr)}});
  json["behaviour"] = Json::array();
  for (const HabitText& habit : settings.behaviour)
    json["behaviour"].push_back({{"name", habit.name}, {"when", habit.when}});
  write_origins(settings.opening_origins, json);
  return json;
}

StudySettings StudySettings::from_json(const Json& json, const std::string& source) {
  StudySettings settings;
  using Objects = std::vector<nlohmann::json>;
  const auto read_lists = [&](const nlohmann::json& object) {
    for (const auto& net : json_field<Objects>(object, "nets", source))
      settings.nets.push_back(net_from_json(net, source));
    for (const auto& arm : json_field<Objects>(object, "arms", source)) {
      settings.arms.push_back({.name = json_field<std::string>(arm, "name", source),
                               .strategy = json_field<std::string>(arm, "strategy", source)});
      const auto net = json_field<nlohmann::json>(arm, "net", source);
      if (!net.is_null()) settings.arms.back().net = net_from_json(net, source);
    }
    for (const auto& habit : json_field<Objects>(object, "behaviour", source))
      settings.behaviour.push_back({.name = json_field<std::string>(habit, "name", source),
                                    .when = json_field<std::string>(habit, "when", source)});
  };
  read_settings(settings, options(settings), json, source, {"nets", "arms", "behaviour"},
                read_lists);
  return settings;
}

}  // namespace faultline
