// Studies as TOML and as JSON, and what is in them.
#include "lab/study_settings.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/nearest_name.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/toml_node.h"
#include "lab/opening_file.h"
#include "lab/opening_source.h"
#include "model/checkpoint.h"
#include "play/game.h"
#include "rules/variant.h"
#include "strategy/behaviour.h"
#include "strategy/strategy.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostComparisons = 10'000;

/// Names become parts of file names and of players' texts.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 40 && name.front() != '.' &&
         std::ranges::all_of(name, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '+';
         });
}

void require(bool holds, std::string_view key, std::string_view value, std::string_view allowed) {
  if (!holds) throw StudyError(fmt::format("{} = {}: must be {}", key, value, allowed));
}

void require_name(std::string_view key, const std::string& name) {
  require(is_plain_name(name), key, quote(name),
          "letters, digits, '-', '_', '+' and '.', at most 40");
}

std::string read_text(const fs::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::error_code ignored;
  if (!in || fs::is_directory(file, ignored))
    throw StudyError(fmt::format("{}: cannot be read: {}", file.string(),
                                 in ? "it is a folder" : std::generic_category().message(errno)));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw StudyError(file.string() + ": cannot be read to its end");
  return text;
}

/// A net's label, variant and weights.
StudyNet net_of(const std::string& text) {
  const Entrant entrant = parse_entrant(text);
  const PlayerSpec player = find_player(entrant.player);
  StudyNet net{.label = entrant.name, .player = entrant.player};
  if (!player.uses_tree_search())
    throw StudyError(fmt::format(
        "nets: {} searches no tree with PUCT; strategies can be laid over a net, uniform and "
        "material",
        quote(text, 80)));
  if (!player.strategy.empty())
    throw StudyError(
        fmt::format("nets: {} has a strategy, which belongs to [[arms]]", quote(text, 80)));
  if (player.limits.any())
    throw StudyError(
        fmt::format("nets: {} has its own limits; the study's are in visits", quote(text, 80)));
  if (player.uses_net()) {
    const CheckpointInfo info = read_checkpoint_info(player.net);
    net.variant = info.encoding.variant;
    net.weights = info.weights();
    net.shares_levels = info.net.share_levels;
    if (entrant.name == entrant.player) net.label = player.net.stem().string();
  }
  return net;
}

/// Reads one file.
class Reader {
 public:
  Reader(std::string source, fs::path folder)
      : source_(std::move(source)), folder_(std::move(folder)) {}

  StudySettings read(const toml::table& root, const StudyOverrides& overrides) {
    const std::vector<Option> scalars = options(settings_);
    std::vector<std::string> net_texts;
    for (const auto& [key, node] : root) {
      const std::string name(key.str());
      const auto scalar = std::ranges::find(scalars, name, &Option::name);
      if (scalar != scalars.end())
        read_scalar(*scalar, node);
      else if (name == "variants")
        settings_.variants = texts(node, name);
      else if (name == "nets")
        net_texts = texts(node, name);
      else if (name == "visits")
        read_visits(node);
      else if (name == "arms")
        read_tables(node, name, [&](const toml::table& table) { read_arm(table); });
      else if (name == "behaviour")
        read_tables(node, name, [&](const toml::table& table) { read_habit(table); });
      else
        refuse_key(node, name, known_keys(scalars));
    }
    for (const char* needed : {"title", "variants", "visits", "arms"})
      if (!root.contains(needed))
        throw StudyError(
            fmt::format("{}: '{}' is missing; docs/studies.md lists the keys", source_, needed));
    try {
      for (std::string& variant : settings_.variants)
        variant = find_game(variant).variant();
      override_variants(overrides.variants);
      if (!overrides.visits.empty()) settings_.visits = overrides.visits;
      if (overrides.games) settings_.games = *overrides.games;
      if (!overrides.nets.empty()) net_texts = overrides.nets;
      // Where no arm searches with it, it gives the cells their name only.
      const auto has_net = [](const StudyArm& arm) { return arm.net.has_value(); };
      if (net_texts.empty())
        net_texts.emplace_back(std::ranges::all_of(settings_.arms, has_net) ? "own-nets=uniform"
                                                                            : "uniform");
      for (const std::string& text : net_texts)
        settings_.nets.push_back(net_of(text));
      check(settings_);
    } catch (const StudyError& error) {
      throw StudyError(fmt::format("{}: {}", source_, error.what()));
    }
    return std::move(settings_);
  }

 private:
  static std::vector<std::string> known_keys(const std::vector<Option>& scalars) {
    std::vector<std::string> keys = {"variants", "nets", "visits", "arms", "behaviour"};
    for (const Option& option : scalars)
      keys.push_back(option.name);
    return keys;
  }

