// Schedules, continues and plays a tournament.
#include "lab/tournament.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <ranges>
#include <utility>

#include <fmt/core.h>

#include "base/processor.h"
#include "base/run_threads.h"
#include "base/seeds.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGamesFile = "games.pgn";

std::string event_of(const TournamentSettings& settings) {
  return fmt::format("faultline tournament, seed {}", settings.seed);
}

/// The games file's path, once the folder has this tournament's settings.
fs::path prepare(TournamentSettings& settings, const fs::path& folder) {
  check(settings);
  enter_folder(settings, folder);
  return folder / kGamesFile;
}

}  // namespace

Tournament::Tournament(TournamentSettings settings, const fs::path& folder)
    : settings_(std::move(settings)), games_(prepare(settings_, folder), event_of(settings_)) {
  if (settings_.schedule == Schedule::Sequential) {
    const auto pairings = static_cast<std::size_t>(bouts_per_round());
    pair_counts_.resize(pairings);
    decisions_.resize(pairings, SequentialDecision::None);
  }
  bouts_ = stage(0);
  // Stages that are complete determine the next; the first that is not is the last with games.
  std::size_t known = check_played(bouts_);
  known += advance();
  if (known != games_.played().size())
    throw ExperimentError(fmt::format(
        "{}: has games of matches that the schedule does not have yet: was a game removed?",
        (folder / kGamesFile).string()));
}

std::size_t Tournament::advance() {
  std::size_t games = 0;
  while (played_stages_ < stages() && missing(bouts_).empty()) {
    if (settings_.schedule == Schedule::Sequential) learn_results();
    played_bouts_ += static_cast<int>(bouts_.size());
    ++played_stages_;
    bouts_ = played_stages_ < stages() ? stage(played_stages_) : std::vector<Bout>();
    games += check_played(bouts_);
  }
  return games;
}

void Tournament::learn_results() {
  const SequentialTest test = sequential_test(settings_);
  for (const Bout& bout : bouts_) {
    const auto pairing = static_cast<std::size_t>(bout.number % bouts_per_round());
    const std::string& first = name(bout.players.first);
    std::map<int, int> twice_points;  // of the first player, by pair
    for (const auto& [place, game] : games_.of_bout(bout.number)) {
      if (game.result == GameResult::None) continue;
      const bool first_won =
          game.result == (game.white == first ? GameResult::WhiteWins : GameResult::BlackWins);
      const int twice = game.result == GameResult::Draw ? 1 : first_won ? 2 : 0;
      const auto [other, is_first] = twice_points.try_emplace(place.pair, twice);
      if (!is_first) ++pair_counts_[pairing].at(static_cast<std::size_t>(other->second + twice));
    }
    decisions_[pairing] = decision(test, pair_counts_[pairing]);
  }
}

int Tournament::bouts_per_round() const {
  const int n = static_cast<int>(settings_.players.size());
  if (settings_.schedule == Schedule::Information) return (n + 1) / 2;
  if (settings_.schedule == Schedule::Gauntlet)
    return static_cast<int>(gauntlet(n, settings_.challengers).size());
  return n * (n - 1) / 2;
}

int Tournament::planned_games() const {
  if (settings_.schedule != Schedule::Sequential)
    return settings_.rounds * bouts_per_round() * settings_.games;
  // What is open may stay so to the end.
  const int open = (stages() - played_stages_) * static_cast<int>(bouts_.size());
  return (played_bouts_ + open) * settings_.games;
}

int Tournament::decided_pairings() const {
  return static_cast<int>(std::ranges::count_if(
      decisions_, [](SequentialDecision one) { return one != SequentialDecision::None; }));
}

int Tournament::stages() const {
  return settings_.schedule == Schedule::Information || settings_.schedule == Schedule::Sequential
             ? settings_.rounds
             : 1;
}

std::vector<Bout> Tournament::stage(int number) const {
  if (settings_.schedule == Schedule::Information) return informative_stage(number);
  if (settings_.schedule == Schedule::Sequential) return round(number);
  std::vector<Bout> bouts;
  for (int i = 0; i < settings_.rounds; ++i)
    std::ranges::copy(round(i), std::back_inserter(bouts));
  return bouts;
}

std::vector<Bout> Tournament::round(int number) const {
  const int n = static_cast<int>(settings_.players.size());
  const std::vector<Pairing> pairings = settings_.schedule == Schedule::Gauntlet
                                            ? gauntlet(n, settings_.challengers)
                                            : round_robin(n);
  const int pairs = settings_.games / 2;
  std::vector<Bout> bouts;
  for (std::size_t i = 0; i < pairings.size(); ++i)
    if (decisions_.empty() || decisions_[i] == SequentialDecision::None)
      bouts.push_back({.number = number * static_cast<int>(pairings.size()) + static_cast<int>(i),
                       .players = pairings[i],
                       .first_pair = number * pairs,
                       .pairs = pairs});
  return bouts;
}

