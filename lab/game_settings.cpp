// The table of how games are played, and the matches that it describes.
#include "lab/game_settings.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace faultline {
namespace {

constexpr double kMostPlies = 100'000;
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

}  // namespace

std::vector<Option> options(GameSettings& s) {
  std::vector<Option> all = move_limit_options(s.limits);
  const std::vector<Option> others = {
      {"openings", &s.openings, Anything{},
       std::string("Where openings come from; each is played twice: ") + kOpeningsHelp + "."},
      {"adjudicate_win", &s.adjudicate_win, Anything{},
       "End games whose players agree who wins: score=0.95,moves=5."},
      {"adjudicate_draw", &s.adjudicate_draw, Anything{},
       "End games whose players agree on a draw: score=0.05,moves=10,after=80."},
      {"cut", EnumField(&s.cut), Choices{{"apart", "draws"}},
       "Games that are cut have no result and are counted apart, or are draws."},
      {"max_plies", &s.max_plies, Range{0, kMostPlies}, "Longer games are cut; 0: by the family."},
      {"temperature", &s.temperature, Range{0, 100},
       "Temperature of the choice of moves in the first temperature_plies; 0: the best move."},
      {"temperature_plies", &s.temperature_plies, Range{0, kMostPlies},
       "Plies from the start of the game in which the temperature holds; 0: the whole game."},
      {"search_defaults", &s.search_defaults, Anything{},
       "Search with the default settings instead of the nets' own."},
      {"search_settings", &s.search_settings, Anything{},
       "A setting of all players' searches, as in search.cpuct=2."},
      {"seed", &s.seed, Range{0, kNoLimit}, "Seed of openings and temperature."},
  };
  std::ranges::copy(others, std::back_inserter(all));
  return all;
}

Option games_option(int& games, const std::string& help, int most) {
  return {"games", &games, Range{2, static_cast<double>(most), true},
          help + "; even: two from each opening, with colours swapped."};
}

std::vector<Option> chosen(const std::vector<Option>& options,
                           std::initializer_list<std::string_view> names) {
  std::vector<Option> some;
  std::ranges::copy_if(options, std::back_inserter(some), [&](const Option& option) {
    return std::ranges::find(names, option.name) != names.end();
  });
  return some;
}

void assign_given(GameSettings& settings, const std::vector<Option>& options,
                  const GivenValues& given, bool strict) {
  MoveLimits none;
  if (std::ranges::any_of(move_limit_options(none),
                          [&](const Option& limit) { return given.contains(limit.name); }))
    settings.limits = {};
  assign_given(options, given);
  if (!given.contains("openings") && !strict) return;
  OpeningSource source = parse_opening_source(settings.openings);
  source.strict = source.strict || strict;
  settings.openings = text(source);
}

MatchSetup match_setup(const GameSettings& settings, const std::string& variant,
                       const std::array<PlayerSpec, 2>& players) {
  MatchSetup setup{.variant = variant,
                   .players = players,
                   .config = {},
                   .limits = {settings.limits, settings.limits},
                   .search_defaults = settings.search_defaults,
                   .search_settings = settings.search_settings};
  MatchConfig& config = setup.config;
  config.openings = with_origins(parse_opening_source(settings.openings), settings.opening_origins);
  config.seed = static_cast<std::uint64_t>(settings.seed);
  config.max_plies = settings.max_plies;
  config.cut = settings.cut;
  config.temperature = static_cast<float>(settings.temperature);
  config.temperature_plies = settings.temperature_plies;
  if (!settings.adjudicate_win.empty())
    parse_win_adjudication(settings.adjudicate_win, config.adjudication);
  if (!settings.adjudicate_draw.empty())
    parse_draw_adjudication(settings.adjudicate_draw, config.adjudication);
  return setup;
}

}  // namespace faultline
