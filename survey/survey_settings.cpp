// Survey settings as JSON, and as the setup of a match.
#include "survey/survey_settings.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/nearest_name.h"
#include "base/quote.h"
#include "base/seeds.h"
#include "lab/opening_file.h"
#include "lab/opening_source.h"
#include "model/checkpoint.h"
#include "play/game.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostVariants = 64;
constexpr std::size_t kMostVisits = 16;
constexpr int kMostGames = 100'000;
constexpr std::int64_t kMostPerftNodes = 100'000'000'000;
constexpr int kMostPlayouts = 1'000'000;

void require(bool holds, std::string_view key, const std::string& value, std::string_view allowed) {
  if (!holds) throw SurveyError(fmt::format("{} = {}: must be {}", key, value, allowed));
}

/// Calls visit(key, field) for every field but the variants; one list for writing and reading.
template <class Settings, class Visit>
void visit_fields(Settings& s, const Visit& visit) {
  visit("visits", s.visits);
  visit("games", s.games);
  visit("openings", s.openings);
  visit("temperature", s.temperature);
  visit("temperature_plies", s.temperature_plies);
  visit("max_plies", s.max_plies);
  visit("search_defaults", s.search_defaults);
  visit("search_settings", s.search_settings);
  visit("perft_nodes", s.perft_nodes);
  visit("playouts", s.playouts);
  visit("seed", s.seed);
}

/// FNV-1a (Fowler, Noll and Vo): games of a variant do not depend on which others are surveyed.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace

int SurveySettings::planned_games() const {
  return static_cast<int>(variants.size() * visits.size()) * games;
}

std::vector<SurveyedVariant> assign_players(const std::vector<std::string>& variants,
                                            const std::vector<std::string>& nets,
                                            std::string_view evaluator) {
  std::vector<SurveyedVariant> surveyed;
  for (const std::string& variant : variants) {
    surveyed.push_back({find_game(variant).variant(), std::string(evaluator)});
    if (std::ranges::count(surveyed, surveyed.back().variant, &SurveyedVariant::variant) > 1)
      throw SurveyError(surveyed.back().variant + " is given twice");
  }
  for (const std::string& net : nets) {
    const PlayerSpec player = find_player(net);
    if (player.kind != PlayerKind::Net)
      throw SurveyError(fmt::format(
          "--net {}: is not a net; --evaluator chooses uniform or material", quote(net, 80)));
    const CheckpointInfo info = read_checkpoint_info(player.net);
    const std::string& variant = info.encoding.variant;
    auto of = std::ranges::find(surveyed, variant, &SurveyedVariant::variant);
    if (of == surveyed.end()) {
      if (!variants.empty())
        throw SurveyError(fmt::format("--net {}: is a net of {}, which is not surveyed",
                                      quote(net, 80), variant));
      surveyed.push_back({variant, std::string(evaluator)});
      of = surveyed.end() - 1;
    }
    if (of->player != evaluator)
      throw SurveyError(fmt::format(
          "--net {}: is a net of {}, which is played by {} already: leave one of them out, or "
          "survey each in a folder of its own",
          quote(net, 80), variant, of->player));
    of->player = player.name;
    of->weights = info.weights();
  }
  return surveyed;
}

MatchSetup match_setup(const SurveySettings& settings, std::size_t variant, std::size_t visits) {
  const SurveyedVariant& surveyed = settings.variants.at(variant);
  MatchSetup setup;
  setup.variant = surveyed.variant;
  const PlayerSpec player = find_player(surveyed.player);
  setup.players = {player, player};
  const MoveLimits limits{.visits = settings.visits.at(visits)};
  setup.limits = {limits, limits};
  setup.search_defaults = settings.search_defaults;
  setup.search_settings = settings.search_settings;
  MatchConfig& config = setup.config;
  config.games = settings.games;
  config.openings = with_origins(parse_opening_source(settings.openings), settings.opening_origins);
  config.seed = mix_seed(static_cast<std::uint64_t>(settings.seed) ^ hash_of(surveyed.variant),
                         static_cast<std::uint64_t>(limits.visits));
  config.max_plies = settings.max_plies;
  config.temperature = static_cast<float>(settings.temperature);
  config.temperature_plies = settings.temperature_plies;
  return setup;
}

namespace {

/// A survey is about games from the variant's start.
void require_no_positions(const SurveySettings& settings) {
  const OpeningSource source = parse_opening_source(settings.openings);
  if (source.kind != OpeningSource::Kind::File) return;
  for (const SurveyedVariant& surveyed : settings.variants)
    for (const OpeningText& opening :
         read_openings(source.file, surveyed.variant, source.strict).openings)
      require(
          opening.start_fen.empty(), "openings", settings.openings,
          fmt::format("a file of moves: games of a survey begin at the variant's start, not at {}",
                      quote(opening.start_fen, 80)));
}

}  // namespace