std::vector<Bout> Tournament::informative_stage(int number) const {
  const int pairs = settings_.games / 2;
  const int first = number * bouts_per_round();
  std::vector<Bout> bouts;
  std::map<std::pair<std::string, std::string>, int> before;  // pairs of games by the two names
  for (const auto& [place, game] : games_.before_bout(first))
    if (place.game == 0) ++before[std::minmax(game.white, game.black)];
  for (const Pairing& pairing :
       most_informative(results_before(first), bouts_per_round(), settings_.games)) {
    int& played = before[std::minmax(name(pairing.first), name(pairing.second))];
    bouts.push_back({.number = first + static_cast<int>(bouts.size()),
                     .players = pairing,
                     .first_pair = played,
                     .pairs = pairs});
    played += pairs;
  }
  return bouts;
}

std::size_t Tournament::check_played(const std::vector<Bout>& bouts) const {
  std::size_t games = 0;
  for (const Bout& bout : bouts)
    for (const auto& [place, game] : games_.of_bout(bout.number)) {
      const std::string& white = name(place.game == 0 ? bout.players.first : bout.players.second);
      const std::string& black = name(place.game == 0 ? bout.players.second : bout.players.first);
      if (game.white != white || game.black != black || place.pair >= bout.pairs)
        throw ExperimentError(
            fmt::format("{}: game {} is of {} against {}, but the schedule has {} against {}",
                        kGamesFile, place.round(), game.white, game.black, white, black));
      ++games;
    }
  return games;
}

std::vector<Bout> Tournament::missing(const std::vector<Bout>& bouts) const {
  std::vector<Bout> missing;
  std::ranges::copy_if(bouts, std::back_inserter(missing), [&](const Bout& bout) {
    return !games_.missing_pairs(bout.number, bout.pairs).empty();
  });
  return missing;
}

RatingGames Tournament::results_before(int bout) const {
  RatingGames games;
  for (const Entrant& entrant : settings_.players)
    games.add_player(entrant.name);
  for (const auto& [place, game] : games_.before_bout(bout))
    games.add({.white = game.white,
               .black = game.black,
               .result = game.result,
               .variant = settings_.variant,
               .opening = fmt::format("{}.{}", place.bout, place.pair)});
  return games;
}

RatingGames Tournament::results() const {
  return results_before(settings_.rounds * bouts_per_round());
}

BoutGames Tournament::games_of(const Bout& bout) const {
  const Pairing& players = bout.players;
  BoutGames games{.bout = bout.number,
                  .first_pair = bout.first_pair,
                  .pairs = bout.pairs,
                  .names = {name(players.first), name(players.second)},
                  .setup = match_setup(settings_, players.first, players.second)};
  // Pairings have openings of their own: equal ones would make their results depend on each other.
  games.setup.config.seed =
      mix_seed(static_cast<std::uint64_t>(settings_.seed),
               static_cast<std::uint64_t>(players.first) * settings_.players.size() +
                   static_cast<std::uint64_t>(players.second));
  return games;
}

void Tournament::play(PlayerResources& resources, int threads, const ExperimentHooks& hooks) {
  for (int i = 0; i < stages() && !(hooks.stop && hooks.stop()); ++i)
    play_stage(i, resources, threads, hooks);
}

void Tournament::play_stage(int stage, PlayerResources& resources, int threads,
                            const ExperimentHooks& hooks) {
  const std::vector<Bout> bouts = stage == played_stages_ ? missing(bouts_) : std::vector<Bout>();
  if (bouts.empty()) return;
  const int cores = available_processors();
  if (threads == 0) threads = cores;
  // Searches that share a core would share its time.
  for (int i = 0; i < static_cast<int>(settings_.players.size()); ++i) {
    const MatchSetup setup = match_setup(settings_, i, i);
    if (limits_of(setup.players[0], setup.limits[0]).time_ms > 0)
      threads = std::min(threads, std::max(1, cores / search_threads(setup.players[0])));
  }
  std::atomic<bool> failed{false};
  ExperimentHooks inner = hooks;
  inner.stop = [&] { return failed || (hooks.stop && hooks.stop()); };
  const int at_once = std::min(threads, static_cast<int>(bouts.size()));
  std::atomic<std::size_t> next{0};
  run_threads(static_cast<std::size_t>(at_once), failed, [&](std::size_t) {
    for (std::size_t k = next++; k < bouts.size() && !inner.stop(); k = next++)
      games_.play_missing(games_of(bouts[k]), resources,
                          std::max(1, threads / std::max(1, at_once)), inner);
  });
  advance();
}

}  // namespace faultline