  [[noreturn]] void refuse(const toml::node& node, const std::string& reason) const {
    throw StudyError(fmt::format("{}:{}: {}", source_, line_of(node), reason));
  }
  [[noreturn]] void refuse_key(const toml::node& node, const std::string& name,
                               const std::vector<std::string>& known) const {
    refuse(node, unknown_key_text(name, known));
  }
  [[noreturn]] void refuse_value(const toml::node& node, const std::string& key,
                                 const std::string& allowed) const {
    refuse(node, wrong_value_text(node, key, allowed));
  }

  void read_scalar(const Option& option, const toml::node& node) const {
    const std::optional<OptionValue> value = value_of(node);
    try {
      if (!value) faultline::refuse_value(option, option.name, shown_node(node));
      assign(option, option.name, *value, shown_node(node));
    } catch (const OptionError& error) {
      refuse(node, error.what());
    }
  }

  std::string text(const toml::node& node, const std::string& key) const {
    if (const auto* value = node.as_string()) return value->get();
    refuse_value(node, key, "text");
  }
  std::vector<std::string> texts(const toml::node& node, const std::string& key) const {
    const auto* list = node.as_array();
    if (list == nullptr) refuse_value(node, key, "a list of texts");
    if (list->empty())
      refuse(node, fmt::format("'{}' must not be empty: it is a list of texts", key));
    std::vector<std::string> all;
    for (const toml::node& one : *list)
      all.push_back(text(one, key));
    return all;
  }

  void read_visits(const toml::node& node) {
    const auto* list = node.as_array();
    if (list == nullptr) refuse_value(node, "visits", "a list of numbers, as in [50, 200]");
    if (list->empty())
      refuse(node, "'visits' must not be empty: it is a list of numbers, as in [50, 200]");
    for (const toml::node& one : *list) {
      const auto* number = one.as_integer();
      if (number == nullptr || number->get() < 1 || number->get() > kMostStudyVisits)
        refuse_value(one, "visits", fmt::format("whole numbers, 1 to {}", kMostStudyVisits));
      settings_.visits.push_back(static_cast<int>(number->get()));
    }
  }

  void override_variants(const std::vector<std::string>& variants) {
    std::vector<std::string> chosen;
    for (const std::string& name : variants) {
      chosen.push_back(find_game(name).variant());
      if (std::ranges::find(settings_.variants, chosen.back()) == settings_.variants.end())
        throw StudyError(fmt::format("--variants {}: is not one of the study's, {}", name,
                                     fmt::join(settings_.variants, ", ")));
    }
    if (!chosen.empty()) settings_.variants = std::move(chosen);
  }

  template <class Read>
  void read_tables(const toml::node& node, const std::string& key, const Read& read) const {
    const auto* list = node.as_array();
    if (list == nullptr) refuse_value(node, key, fmt::format("a list of tables: [[{}]]", key));
    for (const toml::node& one : *list) {
      const auto* table = one.as_table();
      if (table == nullptr) refuse_value(one, key, fmt::format("a table: [[{}]]", key));
      read(*table);
    }
  }

  void read_arm(const toml::table& table) {
    StudyArm arm;
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "name")
        arm.name = text(node, name);
      else if (name == "strategy")
        arm.strategy = strategy_text(node);
      else if (name == "net")
        arm.net = net_of(text(node, name));
      else
        refuse_key(node, name, {"name", "strategy", "net"});
    }
    if (!is_plain_name(arm.name))
      refuse(table, fmt::format("an arm needs a 'name' of letters, digits, '-', '_', '+' and '.', "
                                "not {}",
                                quote(arm.name)));
    settings_.arms.push_back(std::move(arm));
  }

  std::string strategy_text(const toml::node& node) const {
    const std::string name = text(node, "strategy");
    try {
      const fs::path file = find_strategy(name, folder_);
      load_strategy(file);
      return read_text(file);
    } catch (const StrategyError& error) {
      refuse(node, error.what());
    }
  }

  void read_habit(const toml::table& table) {
    HabitText habit;
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "name")
        habit.name = text(node, name);
      else if (name == "when")
        habit.when = text(node, name);
      else
        refuse_key(node, name, {"name", "when"});
    }
    if (habit.name.empty() || habit.when.empty())
      refuse(table, "behaviour needs a 'name' and a 'when', as in when = \"captures = true\"");
    settings_.behaviour.push_back(std::move(habit));
  }

  std::string source_;
  fs::path folder_;
  StudySettings settings_;
};

template <class Values>
void require_distinct(std::string_view key, const Values& values) {
  auto sorted = values;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) throw StudyError(fmt::format("{}: {} is given twice", key, *twice));
}

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
  return json;
}

StudyNet net_from_json(const nlohmann::json& json, const std::string& source) {
  return {.label = json_field<std::string>(json, "label", source),
          .player = json_field<std::string>(json, "player", source),
          .variant = json_field<std::string>(json, "variant", source),
          .weights = json_field<std::string>(json, "weights", source),
          .shares_levels =
              json.contains("shares_levels") && json_field<bool>(json, "shares_levels", source)};
}

