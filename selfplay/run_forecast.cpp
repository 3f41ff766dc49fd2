// What a run will need and how fast it will go, from measurements of a few seconds.
#include "selfplay/run_forecast.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/text.h"
#include "record/tree_memory.h"
#include "rules/families.h"
#include "selfplay/run_setup.h"
#include "selfplay/schedule.h"

namespace faultline {
namespace {

constexpr double kDay = 24 * 60 * 60;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

int plies_limit(const Config& config) {
  return most_plies(config.selfplay, family_info(parse_variant_name(config.run.variant).family));
}

/// The mean length of the sample's games in a run that cuts games after `most` plies.
double mean_plies(const SampleGames& games, int most) {
  if (games.plies.empty()) return most;
  double sum = 0;
  for (const int plies : games.plies)
    sum += std::min(plies, most);
  return sum / static_cast<double>(games.plies.size());
}

/// 0 if it is unknown.
double cut_share(const SampleGames& games, int most) {
  if (games.plies.empty()) return 0;
  const auto cut = std::ranges::count_if(games.plies, [&](int plies) { return plies >= most; });
  return static_cast<double>(cut) / static_cast<double>(games.plies.size());
}

/// Two significant digits, upwards: 1,234 is 1,300.
std::uint64_t rounded_up(double value) {
  if (value < 10) return static_cast<std::uint64_t>(std::max(1.0, std::ceil(value)));
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return static_cast<std::uint64_t>(std::ceil(value / unit - 1e-9) * unit);
}

/// Seconds of training steps that each new position causes.
double training_per_position(const Config& config, const RunSpeeds& speeds) {
  return config.learner.replay_ratio / config.learner.batch * speeds.step_seconds;
}

/// Whether actors and steps take turns: on a device that does all of it, and in a deterministic
/// run.
bool takes_turns(const Config& config, const RunSpeeds& speeds) {
  return !speeds.shares_cores || config.run.deterministic;
}

/// Training positions per second with the learner at work.
///
/// Actors and steps that do not take turns divide the cores: a position costs what the actors need
/// for it and its share of a step; and neither side can be faster than it is alone.
double positions_per_second(const Config& config, const RunSpeeds& speeds, int cores) {
  if (speeds.targets <= 0) return 0;
  const double step_seconds = training_per_position(config, speeds);
  if (takes_turns(config, speeds)) return 1 / (1 / speeds.targets + step_seconds);
  const int threads = actor_threads(config);
  const double alone =
      std::min(speeds.targets, step_seconds > 0 ? 1 / step_seconds : speeds.targets);
  const double all_cores = std::max(cores, 1);
  const double busy = std::min<double>(threads, all_cores);
  return std::min(alone, all_cores / (busy / speeds.targets + step_seconds));
}

/// The share of the time in which actors wait although the learner leaves them cores: it makes one
/// step after another, and they could play more on the other cores.
double waiting_share(const Config& config, const RunSpeeds& speeds, int cores) {
  const double step_seconds = training_per_position(config, speeds);
  if (takes_turns(config, speeds) || step_seconds <= 0 || cores < 2) return 0;
  const double busy = std::min(actor_threads(config), cores);
  const double beside_the_learner = speeds.targets * std::min(1.0, (cores - 1) / busy);
  return beside_the_learner > 0 ? std::max(0.0, 1 - 1 / (step_seconds * beside_the_learner)) : 0;
}

/// The most that the search trees of all games take: a node and a few bytes for each legal move,
/// per visit.
double tree_bytes(const Config& config, const SampleGames& games) {
  constexpr double kNode = 40, kMove = 4;
  const TreeMemory memory = tree_memory(config);
  const double tree = config.search.visits * (kNode + kMove * games.legal_moves);
  return std::min(
      static_cast<double>(memory.all_bytes),
      static_cast<double>(memory.trees) * std::min(static_cast<double>(memory.tree_bytes), tree));
}

RunRates rates_of(const Config& config, const RunSpeeds& speeds, int cores) {
  RunRates rates;
  rates.positions = positions_per_second(config, speeds, cores);
  rates.steps = rates.positions * config.learner.replay_ratio / config.learner.batch;
  // With the learner at work, actors go on at this share of their own speed.
  if (speeds.targets > 0) rates.evaluations = rates.positions / speeds.targets * speeds.evaluations;
  return rates;
}

/// Limits of time are known, and those of evaluations and steps where all games have the same
/// levels and the run plays from the start.
void predict_end(const Config& config, bool changes, RunForecast& forecast) {
  const RunConfig& run = config.run;
  const auto consider = [&](bool given, double until, const char* key) {
    forecast.has_limit = forecast.has_limit || given;
    if (!given || !std::isfinite(until) || (forecast.seconds && until >= *forecast.seconds)) return;
    forecast.seconds = until;
    forecast.limit = key;
  };
  const auto after = [&](double count, double rate) { return changes ? kInfinity : count / rate; };
  consider(run.minutes > 0, 60 * run.minutes, "run.minutes");
  consider(run.cpu_minutes > 0, 60 * run.cpu_minutes / actor_threads(config), "run.cpu_minutes");
  consider(run.games > 0, kInfinity, "run.games");
  consider(run.steps > 0,
           forecast.first_step_seconds + after(static_cast<double>(run.steps), forecast.steps),
           "run.steps");
  consider(run.evaluations > 0, after(static_cast<double>(run.evaluations), forecast.evaluations),
           "run.evaluations");
}

void add_disk(const Config& config, const SampleGames& games, std::size_t parameters,
              RunForecast& forecast) {
  // Weights, and two moments of AdamW or one of SGD.
  const LearnerConfig& learner = config.learner;
  const double copies = learner.train.optimizer == OptimizerKind::AdamW ? 3 : 2;
  forecast.checkpoint_bytes = 4 * copies * static_cast<double>(parameters);
  double checkpoints = forecast.steps * kDay / learner.checkpoint_interval;
  if (learner.keep_checkpoints > 0) {
    checkpoints = learner.keep_checkpoints;
    if (learner.keep_every > 0)
      checkpoints += forecast.steps * kDay / static_cast<double>(learner.keep_every);
  }
  // A compressed ply, and a move of its policy: right within a third for the quick configurations.
  constexpr double kPly = 12, kMove = 2;
  const double game_bytes =
      kPly / std::max(games.targets_per_ply, 0.01) + kMove * games.legal_moves;
  forecast.disk_bytes_per_day =
      game_bytes * forecast.positions * kDay + checkpoints * forecast.checkpoint_bytes;
}

void judge(const Config& config, const RunMachine& machine, RunForecast& forecast) {
  const auto warn = [&](std::string text) { forecast.warnings.push_back(std::move(text)); };
  if (machine.memory_bytes > 0 && forecast.memory_bytes > static_cast<double>(machine.memory_bytes))
    forecast.refusals.push_back(fmt::format(
        "with a full window the run needs about {} of memory, but the machine has {}: lower "
        "replay.window ({}) or selfplay.games_per_thread ({})",
        bytes_text(forecast.memory_bytes), bytes_text(static_cast<double>(machine.memory_bytes)),
        config.replay.window, config.selfplay.games_per_thread));
  if (forecast.actors_wait > 0.1)
    warn(fmt::format(
        "the actors wait for the learner {:.0f} % of the time; learner.replay_ratio = {:.2g} "
        "instead of {:g}, or a larger learner.batch, would let them play",
        100 * forecast.actors_wait, config.learner.replay_ratio * (1 - forecast.actors_wait),
        config.learner.replay_ratio));
  if (!forecast.seconds) return;
  const double total_disk = *forecast.seconds / kDay * forecast.disk_bytes_per_day;
  if (machine.free_disk_bytes > 0 && total_disk > static_cast<double>(machine.free_disk_bytes))
    warn(fmt::format(
        "until its end the run writes about {}, but the disk has {} left; "
        "learner.keep_checkpoints limits what checkpoints take",
        bytes_text(total_disk), bytes_text(static_cast<double>(machine.free_disk_bytes))));
  if (!std::isfinite(forecast.first_step_seconds)) return;
  if (*forecast.seconds <= forecast.first_step_seconds) {
    std::string text = fmt::format(
        "the first step comes after about {}, but {} ends the run after {}: raise {}, or lower "
        "learner.min_positions ({}) or selfplay.games_per_thread ({})",
        clock_text(forecast.first_step_seconds), forecast.limit, clock_text(*forecast.seconds),
        forecast.limit, config.learner.min_positions, config.selfplay.games_per_thread);
    constexpr double kCertain = 1.5;  // the figures are estimates
    if (kCertain * *forecast.seconds <= forecast.first_step_seconds)
      forecast.refusals.push_back(std::move(text));
    else
      warn(std::move(text));
    return;
  }
  constexpr double kFewSteps = 1000;
  const double steps =
      std::max(forecast.steps, forecast.first_games ? forecast.first_games->steps : 0) *
      *forecast.seconds;
  if (steps < kFewSteps)
    warn(
        fmt::format("only about {} steps until {} ends the run: networks learn little from fewer "
                    "than {}",
                    rounded_up(steps), forecast.limit, kFewSteps));
}

}  // namespace

double seconds_to_positions(const SampleGames& games, int most_plies, double concurrent,
                            double moves, double least) {
  if (moves <= 0 || games.targets_per_ply <= 0) return kInfinity;
  // Games that have not ended would take longer, but nobody knows how much.
  std::vector<int> plies = games.plies;
  if (plies.empty()) plies.push_back(most_plies);
  for (int& length : plies)
    length = std::min(length, most_plies);
  std::ranges::sort(plies);
  // The sample stands for the games that run together, which all make one ply in the same time.
  const double each = concurrent / static_cast<double>(plies.size());
  double positions = 0;
  for (const int length : plies) {
    positions += each * length * games.targets_per_ply;
    if (positions >= least) return length * concurrent / moves;
  }
  // They are all over; from then on positions arrive at an even rate.
  return plies.back() * concurrent / moves + (least - positions) / (moves * games.targets_per_ply);
}

std::vector<std::string> settings_warnings(const Config& config, const SampleGames& games) {
  constexpr double kMostCut = 0.2;  // as run_warnings
  std::vector<std::string> warnings;
  const auto warn = [&](std::string text) { warnings.push_back(std::move(text)); };
  const int most = plies_limit(config);
  const double mean = mean_plies(games, most);
  if (const double cut = cut_share(games, most); cut > kMostCut) {
    const int longest = std::ranges::max(games.plies);
    warn(fmt::format(
        "games are cut after {} plies, before {:.0f} % of {} games of a search without a network "
        "were over, so that their results are guesses: selfplay.max_plies = {} would let them end",
        most, 100 * cut, games.plies.size(), rounded_up(1.25 * longest)));
  }
  const SearchConfig& search = config.search;
  if (!search.params.gumbel.enabled && games.legal_moves > 0) {
    const auto enough = rounded_up(games.legal_moves);
    if (search.visits < 2 * games.legal_moves)
      warn(fmt::format(
          "a full search has {} visits for {:.0f} moves (the mean number of legal ones), too few "
          "to tell good from bad: search.visits = {}, or search.gumbel = true, which compares a "
          "few "
          "moves",
          search.visits, games.legal_moves, 2 * enough));
    if (search.reduced_visits < games.legal_moves && search.full_search_probability < 1)
      warn(fmt::format(
          "a reduced search has {} visits for {:.0f} moves (the mean number of legal ones), and "
          "such searches choose {:.0f} % of the moves: search.reduced_visits = {} or more",
          search.reduced_visits, games.legal_moves, 100 * (1 - search.full_search_probability),
          rounded_up(games.legal_moves * config.search.visits / search.visits)));
  }
  const double per_game = mean * games.targets_per_ply;
  constexpr double kFewGames = 200;
  if (per_game > 0 && static_cast<double>(config.replay.window) < kFewGames * per_game)
    warn(fmt::format(
        "the window holds only about {:.0f} games, whose results are too few to learn values from: "
        "replay.window = {} or more",
        static_cast<double>(config.replay.window) / per_game, rounded_up(kFewGames * per_game)));
  const std::int64_t at_once =
      std::int64_t{actor_threads(config)} * config.selfplay.games_per_thread;
  const double generation = static_cast<double>(at_once) * per_game;
  constexpr double kMuch = 4;  // windows that the short ones fill
  if (kMuch * static_cast<double>(config.replay.min_window) < generation)
    warn(fmt::format(
        "{} games begin together, and the shorter ones end first: until about {} positions have "
        "arrived, a window of {} (replay.min_window) has too few long games; {} or more is better, "
        "or a lower selfplay.games_per_thread ({})",
        at_once, rounded_up(generation), config.replay.min_window, rounded_up(generation / kMuch),
        config.selfplay.games_per_thread));
  const std::int64_t fewer = config.selfplay.one_level_games + config.selfplay.rising_level_games;
  if (config.run.games > 0 && config.run.games <= fewer)
    warn(fmt::format(
        "run.games ends the run before its first game with all levels, which comes after {} games: "
        "raise it, or lower selfplay.one_level_games ({}) and selfplay.rising_level_games ({})",
        grouped(static_cast<std::uint64_t>(fewer)), config.selfplay.one_level_games,
        config.selfplay.rising_level_games));
  constexpr double kOften = 12;
  if (config.learner.replay_ratio > kOften)
    warn(fmt::format(
        "each position is trained on {:g} times, so that the network learns games by heart: "
        "learner.replay_ratio = {:g} or less",
        config.learner.replay_ratio, kOften));
  return warnings;
}

RunForecast forecast_run(const Config& config, const SampleGames& games, const RunSpeeds& speeds,
                         std::size_t parameters, const RunMachine& machine,
                         const Inheritance& inherited, const std::optional<FirstGames>& first) {
  RunForecast forecast;
  forecast.inherited_seconds =
      static_cast<double>(steps_due(config.learner, inherited.positions)) * speeds.step_seconds;
  const int most = plies_limit(config);
  forecast.mean_plies = mean_plies(games, most);
  forecast.cut = cut_share(games, most);
  static_cast<RunRates&>(forecast) = rates_of(config, speeds, machine.cores);
  if (first) forecast.first_games = rates_of(config, first->speeds, machine.cores);
  forecast.actors_wait = waiting_share(config, speeds, machine.cores);
  // Until then nothing is trained.
  if (inherited.positions == 0)
    forecast.first_step_seconds = seconds_to_positions(
        first ? first->games : games, most,
        static_cast<double>(actor_threads(config)) * config.selfplay.games_per_thread,
        first ? first->speeds.moves : speeds.moves,
        static_cast<double>(config.learner.min_positions));
  predict_end(config, first || inherited.positions > 0, forecast);
  auto window = static_cast<double>(config.replay.window);
  if (forecast.seconds) {
    const double fastest =
        std::max(forecast.positions, forecast.first_games ? forecast.first_games->positions : 0);
    const double arrive = static_cast<double>(inherited.positions) + *forecast.seconds * fastest;
    window = std::min(window, std::max(arrive, static_cast<double>(config.replay.min_window)));
  }
  forecast.memory_bytes = static_cast<double>(speeds.process_bytes) + window * games.window_bytes +
                          tree_bytes(config, games);
  add_disk(config, games, parameters, forecast);
  forecast.warnings = settings_warnings(config, games);
  judge(config, machine, forecast);
  return forecast;
}

}  // namespace faultline
