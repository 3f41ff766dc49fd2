// Resolves the names of players to files and settings.
#include "lab/players.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/options.h"
#include "base/quote.h"
#include "base/settings_text.h"
#include "base/text.h"
#include "base/unreadable_file.h"
#include "engine/uci_engine_spec.h"
#include "record/run_folder.h"
#include "strategy/strategy.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUntrained = "untrained:";
constexpr std::string_view kPolicy = "policy:";
constexpr std::string_view kAlphaBeta = "alphabeta";
constexpr std::string_view kFrozen = "alphabeta-1";
constexpr std::string_view kUci = "uci:";

/// Precision, or that of the other nets.
enum class OwnPrecision : std::uint8_t { Given };

/// Where a player's own settings are put.
struct OwnSettings {
  MoveLimits limits;
  float temperature = -1;                        // below 0: not given
  OwnPrecision precision = OwnPrecision::Given;  // greater: the precision before it in kPrecisions
  std::string strategy;
  std::string evaluation;
  TreeSearchSettings search;
  AlphaBetaParams alpha_beta;
};

/// Settings of the search itself, apart from limits.
std::vector<Option> search_options(OwnSettings& own, PlayerKind kind) {
  return kind == PlayerKind::AlphaBeta ? options(own.alpha_beta) : options(own.search);
}

/// The keys that a kind of player has.
std::vector<Option> options(OwnSettings& own, PlayerKind kind) {
  std::vector<Option> limits = move_limit_options(own.limits, 1);
  limits.back().name = "ms";
  const Option depth = {"depth", &own.limits.depth, Range{1, 100}, "Plies."};
  Choices precisions{{"given"}};
  for (const Precision precision : kPrecisions)
    precisions.values.emplace_back(name(precision));
  const Option precision = {"precision", EnumField(&own.precision), precisions,
                            "Number format of the net's computation; 'given': --precision."};
  const Option temperature = {"temperature", &own.temperature, Range{0, 10}, "Of move selection."};
  const Option strategy = {"strategy", &own.strategy, Anything{},
                           "A way of playing: a file, or the name of one (docs/strategies.md)."};
  switch (kind) {
    case PlayerKind::Uniform:
    case PlayerKind::Net:
    case PlayerKind::Material: {
      std::vector<Option> all = limits;
      all.insert(all.end(), {temperature, strategy});
      if (kind == PlayerKind::Net) all.push_back(precision);
      std::ranges::move(search_options(own, kind), std::back_inserter(all));
      return all;
    }
    case PlayerKind::Policy:
      return {temperature, precision};
    case PlayerKind::AlphaBeta: {
      const Option evaluation = {"eval", &own.evaluation, Anything{},
                                 "A fast network that evaluates positions: a file of one, or a run "
                                 "that trains one. Empty: by material and placement."};
      std::vector<Option> all = {depth, limits[1], limits[3], evaluation, strategy};
      std::ranges::move(search_options(own, kind), std::back_inserter(all));
      return all;
    }
    case PlayerKind::Random:
    case PlayerKind::Uci:
      break;
  }
  return {};
}

/// Refuses `strategy=` among the settings of a player that cannot follow one.
void refuse_strategy(std::string_view text, std::string_view settings) {
  for (const std::string& setting : split_list(settings, '&'))
    if (setting.substr(0, setting.find('=')) == "strategy")
      throw PlayerError(fmt::format(
          "player {}: cannot follow a strategy; nets, uniform, material and alphabeta can",
          quote(text, 80)));
}