void check_recorded(const SurveySettings& settings) {
  require(!settings.variants.empty() && settings.variants.size() <= kMostVariants, "variants",
          std::to_string(settings.variants.size()), fmt::format("1 to {}", kMostVariants));
  require(!settings.visits.empty() && settings.visits.size() <= kMostVisits, "visits",
          fmt::format("{}", fmt::join(settings.visits, ",")),
          fmt::format("1 to {} numbers", kMostVisits));
  require(std::ranges::is_sorted(settings.visits, std::less_equal()) && settings.visits[0] >= 1 &&
              settings.visits.back() <= 10'000'000,
          "visits", fmt::format("{}", fmt::join(settings.visits, ",")),
          "different numbers from 1 to 10,000,000, the smallest first");
  require(settings.games >= 2 && settings.games % 2 == 0 && settings.games <= kMostGames, "games",
          std::to_string(settings.games), "even and from 2 to 100,000");
  require(settings.temperature > 0 && settings.temperature <= 100, "temperature",
          fmt::format("{}", settings.temperature),
          "above 0, up to 100: the same player on both sides would repeat its games");
  require(settings.perft_nodes >= 1 && settings.perft_nodes <= kMostPerftNodes, "perft_nodes",
          std::to_string(settings.perft_nodes), fmt::format("1 to {}", kMostPerftNodes));
  require(settings.playouts >= 0 && settings.playouts <= kMostPlayouts, "playouts",
          std::to_string(settings.playouts), fmt::format("0 to {}", kMostPlayouts));
  require(settings.seed >= 0, "seed", std::to_string(settings.seed), "at least 0");
  std::set<std::string> names;
  for (const SurveyedVariant& surveyed : settings.variants)
    if (!names.insert(find_game(surveyed.variant).variant()).second)
      throw SurveyError(fmt::format("variants: {} is given twice", surveyed.variant));
}

void check(const SurveySettings& settings) {
  check_recorded(settings);
  for (std::size_t i = 0; i < settings.variants.size(); ++i) {
    const std::string& variant = settings.variants[i].variant;
    const MatchSetup setup = match_setup(settings, i, 0);
    check(setup.config);
    const PlayerSpec& player = setup.players[0];
    if (!player.uses_tree_search())
      throw SurveyError(fmt::format(
          "variants: {} is played by {}, which has no visits: a survey takes nets, uniform and "
          "material",
          variant, player.name));
    if (player.limits.any() || player.temperature)
      throw SurveyError(fmt::format(
          "variants: {} is played by {}, which has its own limits or temperature: they are those "
          "of the survey",
          variant, player.name));
    search_of(player, setup);
    check_strategy_of(player, variant);
  }
  require_no_positions(settings);
}

Json to_json(const SurveySettings& settings) {
  Json json;
  json["variants"] = Json::array();
  for (const SurveyedVariant& surveyed : settings.variants) {
    json["variants"].push_back({{"variant", surveyed.variant}, {"player", surveyed.player}});
    if (!surveyed.weights.empty()) json["variants"].back()["weights"] = surveyed.weights;
  }
  visit_fields(settings, [&](const char* key, const auto& field) { json[key] = field; });
  write_origins(settings.opening_origins, json);
  return json;
}

SurveySettings survey_from_json(const Json& json, const std::string& source) {
  SurveySettings settings;
  std::vector<std::string> keys = {"variants", kOpeningOriginsKey};
  try {
    const nlohmann::json object = json;
    visit_fields(settings, [&](const char* key, auto& field) {
      keys.emplace_back(key);
      if (object.is_object() && !object.contains(key)) return;
      field = json_field<std::remove_cvref_t<decltype(field)>>(object, key, source);
    });
    const std::string what = source + ": variants";
    for (const auto& entry : json_field<std::vector<nlohmann::json>>(object, "variants", source))
      settings.variants.push_back({json_field<std::string>(entry, "variant", what),
                                   json_field<std::string>(entry, "player", what),
                                   entry.contains("weights")
                                       ? json_field<std::string>(entry, "weights", what)
                                       : std::string()});
    settings.opening_origins = read_origins(object, source);
  } catch (const std::runtime_error& error) {
    throw SurveyError(error.what());
  }
  for (const auto& [key, value] : json.items())
    if (std::ranges::find(keys, key) == keys.end())
      throw SurveyError(fmt::format("{}: there is no key {}{}", source, quote(key),
                                    did_you_mean(nearest_name(key, keys))));
  return settings;
}

SurveySettings read_survey(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw SurveyError(file.string() + ": cannot be opened");
  Json json;
  try {
    json = Json::parse(in);
  } catch (const Json::parse_error&) {
    throw SurveyError(file.string() + ": is not JSON");
  }
  return survey_from_json(json, file.string());
}

void check_weights(const SurveySettings& settings) {
  for (const SurveyedVariant& surveyed : settings.variants) {
    if (surveyed.weights.empty()) continue;
    const PlayerSpec player = find_player(surveyed.player);
    const std::string now = read_checkpoint_info(player.net).weights();
    if (now == surveyed.weights) continue;
    throw SurveyError(fmt::format(
        "variants: {} is played by {}, which has other weights than when the survey was begun "
        "({}, not {}): put the net back, or use another folder",
        surveyed.variant, player.net.string(), now, surveyed.weights));
  }
}

void check_same(const SurveySettings& stored, const SurveySettings& given,
                const std::string& source) {
  const Json old_json = to_json(stored);
  SurveySettings comparable = given;
  comparable.opening_origins.clear();
  for (std::size_t i = 0; i < std::min(stored.variants.size(), given.variants.size()); ++i)
    if (stored.variants[i].weights.empty()) comparable.variants[i].weights.clear();
  const Json new_json = to_json(comparable);
  for (const auto& [key, value] : new_json.items()) {
    if (key == "games" ? given.games >= stored.games : value == old_json.at(key)) continue;
    throw SurveyError(fmt::format(
        "{} has {} = {}, not {}: continue it with the same settings (more games are possible), or "
        "use another folder",
        source, key, json_text(old_json.at(key)), json_text(value)));
  }
}

}  // namespace faultline
