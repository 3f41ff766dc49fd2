// Options that the commands which play games between players share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/opening_source.h"
#include "model/device_options.h"

namespace CLI {
class App;
}

namespace faultline {

/// Limits as on the command line: nothing where they are not given.
struct LimitOptions {
  std::optional<std::int64_t> visits, nodes, evaluations;
  std::optional<int> time_ms;

  bool any() const { return visits || nodes || evaluations || time_ms; }
};

/// How games are played and on what; nothing where it is not given.
struct GameOptions {
  LimitOptions limits;
  bool strict = false;  // no opening of a file may be left out
  std::optional<std::string> openings, adjudicate_win, adjudicate_draw, cut;
  std::optional<int> max_plies, temperature_plies;
  std::optional<double> temperature;
  std::optional<std::int64_t> seed;
  bool search_defaults = false;
  std::vector<std::string> search_settings;
  int threads = 0;
  DeviceOptions device;
  bool json = false;
};

/// Warns on the error stream of openings in the source's file that are left out.
void warn_of_openings(const std::string& command, const OpeningSource& source,
                      const std::string& variant);

/// Adds --visits, --nodes, --evaluations and --time-ms, each with `suffix`: "" or "-b".
void add_limit_options(CLI::App& command, LimitOptions& limits, const std::string& suffix = "");
/// Adds --threads, where 0 is one per core.
void add_threads_option(CLI::App& command, int& threads);
/// Adds the options behind GameOptions, which write into `options`.
void add_game_options(CLI::App& command, GameOptions& options);

}  // namespace faultline
