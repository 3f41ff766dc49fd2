// Searches some of the games that actors elsewhere have played again.
#include "cluster/game_check.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include "base/seeds.h"
#include "selfplay/actor.h"
#include "selfplay/search_again.h"

namespace faultline {
namespace {

constexpr std::size_t kKnownNets = 3;
constexpr std::size_t kPliesOfGame = 4;
// docs/cluster.md has the distributions of honest games and of others.
constexpr std::uint64_t kLeastGames = 8;
constexpr double kMostGap = 0.3;

}  // namespace

GameCheck::GameCheck(const Config& config, LoadNet load_net, const PostSettings& settings)
    : config_(config), load_net_(std::move(load_net)), settings_(settings) {
  const bool searches_so =
      config_.fast.network != FastRun::Alone && config_.selfplay.strategy.empty();
  if (load_net_ && searches_so) thread_ = std::thread([this] { work(); });
}

void GameCheck::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void GameCheck::publish(NetworkIdentity net, std::filesystem::path file) {
  const std::scoped_lock lock(mutex_);
  nets_.push_back({.identity = net, .file = std::move(file)});
  if (nets_.size() > kKnownNets) nets_.pop_front();
}

bool GameCheck::chooses(std::uint64_t number) const {
  return thread_.joinable() && mix_seed(salt_, number) % settings_.checked == 0;
}

void GameCheck::add(const std::string& actor, GameRecord game) {
  const std::scoped_lock lock(mutex_);
  if (std::ranges::find(nets_, game.net, &Known::identity) == nets_.end()) return;
  actors_[actor].waiting = std::move(game);
  changed_.notify_all();
}

std::map<std::string, std::string> GameCheck::found_out() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(found_out_, {});
}

std::uint64_t GameCheck::games_of(const std::string& actor) {
  const std::scoped_lock lock(mutex_);
  const auto found = actors_.find(actor);
  return found == actors_.end() ? 0 : found->second.games;
}

void GameCheck::forget(const std::string& actor) {
  const std::scoped_lock lock(mutex_);
  actors_.erase(actor);
}

std::optional<std::pair<std::string, GameRecord>> GameCheck::next() {
  auto least = actors_.end();
  for (auto actor = actors_.begin(); actor != actors_.end(); ++actor)
    if (actor->second.waiting &&
        (least == actors_.end() || actor->second.games < least->second.games))
      least = actor;
  if (least == actors_.end()) return std::nullopt;
  return std::pair(least->first, *std::exchange(least->second.waiting, std::nullopt));
}

void GameCheck::work() {
  using Clock = std::chrono::steady_clock;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto game = next();
    if (!game) {
      changed_.wait(lock);
      continue;
    }
    lock.unlock();
    const Clock::time_point begin = Clock::now();
    try {
      check(game->first, game->second);
    } catch (const std::exception&) {  // its network's file is gone meanwhile
    }
    const auto pause = (Clock::now() - begin) * (1 / settings_.check_share - 1);
    lock.lock();
    changed_.wait_for(lock, pause, [&] { return stopping_; });
  }
}

std::optional<PlayingNet> GameCheck::net_of(const NetworkIdentity& identity) {
  std::filesystem::path file;
  {
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find(nets_, identity, &Known::identity);
    if (known == nets_.end()) return std::nullopt;
    if (known->net) return known->net;
    file = known->file;
  }
  const PlayingNet net = load_net_(file);
  const std::scoped_lock lock(mutex_);
  const auto known = std::ranges::find(nets_, identity, &Known::identity);
  if (net.identity != identity) return std::nullopt;
  if (known != nets_.end()) known->net = net;
  return net;
}

std::vector<std::size_t> GameCheck::plies_of(const GameRecord& game) {
  std::vector<std::size_t> targets, chosen;
  for (std::size_t i = 0; i < game.plies.size(); ++i)
    if (game.plies[i].target && game.plies[i].policy.size() > 1) targets.push_back(i);
  std::ranges::sample(targets, std::back_inserter(chosen), kPliesOfGame, rng_);
  return chosen;
}

void GameCheck::check(const std::string& actor, const GameRecord& game) {
  const auto net = net_of(game.net);
  const std::vector<std::size_t> plies = plies_of(game);
  if (!net || plies.empty()) return;
  if (config_.run.deterministic && (!net->backend || net->backend->attributes().runs_on_cpu))
    return play_again(actor, *net, game);
  const std::vector<float> gaps = search_again(config_, *net, game, plies);
  const std::scoped_lock lock(mutex_);
  const auto place = actors_.find(actor);
  if (place == actors_.end()) return;
  Record& record = place->second;
  ++record.games;
  record.plies += gaps.size();
  record.gap += std::accumulate(gaps.begin(), gaps.end(), 0.0);
  const double mean = record.gap / static_cast<double>(record.plies);
  if (record.found_out || record.games < kLeastGames || mean < kMostGap) return;
  record.found_out = true;
  found_out_[actor] = fmt::format(
      "in {} positions of {} of its games the values are {:.2f} from what a search finds here, on "
      "average",
      record.plies, record.games, mean);
}

void GameCheck::play_again(const std::string& actor, const PlayingNet& net,
                           const GameRecord& game) {
  PlayWhile orders(net.identity, [this] {
    const std::scoped_lock lock(mutex_);
    return !stopping_;
  });
  GameNumbers number({}, game.number + 1, game.number);
  NetBoard nets;
  nets.replace(net);
  bool is_over = false, is_same = false;
  FunctionSink sink([&](GameRecord&& again) {
    is_over = true;
    is_same = again == game;
  });
  ActorCounts counts;
  make_actor(config_, {}, {.orders = &orders, .numbers = &number, .nets = &nets, .games = &sink},
             counts)
      ->run();
  const std::scoped_lock lock(mutex_);
  const auto place = actors_.find(actor);
  if (!is_over || place == actors_.end()) return;
  ++place->second.games;
  if (is_same || std::exchange(place->second.found_out, true)) return;
  found_out_[actor] = fmt::format(
      "its game {} is another one than this machine plays with that number and network, which must "
      "be equal in a deterministic run",
      game.number);
}

}  // namespace faultline