/// Reads `settings` into `player`, whose kind is set.
void read_settings(PlayerSpec& player, std::string_view text, std::string_view settings) {
  OwnSettings own;
  const std::vector<Option> table = options(own, player.kind);
  const std::string what = fmt::format("player {}", quote(text, 80));
  const auto parts = split_list(settings, '&');
  if (!player.can_follow_strategy()) refuse_strategy(text, settings);
  if (table.empty() && !parts.empty())
    throw PlayerError(fmt::format("{}: this player has no settings", what));
  try {
    const auto keys = assign_settings(table, settings, '&', what);
    const std::vector<Option> search = search_options(own, player.kind);
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (std::ranges::any_of(search, [&](const Option& o) { return o.name == keys[i]; }))
        player.search_settings.push_back(parts[i]);
  } catch (const OptionError& error) {
    throw PlayerError(error.what());
  }
  if (!own.strategy.empty()) {
    try {
      player.strategy = find_strategy(own.strategy);
      load_strategy(player.strategy);
    } catch (const StrategyError& error) {
      throw PlayerError(fmt::format("{}: {}", what, error.what()));
    }
  }
  if (!own.evaluation.empty()) try {
      player.evaluation = find_network(own.evaluation, what + ": 'eval'");
    } catch (const RunError& error) {
      throw PlayerError(error.what());
    }
  player.limits = own.limits;
  if (own.temperature >= 0) player.temperature = own.temperature;
  if (own.precision != OwnPrecision::Given)
    player.precision = kPrecisions.at(static_cast<std::size_t>(own.precision) - 1);
}

PlayerSpec uci_player(std::string_view text) {
  PlayerSpec player{.kind = PlayerKind::Uci, .name = std::string(text)};
  player.engine = text.substr(kUci.size());
  if (const std::size_t mark = player.engine.find('?'); mark != std::string::npos)
    refuse_strategy(text, std::string_view(player.engine).substr(mark + 1));
  try {
    const UciEngineSpec spec = parse_uci_engine_spec(player.engine);
    player.limits = {.nodes = static_cast<std::int64_t>(spec.nodes),
                     .time_ms = spec.movetime ? static_cast<int>(spec.movetime->count()) : 0,
                     .depth = spec.depth};
  } catch (const UciSpecError& error) {
    throw PlayerError(fmt::format("player {}: {}", quote(text, 80), error.what()));
  }
  return player;
}

/// The checkpoint that `place` names: a file, or a run's newest or first net. `text`: the player as
/// given, for messages.
fs::path find_net(std::string_view text, const std::string& place, bool untrained) {
  std::error_code ignored;  // of names that are too long
  if (!untrained && fs::is_regular_file(place, ignored)) return place;
  if (const auto run = find_run(place)) {
    const auto nets = checkpoints_in(*run / "nets");
    if (nets.empty())
      throw PlayerError(
          fmt::format("player {}: {} contains no nets; a run keeps them as "
                      "nets/000123.pt",
                      quote(text), run->string()));
    if (untrained && nets.front().steps != 0)
      throw PlayerError(fmt::format("player {}: {} has no net of step 0; its first is {}",
                                    quote(text), run->string(), nets.front().file.string()));
    return untrained ? nets.front().file : nets.back().file;
  }
  if (const auto reason = why_unreadable(place))
    throw PlayerError(fmt::format("player {}: {}", quote(text), *reason));
  throw UnknownPlayerError(fmt::format(
      "player {}: {}. A player is {}{}", quote(text),
      untrained ? "there is no such run's folder" : "there is no such file or folder", kPlayerHelp,
      did_you_mean(nearest_name(
          place, {"random", "uniform", "material", "alphabeta", "alphabeta-1", "policy"}))));
}

/// `settings` with the file in place of the run that `eval` may name.
std::string with_resolved_evaluation(std::string_view settings, const fs::path& evaluation) {
  std::vector<std::string> parts = split_list(settings, '&');
  for (std::string& part : parts)
    if (part.starts_with("eval=") && !evaluation.empty()) part = "eval=" + evaluation.string();
  return fmt::format("{}", fmt::join(parts, "&"));
}

}  // namespace

bool PlayerSpec::can_follow_strategy() const {
  if (kind == PlayerKind::AlphaBeta) return name.substr(0, name.find('?')) != kFrozen;
  return uses_tree_search();
}

