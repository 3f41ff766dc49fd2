// Declares the options behind GameOptions.
#include "app/game_options.h"

#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/net_players.h"
#include "app/whole_number.h"
#include "base/refusals.h"
#include "lab/limit_ranges.h"
#include "lab/opening_file.h"

namespace faultline {

void add_limit_options(CLI::App& command, LimitOptions& limits, const std::string& suffix) {
  const auto help = [&](const std::string& text) {
    return suffix.empty() ? text : "this limit for B, which then has only its own limits";
  };
  command
      .add_option("--visits" + suffix, limits.visits,
                  help("root visits per move, with those of a reused subtree (default 100 if no "
                       "limit is given). Limits are for players without their own"))
      ->transform(whole_number(1, kMostVisits));
  command
      .add_option("--nodes" + suffix, limits.nodes,
                  help("visits that each search makes; positions in alpha-beta searches and "
                       "engines"))
      ->transform(whole_number(1));
  command
      .add_option("--evaluations" + suffix, limits.evaluations,
                  help("positions evaluated per move"))
      ->transform(whole_number(1, kMostVisits));
  command
      .add_option("--time-ms" + suffix, limits.time_ms,
                  help("milliseconds per move; a thread then plays one game at a time"))
      ->transform(whole_number(1, kMostTimeMs));
}

void warn_of_openings(const std::string& command, const OpeningSource& source,
                      const std::string& variant) {
  if (source.kind != OpeningSource::Kind::File || source.strict) return;
  const Refusals refused = read_openings(source.file, variant).refused;
  if (refused.count() > 0)
    fmt::print(stderr, "faultline {}: {}\n", command, refused.warning("opening"));
}

void add_threads_option(CLI::App& command, int& threads) {
  command.add_option("--threads", threads, "number of threads; 0: one per core")
      ->capture_default_str()
      ->transform(whole_number(0, 1024));
}

void add_game_options(CLI::App& command, GameOptions& options) {
  add_limit_options(command, options.limits);
  command.add_option("--openings", options.openings, kOpeningsHelp)->default_str("random:6");
  command.add_flag("--strict", options.strict,
                   "refuse a file of openings if one cannot be used, instead of leaving it out");
  command.add_option("--adjudicate-win", options.adjudicate_win,
                     "end games whose players agree who wins: score=0.95,moves=5");
  command.add_option("--adjudicate-draw", options.adjudicate_draw,
                     "end games whose players agree on a draw: score=0.05,moves=10,after=80");
  command
      .add_option("--max-plies", options.max_plies,
                  "longer games are cut; 0: by the family (default)")
      ->transform(whole_number(0, kMostGamePlies));
  command
      .add_option("--cut", options.cut,
                  "games that are cut have no result and are counted apart, or are draws (apart, "
                  "draws; default apart)")
      ->check(CLI::IsMember({"apart", "draws"}));
  command
      .add_option("--temperature", options.temperature,
                  "temperature of the choice of moves until --temperature-plies; 0: always the "
                  "best move (default)")
      ->check(CLI::Range(0.0, 100.0));
  command
      .add_option("--temperature-plies", options.temperature_plies,
                  "plies from the start of the game in which --temperature holds; 0: the whole "
                  "game (default)")
      ->transform(whole_number(0, kMostGamePlies));
  command.add_flag("--search-defaults", options.search_defaults,
                   "search with the default settings instead of the nets' own");
  command.add_option("--set", options.search_settings,
                     "a setting of all players' searches, as in search.cpuct=2");
  command.add_option("--seed", options.seed, "seed of openings and temperature (default 1)")
      ->transform(whole_number(0));
  add_threads_option(command, options.threads);
  add_device_options(command, options.device);
  command.add_flag("--json", options.json, "print one JSON object");
}

}  // namespace faultline
