// Settings on the command line, and what the commands share that play games between players.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/games_progress.h"
#include "base/file_lock.h"
#include "base/options.h"
#include "lab/experiment.h"
#include "model/device_options.h"

namespace CLI {
class App;
}

namespace faultline {

/// What is given on the command line, and how games are played apart from the settings.
struct GameOptions {
  GivenValues given;    // of the settings
  bool strict = false;  // no opening of a file may be left out
  int threads = 0;
  DeviceOptions device;
  bool json = false;
};

/// How many words a flag of a list takes each time.
enum class ListWords : std::uint8_t { One, Many };
/// Adds a flag for each option: --temperature-plies for temperature_plies, --set for
/// search_settings. Values are put into `given`; they are checked by assigning them to the options,
/// whose settings must outlive the command. A flag throws UsageError.
void add_setting_flags(CLI::App& command, const std::vector<Option>& options, GivenValues& given,
                       ListWords words = ListWords::Many);

/// Adds --threads, where 0 is one per core.
void add_threads_option(CLI::App& command, int& threads);
/// Adds --threads, --device, --backend, --precision and --json.
void add_game_options(CLI::App& command, GameOptions& options);
/// Adds --strict.
void add_strict_option(CLI::App& command, GameOptions& options);

/// Warns on the error stream of openings in the source's file that are left out.
void warn_of_openings(const std::string& command, const OpeningSource& source,
                      const std::string& variant);
/// Checks that nets among the players can be computed, and says on the error stream how they are
/// searched if they do not say it themselves. Throws UsageError.
void prepare_nets(const std::vector<std::string>& players, const GameOptions& options,
                  bool search_defaults);

/// A folder in which this process alone plays `what` ("a survey") while it lives. It is created.
/// Throws UsageError if it cannot be, or another process plays there.
class PlayLock {
 public:
  PlayLock(const std::filesystem::path& folder, const std::string& what);

 private:
  FileLock lock_;
};

/// Says which files were repaired and, unless as JSON, that games are there already.
void announce(const std::vector<std::filesystem::path>& repaired, int finished, int planned,
              const GameOptions& options);
/// Shows the games' progress, and stops when StopSignals are requested.
ExperimentHooks hooks_of(GamesProgress& progress);
/// Says, unless as JSON, that `command` continues, and ends the program.
[[noreturn]] void end_interrupted(const std::string& command, const GameOptions& options);

}  // namespace faultline
