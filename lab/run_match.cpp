// Builds the players of a match and plays it, for every family.
#include "lab/run_match.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/processor.h"
#include "base/quote.h"
#include "base/settings_text.h"
#include "base/stop_signals.h"
#include "engine/uci_engine_pool.h"
#include "engine/uci_searcher.h"
#include "lab/match.h"
#include "lab/match_players.h"
#include "model/checkpoint.h"
#include "model/encoding/encoders.h"
#include "model/fast/fast_encoder.h"
#include "model/inference/network_evaluator.h"
#include "rules/families.h"
#include "search/material_evaluator.h"
#include "strategy/strategy.h"

namespace faultline {
namespace {

/// An engine has a process per game.
constexpr int kEngineGames = 8;
/// An alpha-beta search has a transposition table per game.
constexpr int kAlphaBetaGames = 16;
/// Games that a thread plays at once without networks, where more gain nothing.
constexpr int kUniformGames = 32;
/// The most visits of a tree search that only the clock ends: about 200 MB.
constexpr std::uint32_t kMostTimedVisits = 1'000'000;

template <class Value>
Value clamped(std::int64_t value) {
  return static_cast<Value>(
      std::min(static_cast<std::uint64_t>(value),
               static_cast<std::uint64_t>(std::numeric_limits<Value>::max())));
}

}  // namespace

SearchLimits search_limits(const PlayerSpec& player, const MoveLimits& limits) {
  SearchLimits search;
  if (player.uses_tree_search()) {
    search.visits = clamped<std::uint32_t>(limits.visits);
    search.new_visits = clamped<std::uint32_t>(limits.nodes);
    search.evaluations = clamped<std::uint32_t>(limits.evaluations);
    if (limits.visits + limits.nodes + limits.evaluations == 0) search.visits = kMostTimedVisits;
  } else {
    search.nodes = static_cast<std::uint64_t>(limits.nodes);
    search.depth = limits.depth;
  }
  if (limits.time_ms > 0) search.time = std::chrono::milliseconds(limits.time_ms);
  return search;
}

AlphaBetaParams alpha_beta_params(const PlayerSpec& player) {
  AlphaBetaParams params;
  for (const std::string& setting : player.search_settings)
    assign_setting(options(params), setting, "player " + player.name);
  return params;
}

int search_threads(const PlayerSpec& player) {
  return player.kind == PlayerKind::AlphaBeta ? alpha_beta_params(player).threads : 1;
}

bool plays_alike(const PlayerSpec& player) {
  return player.limits.time_ms == 0 && search_threads(player) == 1;
}

std::shared_ptr<const FastNetwork> fast_network_of(const PlayerSpec& player) {
  if (player.evaluation.empty()) return nullptr;
  try {
    return std::make_shared<const FastNetwork>(load_fast_network(player.evaluation));
  } catch (const std::exception& error) {
    throw PlayerError(fmt::format("player {}: {}", quote(player.name, 80), error.what()));
  }
}

namespace {

void assign_search_setting(PlayerSearch& search, std::string_view setting,
                           const std::string& what) {
  try {
    assign_setting(options(search.settings), setting, what);
  } catch (const OptionError& error) {
    throw PlayerError(error.what());
  }
  search.source += fmt::format(", {}", setting);
}

/// Makes the players of one match.
template <Position P>
class PlayerFactory {
 public:
  PlayerFactory(const typename P::Variant& variant, const MatchSetup& setup,
                PlayerResources& resources)
      : variant_(&variant), setup_(&setup), resources_(&resources) {}

  MatchPlayer<P> player(std::size_t i) {
    const PlayerSpec& spec = setup_->players[i];
    MatchPlayer<P> player;
    player.limits = search_limits(spec, limits_of(spec, setup_->limits[i]));
    player.temperature = spec.temperature;
    player.has_opinion = spec.kind != PlayerKind::Random && spec.kind != PlayerKind::Uniform;
    switch (spec.kind) {
      case PlayerKind::Random:
        player.make_searcher = make_random_searcher<P>;
        break;
      case PlayerKind::Uniform:
        player.evaluator = std::make_shared<UniformEvaluator<P>>();
        break;
      case PlayerKind::Material:
        player.evaluator = std::make_shared<MaterialEvaluator<P>>();
        break;
      case PlayerKind::Net:
        player.evaluator = network(spec);
        break;
      case PlayerKind::Policy:
        player.make_searcher = make_policy_searcher<P>;
        player.evaluator = network(spec);
        break;
      case PlayerKind::AlphaBeta:
        player.make_searcher = [params = alpha_beta_params(spec), evaluation = evaluation(spec),
                                strategy = strategy(spec)] {
          return make_alpha_beta_searcher<P>(params, false, evaluation, strategy);
        };
        break;
      case PlayerKind::Uci:
        player.make_searcher = [pool = reserved_engines(spec)] {
          return make_uci_searcher<P>(pool);
        };
        break;
    }
    if (spec.uses_tree_search()) make_tree_search(spec, player);
    player.follows_strategy = !spec.strategy.empty();
    return player;
  }

