// What a study compares: keys, checks, and the tournaments that it is made of.
#include "lab/study_settings.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text.h"
#include "lab/opening_file.h"
#include "lab/opening_source.h"
#include "rules/variant.h"
#include "strategy/behaviour.h"
#include "strategy/strategy.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostComparisons = 10'000;

void require(bool holds, std::string_view key, std::string_view value, std::string_view allowed) {
  if (!holds) throw StudyError(fmt::format("{} = {}: must be {}", key, value, allowed));
}

void require_name(std::string_view key, const std::string& name) {
  require(is_plain_name(name), key, quote(name),
          "letters, digits, '-', '_', '+' and '.', at most 40");
}

template <class Values>
void require_distinct(std::string_view key, const Values& values) {
  auto sorted = values;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) throw StudyError(fmt::format("{}: {} is given twice", key, *twice));
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

std::vector<Option> options(StudySettings& s) {
  return {
      {"title", &s.title, Anything{}, "What the study is about, in a few words."},
      {"question", &s.question, Anything{}, "The question that it asks, in a sentence or two."},
      {"openings", &s.openings, Anything{},
       "Where openings come from, as with 'faultline match --openings'; each is played twice."},
      {"games", &s.games, Range{2, 1'000'000}, "Games of each comparison, at most."},
      {"look", &s.look, Range{2, 1'000'000},
       "Games between two tests of a comparison, which may end at each. Even; divides games."},
      {"alpha", &s.alpha, Range{1e-6, 0.5},
       "The probability that any comparison is decided wrongly, at most."},
      {"indifference", &s.indifference, Range{0, 400},
       "A comparison ends as equivalent when its difference is decided to be within this many Elo; "
       "0: it "
       "does not."},
      {"temperature", &s.temperature, Range{0, 10},
       "Temperature of the choice of moves; 0: the most visited one."},
      {"temperature_plies", &s.temperature_plies, Range{0, 100'000},
       "Plies from the start of the game in which the temperature holds; 0: the whole game."},
      {"max_plies", &s.max_plies, Range{0, 100'000},
       "Longer games are cut and count as draws; 0: as long as the family's games may be."},
      {"seed", &s.seed, Range{0, kLargestWhole}, "Seed of openings and random choices."},
  };
}

namespace {

/// Throws StudyError if openings would be repeated: without temperature an opening that returns
/// gives the same two games again, which are no further evidence.
void require_enough_openings(const StudySettings& settings) {
  const OpeningSource source = parse_opening_source(settings.openings);
  if (settings.temperature > 0) return;
  if (source.kind != OpeningSource::Kind::File) {
    require(source.plies >= 2, "openings", settings.openings,
            "of two plies or more: with fewer, games are repeated");
    return;
  }
  for (const std::string& variant : settings.variants) {
    const auto count =
        static_cast<int>(read_openings(source.file, variant, source.strict).openings.size());
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
          check_strategy(parse_strategy(arm.strategy, fmt::format("[[arms]] {}", arm.name)),
                         variant);
    } catch (const StrategyError& error) {
      throw StudyError(error.what());
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
