// Survey settings as JSON, and as the setup of a match.
#include "survey/survey_settings.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/quote.h"
#include "base/seeds.h"
#include "base/text.h"
#include "lab/opening_file.h"
#include "lab/opening_source.h"
#include "model/checkpoint.h"
#include "model/fast/fast_network.h"
#include "play/game.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostVariants = 64;
constexpr std::size_t kMostNumbersOfVisits = 16;

/// FNV-1a (Fowler, Noll and Vo): games of a variant do not depend on which others are surveyed.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace

SurveySettings::SurveySettings() : GameSettings{.openings = "random:0", .temperature = 0.5} {}

const ExperimentKind& SurveySettings::kind() {
  static const ExperimentKind kind{FolderContents::Survey, "survey", "survey.json", "games.pgn",
                                   "games"};
  return kind;
}

std::vector<Option> options(SurveySettings& s) {
  MoveLimits limits;
  Option visits = move_limit_options(limits, 1).front();
  visits.field = &s.visits;
  visits.help =
      "Root visits per move, as in 50,200,800, or nodes of alphabeta: each number has games of its "
      "own.";
  std::vector<Option> all = {
      visits,
      games_option(s.games,
                   "Games of each variant at each number of visits (a survey can be continued with "
                   "more)",
                   100'000)};
  std::ranges::copy(chosen(options(static_cast<GameSettings&>(s)),
                           {"openings", "temperature", "temperature_plies", "max_plies",
                            "search_defaults", "search_settings", "seed"}),
                    std::back_inserter(all));
  all.push_back({"perft_nodes", &s.perft_nodes, Range{1, 1e11},
                 "Count perft as deep as this many moves allow."});
  all.push_back({"playouts", &s.playouts, Range{0, 1'000'000},
                 "Games of random moves, for the size of the game tree."});
  return all;
}

std::vector<PlayerInUse> players_of(SurveySettings& settings) {
  std::vector<PlayerInUse> players;
  for (SurveyedVariant& surveyed : settings.variants)
    players.push_back({surveyed.player, &surveyed.weights});
  return players;
}

std::string limit_text(std::int64_t visits, bool counts_visits) {
  return counted(visits, counts_visits ? "visit" : "node");
}

bool counts_visits(const SurveySettings& settings) {
  return std::ranges::any_of(settings.variants, &SurveyedVariant::counts_visits);
}

bool counts_nodes(const SurveySettings& settings) {
  return !std::ranges::all_of(settings.variants, &SurveyedVariant::counts_visits);
}

namespace {

/// The variant of a net, or of the fast network of an alpha-beta search. `text`: as it is given.
std::string variant_of(const PlayerSpec& player, const std::string& text) {
  if (const auto fast = fast_network_of(player)) return fast->variant;
  if (player.kind == PlayerKind::Net) return read_checkpoint_info(player.net).encoding.variant;
  throw ExperimentError(
      fmt::format("--net {}: is not a net; --evaluator chooses uniform, material or alphabeta",
                  quote(text, 80)));
}

}  // namespace

int SurveySettings::planned_games() const {
  return static_cast<int>(variants.size() * visits.size()) * games;
}

std::vector<SurveyedVariant> assign_players(const std::vector<std::string>& variants,
                                            const std::vector<std::string>& nets,
                                            std::string_view evaluator) {
  const SurveyedVariant without_net{.variant = "",
                                    .player = std::string(evaluator),
                                    .counts_visits = find_player(evaluator).uses_tree_search()};
  std::vector<SurveyedVariant> surveyed;
  const auto add = [&](const std::string& variant) {
    surveyed.push_back(without_net);
    surveyed.back().variant = variant;
  };
  for (const std::string& variant : variants) {
    add(find_game(variant).variant());
    if (std::ranges::count(surveyed, surveyed.back().variant, &SurveyedVariant::variant) > 1)
      throw ExperimentError(surveyed.back().variant + " is given twice");
  }
  for (const std::string& net : nets) {
    const PlayerSpec player = find_player(player_text(net));
    const std::string variant = variant_of(player, net);
    auto of = std::ranges::find(surveyed, variant, &SurveyedVariant::variant);
    if (of == surveyed.end()) {
      if (!variants.empty())
        throw ExperimentError(fmt::format("--net {}: is a net of {}, which is not surveyed",
                                          quote(net, 80), variant));
      add(variant);
      of = surveyed.end() - 1;
    }
    if (of->player != evaluator)
      throw ExperimentError(fmt::format(
          "--net {}: is a net of {}, which is played by {} already: leave one of them out, or "
          "survey each in a folder of its own",
          quote(net, 80), variant, of->player));
    of->player = player.name;
    of->counts_visits = player.uses_tree_search();
  }
  return surveyed;
}

MatchSetup match_setup(const SurveySettings& settings, std::size_t variant, std::size_t visits) {
  const SurveyedVariant& surveyed = settings.variants.at(variant);
  const PlayerSpec player = find_player(surveyed.player);
  MatchSetup setup =
      match_setup(static_cast<const GameSettings&>(settings), surveyed.variant, {player, player});
  MoveLimits limits;
  (surveyed.counts_visits ? limits.visits : limits.nodes) = settings.visits.at(visits);
  setup.config.own_openings = !surveyed.counts_visits;
  setup.limits = {limits, limits};
  setup.config.games = settings.games;
  setup.config.seed =
      mix_seed(static_cast<std::uint64_t>(settings.seed) ^ hash_of(surveyed.variant),
               static_cast<std::uint64_t>(settings.visits.at(visits)));
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
  SurveySettings copy = settings;
  check_options(options(copy), "");
  require(!settings.variants.empty() && settings.variants.size() <= kMostVariants, "variants",
          std::to_string(settings.variants.size()), fmt::format("1 to {}", kMostVariants));
  require(!settings.visits.empty() && settings.visits.size() <= kMostNumbersOfVisits &&
              std::ranges::is_sorted(settings.visits, std::less_equal()),
          "visits", fmt::format("{}", fmt::join(settings.visits, ",")),
          fmt::format("1 to {} different numbers, the smallest first", kMostNumbersOfVisits));
  require(settings.temperature > 0 || !counts_visits(settings), "temperature", "0",
          "above 0: the same player on both sides would repeat its games");
  require(settings.temperature == 0 || counts_visits(settings), "temperature",
          fmt::format("{:g}", settings.temperature), "0: alphabeta always plays the best move");
  std::vector<std::string> names;
  for (const SurveyedVariant& surveyed : settings.variants)
    names.push_back(find_game(surveyed.variant).variant());
  require_distinct("variants", names);
}

void check(const SurveySettings& settings) {
  check_recorded(settings);
  for (std::size_t i = 0; i < settings.variants.size(); ++i) {
    const std::string& variant = settings.variants[i].variant;
    const MatchSetup setup = match_setup(settings, i, 0);
    check(setup.config);
    const PlayerSpec& player = setup.players[0];
    if (!player.uses_tree_search() && player.kind != PlayerKind::AlphaBeta)
      throw ExperimentError(fmt::format(
          "variants: {} is played by {}, which has no visits: a survey takes nets, uniform, "
          "material and alphabeta",
          variant, player.name));
    if (player.limits.any() || player.temperature)
      throw ExperimentError(fmt::format(
          "variants: {} is played by {}, which has its own limits or temperature: they are those "
          "of the survey",
          variant, player.name));
    check_strategy_of(player, variant);
    require(settings.variants[i].counts_visits == player.uses_tree_search(), "counts_visits",
            settings.variants[i].counts_visits ? "true" : "false",
            fmt::format("the other for {}", player.name));
    if (settings.variants[i].counts_visits) {
      search_of(player, setup);
      continue;
    }
    if (!plays_alike(player))
      throw ExperimentError(
          fmt::format("variants: {} is played by {}, which has several threads, so that its games "
                      "could not be played again",
                      variant, player.name));
    require_enough_openings(settings.openings, variant, settings.games, 1, "lower games");
  }
  require_no_positions(settings);
}

Json to_json(const SurveySettings& settings) {
  Json json;
  json["variants"] = Json::array();
  for (const SurveyedVariant& surveyed : settings.variants) {
    json["variants"].push_back({{"variant", surveyed.variant}, {"player", surveyed.player}});
    if (!surveyed.weights.empty()) json["variants"].back()["weights"] = surveyed.weights;
    if (!surveyed.counts_visits) json["variants"].back()["counts_visits"] = false;
  }
  SurveySettings copy = settings;
  json.update(options_to_json(options(copy)));
  write_origins(settings.opening_origins, json);
  return json;
}

SurveySettings SurveySettings::from_json(const Json& json, const std::string& source) {
  SurveySettings settings;
  const std::string what = source + ": variants";
  read_settings(
      settings, options(settings), json, source, {"variants"}, [&](const nlohmann::json& object) {
        for (const auto& entry :
             json_field<std::vector<nlohmann::json>>(object, "variants", source))
          settings.variants.push_back(
              {json_field<std::string>(entry, "variant", what),
               json_field<std::string>(entry, "player", what),
               entry.contains("weights") ? json_field<std::string>(entry, "weights", what)
                                         : std::string(),
               !entry.contains("counts_visits") || json_field<bool>(entry, "counts_visits", what)});
      });
  return settings;
}

SurveySettings read_survey(const std::filesystem::path& file) {
  return SurveySettings::from_json(read_json_file(file), file.string());
}

}  // namespace faultline