  /// The openings of the match: those that a match before this one has left, or new ones.
  std::shared_ptr<OpeningBook<P>> take_openings() {
    const MatchConfig& config = setup_->config;
    const std::optional<PlayerSpec> policy = opening_policy();
    const std::size_t first = config.opening_of(config.game_at(0));
    auto book = std::static_pointer_cast<OpeningBook<P>>(resources_->take_openings(key_of(policy)));
    if (book && book->forgotten() <= first) return book;
    return std::make_shared<OpeningBook<P>>(*variant_, config.openings, opening_seed(config.seed),
                                            policy ? network(*policy) : nullptr);
  }
  /// Keeps the openings for the next match; to be called after this one.
  void leave_openings(std::shared_ptr<OpeningBook<P>> book) {
    const MatchConfig& config = setup_->config;
    book->forget_before(config.opening_of(config.game_at(config.games - 1)) + 1);
    const std::size_t bytes = book->bytes();
    resources_->leave_openings(key_of(opening_policy()), std::move(book), bytes);
  }

 private:
  /// Whose network openings are drawn from, if they are.
  std::optional<PlayerSpec> opening_policy() const {
    const OpeningSource& source = setup_->config.openings;
    if (source.kind != OpeningSource::Kind::Policy) return std::nullopt;
    if (!source.net.empty()) {
      PlayerSpec named = find_player(source.net);
      if (!named.uses_net())
        throw OpeningError(fmt::format("--openings {}: {} is not a net", text(source), source.net));
      return named;
    }
    for (const PlayerSpec& player : setup_->players)
      if (player.uses_net()) return player;
    throw OpeningError(
        fmt::format("--openings {}: no player is a net; name one with net=", text(source)));
  }
  /// Names the openings.
  std::string key_of(const std::optional<PlayerSpec>& policy) const {
    const MatchConfig& config = setup_->config;
    return fmt::format("{} {} {} {}", variant_->canonical_name(), text(config.openings),
                       config.seed, policy ? policy->name : "");
  }

  void make_tree_search(const PlayerSpec& spec, MatchPlayer<P>& player) const {
    const TreeSearchSettings settings = search_of(spec, *setup_).settings;
    if (!spec.strategy.empty())
      player.make_searcher = [settings, strategy = strategy(spec)] {
        return make_biased_puct_searcher<P>(settings.params, strategy, settings.tree_reuse);
      };
    else
      player.make_searcher = [settings] {
        return make_puct_searcher<P>(settings.params, settings.tree_reuse);
      };
  }

  /// Null: none.
  std::shared_ptr<const MoveBias<P>> strategy(const PlayerSpec& spec) const {
    if (spec.strategy.empty()) return nullptr;
    return make_strategy<P>(*variant_, load_strategy(spec.strategy));
  }

  /// What an alpha-beta search evaluates with; null: material and placement.
  std::shared_ptr<const PositionEvaluation<P>> evaluation(const PlayerSpec& spec) const {
    std::shared_ptr<const FastNetwork> network = fast_network_of(spec);
    if (!network) return nullptr;
    try {
      return FastEncoder<P>::evaluation(*variant_, std::move(network));
    } catch (const FastNetworkError& error) {
      throw PlayerError(fmt::format("player {}: {}", quote(spec.name, 80), error.what()));
    }
  }

  /// One evaluator for each network, so that two players with the same one share batches.
  std::shared_ptr<Evaluator<P>> network(const PlayerSpec& spec) {
    std::shared_ptr<Evaluator<P>>& evaluator = networks_[{spec.net.string(), spec.precision}];
    if (!evaluator)
      evaluator = std::make_shared<NetworkEvaluator<P>>(
          *variant_, resources_->backend(spec.net, Encoder<P>::info(*variant_), spec.precision));
    return evaluator;
  }
  /// An engine has a process for each of its games.
  std::shared_ptr<UciEnginePool> reserved_engines(const PlayerSpec& spec) {
    std::shared_ptr<UciEnginePool> pool = engines(spec);
    const MatchConfig& config = setup_->config;
    reserved_.push_back(
        resources_->reserve(pool, std::min(config.games, config.threads * config.games_at_once)));
    return pool;
  }
  std::shared_ptr<UciEnginePool> engines(const PlayerSpec& spec) const {
    try {
      return resources_->engines(spec.engine, variant_->canonical_name());
    } catch (const UciSpecError& error) {
      throw PlayerError(fmt::format("player {}: {}", spec.name, error.what()));
    } catch (const SearcherFailure& failure) {
      if (StopSignals::requested()) throw MatchStopped{};
      throw PlayerError(fmt::format("player {}: {}", spec.name, failure.what()));
    }
  }