std::string player_text(std::string_view text) {
  std::string usual(text);
  const std::size_t mark = kAlphaBeta.size();
  if (!usual.starts_with(kAlphaBeta) || usual.size() == mark || usual[mark] != ':') return usual;
  usual[mark] = '?';
  std::ranges::replace(usual, ',', '&');
  return usual;
}

PlayerSpec find_player(std::string_view text) {
  if (text.starts_with(kUci)) return uci_player(text);
  if (const std::string usual = player_text(text); usual != text) {
    PlayerSpec player = find_player(usual);
    player.name = text;  // as earlier records of its games have it
    return player;
  }

  std::size_t mark = text.rfind('?');
  std::error_code ignored;  // of names that are too long
  if (fs::exists(text, ignored)) mark = std::string_view::npos;
  const std::string_view base = text.substr(0, mark);
  const std::string_view settings =
      mark == std::string_view::npos ? std::string_view() : text.substr(mark + 1);
  PlayerSpec player{.name = std::string(base)};
  if (base == "random") {
    player.kind = PlayerKind::Random;
  } else if (base == "uniform") {
    player.kind = PlayerKind::Uniform;
  } else if (base == "material") {
    player.kind = PlayerKind::Material;
  } else if (base == kAlphaBeta || base == kFrozen) {
    player.kind = PlayerKind::AlphaBeta;
  } else {
    const bool policy = base.starts_with(kPolicy);
    player.kind = policy ? PlayerKind::Policy : PlayerKind::Net;
    std::string_view place = policy ? base.substr(kPolicy.size()) : base;
    const bool untrained = place.starts_with(kUntrained);
    if (untrained) place.remove_prefix(kUntrained.size());
    player.net = find_net(text, std::string(place), untrained);
    player.name = (policy ? std::string(kPolicy) : "") + player.net.string();
  }
  read_settings(player, text, settings);
  if (base == kFrozen && !(player.search_settings.empty() && player.evaluation.empty()))
    throw PlayerError(fmt::format(
        "player {}: {} has limits alone (depth, nodes, ms), so that it stays the same opponent; "
        "alphabeta has settings",
        quote(text, 80), kFrozen));
  if (!settings.empty()) player.name += "?" + with_resolved_evaluation(settings, player.evaluation);
  return player;
}

void check_strategy_of(const PlayerSpec& player, std::string_view variant) {
  if (player.strategy.empty()) return;
  try {
    check_strategy(load_strategy(player.strategy), variant);
  } catch (const StrategyError& error) {
    throw PlayerError(fmt::format("player {}: {}", quote(player.name, 80), error.what()));
  }
}

MoveLimits limits_of(const PlayerSpec& player, const MoveLimits& match) {
  if (!player.needs_limits()) return {};
  MoveLimits limits = player.limits.any() ? player.limits : match;
  if (player.uses_tree_search()) {
    limits.depth = 0;
  } else {
    limits.visits = 0;
    limits.evaluations = 0;
  }
  if (!limits.any())
    throw PlayerError(fmt::format(
        "player {}: nothing limits its searches; use --nodes or --time-ms, or give it a limit, as "
        "in {}",
        quote(player.name, 80),
        player.kind == PlayerKind::Uci         ? "uci:stockfish?nodes=1000"
        : player.kind == PlayerKind::AlphaBeta ? "alphabeta?depth=4"
                                               : "uniform?visits=100"));
  return limits;
}

std::string limits_text(const MoveLimits& limits) {
  std::vector<std::string> parts;
  if (limits.visits > 0) parts.push_back(counted(limits.visits, "visit"));
  if (limits.nodes > 0) parts.push_back(counted(limits.nodes, "node"));
  if (limits.evaluations > 0) parts.push_back(counted(limits.evaluations, "evaluation"));
  if (limits.depth > 0) parts.push_back(fmt::format("depth {}", limits.depth));
  if (limits.time_ms > 0) parts.push_back(fmt::format("{} ms", limits.time_ms));
  return fmt::format("{}", fmt::join(parts, " or "));
}

}  // namespace faultline
