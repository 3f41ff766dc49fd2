// What a run will need and how fast it will go, from measurements of a few seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/config.h"

namespace faultline {

/// How long a run is tried before it starts.
struct ProbeLimits {
  std::size_t games = 24;     // to be sampled
  double games_seconds = 8;   // at most
  double actors_seconds = 2;  // playing with the network
  double steps_seconds = 1;   // training
};

/// Games of the run's variant, played by a search without a network (selfplay/run_probe.h): how
/// long they are, and what they offer. A network plays others, but a run begins with such games.
struct SampleGames {
  std::vector<int> plies = {};  // of each game as far as it was played, in any order
  std::size_t unfinished = 0;   // games among them that had not ended
  // 0: nothing was played.
  double legal_moves = 0;      // mean of the positions
  double targets_per_ply = 0;  // of the run
  double window_bytes = 0;     // of a training position in the window
};

/// The run's own actors and trainer, on this machine.
struct RunSpeeds {
  // Of all actor threads together, while nothing is trained; 0: too short to be measured.
  double evaluations = 0;         // per second
  double moves = 0;               // per second
  double targets = 0;             // training positions per second
  double step_seconds = 0;        // of one training step, while nothing is played
  std::size_t process_bytes = 0;  // the most memory that the process has had
  bool shares_cores = true;       // the network's evaluation, too, is computed by the CPU
};

/// The machine, as far as a run can exhaust it.
struct RunMachine {
  int cores = 1;
  std::size_t memory_bytes = 0;        // 0: unknown
  std::uintmax_t free_disk_bytes = 0;  // where the run's folder will be; 0: unknown
};

/// What another run passes on to a new one (--games-from), as that run's state.json counts it.
struct Inheritance {
  std::uint64_t games = 0;
  std::uint64_t positions = 0;  // to learn from, in them
};

/// The first games of a run, which start with one level (selfplay.one_level_games): a sample of
/// them, and the speeds while they are played.
struct FirstGames {
  SampleGames games;
  RunSpeeds speeds;
};

/// What actors and learner do beside each other, per second.
struct RunRates {
  double positions = 0;  // training positions
  double steps = 0;      // training steps
  double evaluations = 0;
};

/// Figures that an untrained network gives about right for a trained one, too: speeds, memory,
/// disk, and times that follow from them. How many games a run plays is not among them, because a
/// network that has learned ends games up to three times sooner. The rates are those of games with
/// all levels.
struct RunForecast : RunRates {
  std::optional<RunRates> first_games = {};  // while games with one level are played
  double actors_wait = 0;             // share of the time in which the learner holds the actors up
  double inherited_seconds = 0;       // of learning from another run's games, before any is played
  double first_step_seconds = 0;      // until the first step; infinite: unknown
  bool has_limit = false;             // [run] has one
  std::optional<double> seconds;      // until the nearest limit of [run] whose time is known
  std::string limit;                  // that limit's key
  double memory_bytes = 0;            // with a full window
  double disk_bytes_per_day = 0;      // games and checkpoints
  double checkpoint_bytes = 0;        // of one
  double mean_plies = 0;              // of the sample; more if some of it is unfinished
  double cut = 0;                     // share of the sample that the run would cut
  std::vector<std::string> warnings;  // what trains badly, with keys and better values
  std::vector<std::string> refusals;  // why this can never train
};

/// `parameters`: of the network. `inherited`: what the run learns from before it plays. `first`: of
/// runs that have such games.
RunForecast forecast_run(const Config& config, const SampleGames& games, const RunSpeeds& speeds,
                         std::size_t parameters, const RunMachine& machine,
                         const Inheritance& inherited = {},
                         const std::optional<FirstGames>& first = {});

/// The warnings that need no speeds: about searches, games and the window.
std::vector<std::string> settings_warnings(const Config& config, const SampleGames& games);

/// Seconds until `least` training positions are in finished games, when `concurrent` games begin
/// together and all of them together make `moves` per second.
double seconds_to_positions(const SampleGames& games, int most_plies, double concurrent,
                            double moves, double least);

}  // namespace faultline