std::string place_of(std::string_view text) {
  std::string place;
  for (const char c : text)
    place += is_plain_name(std::string_view(&c, 1)) || c == '.' ? c : '-';
  return place;
}

}  // namespace

std::vector<Option> options(StudySettings& s) {
  return {
      {"title", &s.title, Anything{}, "What the study is about, in a few words."},
      {"question", &s.question, Anything{}, "The question that it asks, in a sentence or two."},
      {"openings", &s.openings, Anything{},
       "Where openings come from, as with `faultline match --openings`; each is played twice."},
      {"games", &s.games, Range{2, 1'000'000}, "Games of each comparison, at most."},
      {"look", &s.look, Range{2, 1'000'000},
       "Games between two looks at a comparison: it may end at each. Even; divides games."},
      {"alpha", &s.alpha, Range{1e-6, 0.5},
       "The probability that any comparison is decided wrongly, at most."},
      {"indifference", &s.indifference, Range{0, 400},
       "A comparison ends as equivalent when its difference is surely within so many Elo; 0: it "
       "does not."},
      {"temperature", &s.temperature, Range{0, 10}, "Of the moves; 0: the most visited one."},
      {"temperature_plies", &s.temperature_plies, Range{0, 100'000},
       "Plies that the temperature is for; 0: the whole game."},
      {"max_plies", &s.max_plies, Range{0, 100'000},
       "Longer games are cut and count as draws; 0: as long as the family's games may be."},
      {"seed", &s.seed, Range{0, kLargestWhole}, "For openings and random choices."},
  };
}

StudySettings parse_study(std::string_view text, const std::string& source, const fs::path& folder,
                          const StudyOverrides& overrides) {
  try {
    return Reader(source, folder).read(parse_toml(text, source), overrides);
  } catch (const TomlTextError& error) {
    throw StudyError(error.what());
  }
}

StudySettings read_study(const fs::path& file, const StudyOverrides& overrides) {
  return parse_study(read_text(file), file.string(),
                     file.has_parent_path() ? file.parent_path() : fs::path("."), overrides);
}

namespace {

/// Without temperature an opening that returns gives the same two games again, which are no further
/// evidence.
void require_enough_openings(const StudySettings& settings) {
  const OpeningSource source = parse_opening_source(settings.openings);
  if (settings.temperature > 0) return;
  if (source.kind != OpeningSource::Kind::File) {
    require(source.plies >= 2, "openings", settings.openings,
            "of two plies or more: with fewer, games are repeated");
    return;
  }
  for (const std::string& variant : settings.variants) {
    const auto count = static_cast<int>(read_openings(source.file, variant).size());
    require(2 * count >= settings.games, "openings", settings.openings,
            fmt::format(
                "a file of at least {} for {}, and it has {}: games would be repeated; lower "
                "games, or set temperature",
                counted(settings.games / 2, "opening"), counted(settings.games, "game"), count));
  }
}

}  // namespace

void check(const StudySettings& settings) {
  check_recorded(settings);
  require_enough_openings(settings);
}

void check_recorded(const StudySettings& settings) {
  StudySettings copy = settings;
  for (const Option& option : options(copy)) {
    try {
      check_options({option}, "study");
    } catch (const OptionError& error) {
      throw StudyError(error.what());
    }
  }
  require(!settings.title.empty(), "title", "''", "a few words");
  require(settings.look % 2 == 0, "look", std::to_string(settings.look),
          "even: every opening is played twice, with colours swapped");
  require(settings.games % settings.look == 0, "games", std::to_string(settings.games),
          fmt::format("a multiple of look, which is {}", settings.look));
  require(settings.arms.size() >= 2, "arms", counted(settings.arms.size(), "arm"),
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
  require_distinct("visits", settings.visits);
  for (const int visits : settings.visits)
    require(visits >= 1 && visits <= kMostStudyVisits, "visits", std::to_string(visits),
            fmt::format("1 to {}", kMostStudyVisits));
  std::vector<std::string> labels;
  for (const StudyNet& net : settings.nets) {
    if (!is_plain_name(net.label))
      throw StudyError(fmt::format(
          "nets: {} needs a label of letters, digits, '-', '_', '+' and '.', as in 1h={}",
          quote(net.player, 80), net.player));
    labels.push_back(net.variant.empty() ? net.label
                                         : fmt::format("{} ({})", net.label, net.variant));
    if (std::ranges::none_of(settings.variants,
                             [&](const std::string& variant) { return net.plays(variant); }))
      throw StudyError(fmt::format("nets: {} plays {}, which is not among the variants, {}",
                                   net.label, net.variant, fmt::join(settings.variants, ", ")));
  }
  require_distinct("nets", labels);
  std::vector<std::string> places;
  for (const StudyCell& cell : cells_of(settings))
    places.push_back(cell.place);
  require_distinct("nets", places);
  for (const std::string& variant : settings.variants) {
    if (std::ranges::none_of(settings.nets,
                             [&](const StudyNet& net) { return net.plays(variant); }))
      throw StudyError(fmt::format(
          "nets: none plays {}; add a net of it, or uniform or material, which play everything",
          variant));
    try {
      make_behaviour_observer(variant, settings.behaviour);
      for (const StudyArm& arm : settings.arms)
        if (!arm.strategy.empty())
          check_strategy(parse_strategy(arm.strategy, fmt::format("arm {}", arm.name)), variant);
    } catch (const StrategyError& error) {
      throw StudyError(error.what());
    }
  }
  require(comparisons_of(settings) <= kMostComparisons, "arms",
          counted(comparisons_of(settings), "comparison"),
          fmt::format("fewer: variants, nets, visits and pairs of arms together give at most {}",
                      kMostComparisons));
}

Json to_json(const StudySettings& settings) {
  StudySettings copy = settings;
  Json json;
  const Json scalars = options_to_json(options(copy));
  for (const Option& option : options(copy))
    json[option.name] = scalars.at(option.name);
  json["variants"] = settings.variants;
  json["nets"] = Json::array();
  for (const StudyNet& net : settings.nets)
    json["nets"].push_back(net_to_json(net, settings.variants));
  json["visits"] = settings.visits;
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

StudySettings study_from_json(const Json& json, const std::string& source) {
  StudySettings settings;
  try {
    const nlohmann::json object = json;
    options_from_json(options(settings), object, source);
    settings.variants = json_field<std::vector<std::string>>(object, "variants", source);
    settings.visits = json_field<std::vector<int>>(object, "visits", source);
    using Objects = std::vector<nlohmann::json>;
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
    settings.opening_origins = read_origins(object, source);
  } catch (const std::runtime_error& error) {
    throw StudyError(error.what());
  }
  return settings;
}

void check_same(const StudySettings& stored, const StudySettings& given,
                const std::string& source) {
  const Json old_json = to_json(stored);
  StudySettings comparable = given;
  comparable.opening_origins.clear();
  const Json new_json = to_json(comparable);
  for (const auto& [key, value] : new_json.items()) {
    if (value == old_json.at(key)) continue;
    if (key == "games" && given.games > stored.games) continue;
    if (key == "title" || key == "question") continue;
    const auto shown = [](const Json& one) {
      return one.is_structured() ? quote(one.dump(), 200) : one.dump();
    };
    throw StudyError(fmt::format(
        "{} has {} = {}, not {}: continue the study as it was begun (more games are possible), or "
        "use another --out",
        source, key, shown(old_json.at(key)), shown(value)));
  }
}

bool StudyNet::plays(const std::string& canonical) const {
  return variant.empty() || variant == canonical ||
         (shares_levels &&
          parse_variant_name(variant).family == parse_variant_name(canonical).family);
}

std::vector<StudyCell> cells_of(const StudySettings& settings) {
  std::vector<StudyCell> cells;
  for (const std::string& variant : settings.variants)
    for (std::size_t net = 0; net < settings.nets.size(); ++net) {
      const StudyNet& player = settings.nets[net];
      if (!player.plays(variant)) continue;
      for (const int visits : settings.visits)
        cells.push_back(
            {.variant = variant,
             .net = net,
             .visits = visits,
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
  TournamentSettings tournament{.variant = cell.variant};
  for (const StudyArm& arm : settings.arms) {
    std::string player = arm.net ? arm.net->player : settings.nets[cell.net].player;
    if (!arm.strategy.empty())
      player += fmt::format("{}strategy={}", player.find('?') == std::string::npos ? '?' : '&',
                            (strategies / (arm.name + ".toml")).string());
    tournament.players.push_back({arm.name, player});
  }
  tournament.schedule = "sequential";
  tournament.games = settings.look;
  tournament.rounds = settings.games / settings.look;
  tournament.alpha = settings.alpha / static_cast<double>(cells_of(settings).size());
  tournament.indifference = settings.indifference;
  tournament.limits = {.visits = cell.visits};
  const OpeningSource openings = recorded_opening_source(settings.openings);
  // A run that is named may have a newer net than when the study was begun.
  tournament.openings = openings.kind == OpeningSource::Kind::Policy
                            ? text(with_origins(openings, settings.opening_origins))
                            : settings.openings;
  tournament.cut = "draws";
  tournament.max_plies = settings.max_plies;
  tournament.temperature = settings.temperature;
  tournament.temperature_plies = settings.temperature_plies;
  tournament.seed = settings.seed;
  return tournament;
}

}  // namespace faultline