  const typename P::Variant* variant_;
  const MatchSetup* setup_;
  PlayerResources* resources_;
  // By path and precision.
  std::map<std::pair<std::string, std::optional<Precision>>, std::shared_ptr<Evaluator<P>>>
      networks_;
  std::vector<std::shared_ptr<void>> reserved_;
};

}  // namespace

PlayerSearch search_of(const PlayerSpec& player, const MatchSetup& setup) {
  PlayerSearch search;
  if (player.uses_net() && !setup.search_defaults) search = net_search(player.net);
  constexpr std::string_view kSection = "search.";
  for (const std::string& setting : setup.search_settings) {
    if (!setting.starts_with(kSection))
      throw PlayerError(fmt::format(
          "--set {}: a match has the settings of [search] only, as in --set search.cpuct=2",
          setting));
    assign_search_setting(search, std::string_view(setting).substr(kSection.size()), "--set");
  }
  for (const std::string& setting : player.search_settings)
    assign_search_setting(search, setting, "player " + player.name);
  return search;
}

MatchSetup resolved(MatchSetup setup, const PlayerResources& resources) {
  const auto& family = parse_variant_name(setup.variant).family;
  MatchConfig& config = setup.config;
  int games = available_processors();  // that can be searched at once
  bool timed = false;
  bool timed_tree = false;
  for (std::size_t i = 0; i < 2; ++i) {
    const PlayerSpec& player = setup.players[i];
    const bool has_time = limits_of(player, setup.limits[i]).time_ms > 0;
    timed = timed || has_time;
    games = std::min(games, std::max(1, available_processors() / search_threads(player)));
    timed_tree = timed_tree || (has_time && player.uses_tree_search());
    if (player.uses_tree_search()) search_of(player, setup);
    check_strategy_of(player, setup.variant);
  }
  if (config.threads == 0) config.threads = games;
  if (timed) config.threads = std::min(config.threads, games);
  if (config.max_plies == 0) {
    config.max_plies = family_info(family).most_plies;
    config.openings.plies = std::min(config.openings.plies, config.max_plies - 1);
  }
  if (config.games_at_once == 0) {
    const auto any = [&](auto property) { return std::ranges::any_of(setup.players, property); };
    config.games_at_once = kUniformGames;
    // About half of the games share a batch: as many as the backend prefers, but few enough that a
    // match that is stopped has finished most of the games it started.
    if (any(&PlayerSpec::uses_net))
      config.games_at_once = 2 * static_cast<int>(resources.best_batch());
    if (any([](const PlayerSpec& p) { return p.kind == PlayerKind::AlphaBeta; }))
      config.games_at_once = std::min(config.games_at_once, kAlphaBetaGames);
    if (any([](const PlayerSpec& p) { return p.kind == PlayerKind::Uci; }))
      config.games_at_once = std::min(config.games_at_once, kEngineGames);
    // The clock of a tree search runs while other games of its thread are searched.
    if (timed_tree) config.games_at_once = 1;
  }
  check(config);
  return setup;
}

MatchResult run_match(const MatchSetup& setup, PlayerResources& resources,
                      const MatchHooks& hooks) {
  const MatchSetup full = resolved(setup, resources);
  return with_family(
      parse_variant_name(full.variant),
      [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) -> MatchResult {
        PlayerFactory<P> factory(variant, full, resources);
        try {
          const std::array<MatchPlayer<P>, 2> players = {factory.player(0), factory.player(1)};
          const std::shared_ptr<OpeningBook<P>> book = factory.take_openings();
          MatchResult result = play_match<P>(full.config, players, *book, hooks);
          factory.leave_openings(book);
          return result;
        } catch (const MatchStopped&) {  // while it waited for an engine to start
          return MatchCounter(full.config).result();
        }
      });
}

template <Position P>
std::shared_ptr<const MatchPlayer<P>> make_match_player(const typename P::Variant& variant,
                                                        const MatchSetup& setup,
                                                        PlayerResources& resources) {
  struct Made {
    MatchSetup setup;  // which the factory refers to
    PlayerFactory<P> factory;
    MatchPlayer<P> player;
    Made(const typename P::Variant& variant, const MatchSetup& of, PlayerResources& resources)
        : setup(of), factory(variant, setup, resources), player(factory.player(0)) {}
  };
  const auto made = std::make_shared<const Made>(variant, setup, resources);
  return {made, &made->player};
}

/// Takes the factories' addresses, so that instantiating it instantiates them for every family.
template <class Tuple>
struct MatchPlayerFactories;
template <Position... P>
struct MatchPlayerFactories<std::tuple<P...>> {
  static constexpr std::tuple kAll = {&make_match_player<P>...};
};
template struct MatchPlayerFactories<Families>;

}  // namespace faultline
