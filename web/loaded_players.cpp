// Finds and loads players.
#include "web/loaded_players.h"

#include <filesystem>
#include <set>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "base/program_identity.h"
#include "base/quote.h"
#include "base/text.h"
#include "lab/ready_networks.h"
#include "lab/run_match.h"
#include "model/checkpoint.h"
#include "rules/data/known_games.h"
#include "rules/variant.h"
#include "strategy/strategy.h"
#include "web/request.h"

namespace faultline::web {
namespace {

constexpr const char* kPlayerField = "player";
constexpr const char* kFast = "fast";
constexpr const char* kNet = "net";

std::string fast_player(const std::filesystem::path& net) {
  return "alphabeta?eval=" + net.string();
}

/// The player that a name stands for in a game.
PlayerSpec spec_of(const std::string& name, const Game& game) {
  if (name.empty()) return ready_player(game.variant());
  if (name != kFast && name != kNet) return find_player(name);
  const std::filesystem::path net = ready_network(game.variant());
  if (net.empty())
    throw RequestError(fmt::format("{} has no network that comes with the program: play against "
                                   "alphabeta, or name a net or a run",
                                   game.variant()),
                       kPlayerField);
  return find_player(name == kFast ? fast_player(net) : net.string());
}

/// The variants of the networks that come with the program.
std::set<std::string> variants_of_networks() {
  std::set<std::string> variants;
  for (const std::filesystem::path& folder : shared_folders("nets")) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
      try {
        if (entry.path().extension() == ".pt")
          variants.insert(read_checkpoint_info(entry.path()).encoding.variant);
      } catch (const CheckpointError&) {
        continue;  // it may be anybody's folder of this name
      }
  }
  return variants;
}

/// Whether it is worth looking for the variant's network: to look makes the tables of the game,
/// which for all games of files takes seconds. Those are families of their own.
bool may_have_network(const std::string& variant) {
  static const std::set<std::string> variants = variants_of_networks();
  return !variant.starts_with(data::kDataPrefix) || variants.contains(variant);
}

std::string network_in(const std::filesystem::path& file) {
  try {
    const CheckpointInfo info = read_checkpoint_info(file);
    const auto steps = grouped(static_cast<std::uint64_t>(info.steps));
    return info.weights_hash == 0 ? steps + " steps" : steps + " steps, " + info.weights();
  } catch (const CheckpointError&) {
    return "";  // a fast network as text
  }
}

std::shared_ptr<const LoadedPlayer> loaded_player(PlayerSpec spec, const Game& game,
                                                  PlayerResources& resources) {
  if (spec.kind == PlayerKind::Uci)
    throw RequestError(quote(spec.name) + " cannot play here: pages start no programs",
                       kPlayerField);
  auto player = std::make_shared<LoadedPlayer>();
  player->game = &game;
  if (!spec.strategy.empty()) {
    check_strategy_of(spec, game.variant());
    player->strategy = load_strategy(spec.strategy);
  }
  if (spec.uses_tree_search()) player->search = search_of(spec).settings;
  player->fast = fast_network_of(spec);
  if (spec.kind == PlayerKind::Uniform) player->evaluator = game.uniform_evaluator();
  if (spec.kind == PlayerKind::Material) player->evaluator = game.material_evaluator();
  if (spec.uses_net())
    player->evaluator =
        game.network_evaluator(resources.backend(spec.net, game.encoding(), spec.precision));
  if (spec.kind == PlayerKind::AlphaBeta)  // throws for another game's network
    game.alpha_beta_searcher({.table_mb = 1}, player->fast, player->plan());
  const std::filesystem::path& file = spec.uses_net() ? spec.net : spec.evaluation;
  if (!file.empty()) player->network = network_in(file);
  player->spec = std::move(spec);
  return player;
}

}  // namespace

std::unique_ptr<Analyser> LoadedPlayer::analyser(int threads, std::size_t memory_bytes) const {
  AnalyserOptions options{
      .threads = threads, .memory_bytes = memory_bytes, .search = search, .fast = fast};
  return spec.kind == PlayerKind::AlphaBeta ? game->alpha_beta_analyser(options)
                                            : game->analyser(options, evaluator);
}

std::unique_ptr<GameSearcher> LoadedPlayer::searcher() const {
  switch (spec.kind) {
    case PlayerKind::Random:
      return game->random_searcher();
    case PlayerKind::Policy:
      return game->policy_searcher(evaluator);
    case PlayerKind::AlphaBeta:
      return game->alpha_beta_searcher(alpha_beta_params(spec), fast, plan());
    default:
      break;
  }
  return game->puct_searcher(search, evaluator, plan());
}

std::shared_ptr<const LoadedPlayer> SearchPlayers::State::load(const std::string& name,
                                                               const Game& game) {
  try {
    // Looked up every time: a run's folder stands for its newest net.
    PlayerSpec spec = spec_of(name, game);
    const std::scoped_lock lock(mutex);
    std::shared_ptr<const LoadedPlayer>& player = loaded[{spec.name, game.variant()}];
    if (!player) player = loaded_player(std::move(spec), game, resources);
    return player;
  } catch (const RequestError&) {
    throw;
  } catch (const std::exception& error) {
    throw RequestError(error.what(), kPlayerField);
  }
}

void SearchPlayers::State::forget(const LoadedPlayer& player) {
  const std::scoped_lock lock(mutex);
  loaded.erase({player.spec.name, player.game->variant()});
}

SearchPlayers::SearchPlayers(const BackendRegistry& backends, const DeviceOptions& device)
    : state_(std::make_unique<State>(backends, device)) {}
SearchPlayers::~SearchPlayers() = default;

std::vector<std::string> SearchPlayers::players_of(const std::string& variant) {
  {
    const std::scoped_lock lock(state_->mutex);
    if (const auto found = state_->names.find(variant); found != state_->names.end())
      return found->second;
  }
  std::vector<std::string> names;
  if (const std::filesystem::path net =
          may_have_network(variant) ? ready_network(variant) : std::filesystem::path();
      !net.empty()) {
    const bool has_net = read_checkpoint_info(net).has_network;
    const PlayerSpec best = stronger_player(net);
    const bool fast_first = best.kind == PlayerKind::AlphaBeta;
    if (fast_first) names.emplace_back(kFast);
    if (has_net) names.emplace_back(kNet);
    if (!fast_first) try {
        if (fast_network_of(find_player(fast_player(net))) != nullptr) names.emplace_back(kFast);
      } catch (const PlayerError&) {
        // The file has none.
      }
  }
  names.insert(names.end(), {"alphabeta", "material", "uniform", "random"});
  const std::scoped_lock lock(state_->mutex);
  state_->names[variant] = names;
  return names;
}

}  // namespace faultline::web
