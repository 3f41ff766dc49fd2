// How games between players are played, in matches, tournaments, studies, surveys and tables of
// strength: each setting is declared once.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "lab/match_config.h"
#include "lab/opening_origin.h"
#include "lab/players.h"
#include "lab/run_match.h"

namespace faultline {

struct GameSettings {
  MoveLimits limits = {.visits = 100};  // of players without their own
  std::string openings = "random:6";    // kOpeningsHelp
  std::string adjudicate_win = {};      // lab/adjudication.h; "": never
  std::string adjudicate_draw = {};
  CutGames cut = CutGames::Apart;
  int max_plies = 0;          // 0: by the family
  double temperature = 0;     // of the players' moves in the game's first temperature_plies
  int temperature_plies = 0;  // 0: the whole game
  bool search_defaults = false;
  std::vector<std::string> search_settings = {};  // "search.cpuct=2"
  std::int64_t seed = 1;
  /// What openings come from (lab/experiment.h); empty also in folders of older programs.
  std::vector<OpeningOrigin> opening_origins = {};
};

/// All of them, bound to `settings`, which must outlive them.
std::vector<Option> options(GameSettings& settings);
/// The number of games, even because every opening is played twice; `help` says which games.
Option games_option(int& games, const std::string& help, int most = 1'000'000);
/// Those with these names.
std::vector<Option> chosen(const std::vector<Option>& options,
                           std::initializer_list<std::string_view> names);

/// Applies what is given on the command line: `options` are those of `settings` and more. Limits
/// replace all limits, and openings are written as text() does, `strict` ones with that setting.
void assign_given(GameSettings& settings, const std::vector<Option>& options,
                  const GivenValues& given, bool strict = false);

/// A match so played, with the default number of games. Throws OpeningError and OptionError.
MatchSetup match_setup(const GameSettings& settings, const std::string& variant,
                       const std::array<PlayerSpec, 2>& players);

}  // namespace faultline
