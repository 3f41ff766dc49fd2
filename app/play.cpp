// `faultline play`: play against a network in the terminal.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include "analysis/play_dialogue.h"
#include "app/commands.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "app/whole_number.h"
#include "base/quote.h"
#include "base/stop_signals.h"
#include "lab/ready_networks.h"
#include "lab/run_match.h"
#include "rules/variant.h"

namespace faultline {
namespace play_command {
namespace {

struct Options {
  std::vector<std::string> names;  // [VARIANT] PLAYER
  std::string variant;
  std::string side = "white";
  std::optional<std::uint32_t> visits;
  int time_ms = 0;
  std::string fen;
  DeviceOptions device;
};

/// Lines from standard input; also ends at Ctrl-C, which does not interrupt std::getline.
class TerminalLines {
 public:
  /// nullopt at the end of the input and when a stop is requested.
  std::optional<std::string> next() {
    for (;;) {
      if (StopSignals::requested()) return std::nullopt;
      if (const auto end = buffer_.find('\n'); end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return line;
      }
      if (at_end_) {
        if (buffer_.empty()) return std::nullopt;
        return std::exchange(buffer_, "");
      }
      read_more();
    }
  }

 private:
  void read_more() {
    // A signal between the check and poll() is noticed after at most this many milliseconds.
    constexpr int kPatience = 200;
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (::poll(&input, 1, kPatience) <= 0) return;
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count > 0)
      buffer_.append(bytes.data(), static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR)
      at_end_ = true;
  }

  std::string buffer_;
  bool at_end_ = false;
};

Colour chosen_side(const std::string& side) {
  if (side == "random") return std::random_device()() % 2 == 0 ? Colour::White : Colour::Black;
  return side == "black" ? Colour::Black : Colour::White;
}

/// The program's, unless the player has its own.
MoveLimits move_limits(const Options& options) {
  constexpr int kDepth = 4;  // of a player that searches no tree
  MoveLimits limits{.visits = options.visits.value_or(0), .time_ms = options.time_ms};
  if (!limits.any()) limits.visits = 400;
  if (options.time_ms == 0) limits.depth = kDepth;
  return limits;
}

std::shared_ptr<GameEvaluator> evaluator_of(const PlayerSpec& player, const Game& game,
                                            const DeviceOptions& device) {
  if (player.kind == PlayerKind::Uniform) return game.uniform_evaluator();
  if (player.kind == PlayerKind::Material) return game.material_evaluator();
  return game.network_evaluator(load_player(player, game.encoding(), device));
}

/// A player's searcher, and one without its strategy; the same if it has none.
struct PlayersSearchers {
  std::shared_ptr<GameSearcher> own, plain;
};
PlayersSearchers searchers_of(const PlayerSpec& player, const Game& game,
                              const DeviceOptions& device) {
  std::optional<StrategyText> strategy;
  if (!player.strategy.empty()) strategy = load_strategy(player.strategy);
  const auto both = [&](const auto& make) -> PlayersSearchers {
    std::shared_ptr<GameSearcher> own = make(strategy ? &*strategy : nullptr);
    return {own, strategy ? make(nullptr) : own};
  };
  return reporting_input_errors([&]() -> PlayersSearchers {
    switch (player.kind) {
      case PlayerKind::Random: {
        const std::shared_ptr<GameSearcher> searcher = game.random_searcher();
        return {searcher, searcher};
      }
      case PlayerKind::Policy: {
        const std::shared_ptr<GameSearcher> searcher =
            game.policy_searcher(evaluator_of(player, game, device));
        return {searcher, searcher};
      }
      case PlayerKind::AlphaBeta:
        return both([&, fast = fast_network_of(player)](const StrategyText* follows) {
          return game.alpha_beta_searcher(alpha_beta_params(player), fast, follows);
        });
      default:
        return both([&, settings = search_of(player).settings,
                     evaluator = evaluator_of(player, game, device)](const StrategyText* follows) {
          return game.puct_searcher(settings, evaluator, follows);
        });
    }
  });
}

void converse(const Options& options, const PlayerSpec& player, const Game& game) {
  if (player.uses_net()) require_choice(options.device);
  print_search_notices({player.name});
  auto start = options.fen.empty() ? game.start() : game.from_fen(options.fen);
  const StopSignals signals;
  PlayOptions play{.person = chosen_side(options.side),
                   .marks = terminal_marks(),
                   .interrupted = StopSignals::requested};
  play.limits = search_limits(player, limits_of(player, move_limits(options)));

  fmt::print("{} against {}\n", game.variant(), player.name);
  std::fflush(stdout);
  const PlayersSearchers searchers = searchers_of(player, game, options.device);
  PlayDialogue dialogue(game, std::move(start), searchers.own, searchers.plain, std::cout, play);
  const bool asks = isatty(STDIN_FILENO) != 0;
  TerminalLines lines;
  dialogue.begin();
  while (!dialogue.has_left()) {
    if (asks && !StopSignals::requested()) std::cout << dialogue.prompt() << std::flush;
    const std::optional<std::string> line = lines.next();
    if (!line) {
      if (asks) std::cout << '\n';
      break;
    }
    dialogue.hear(*line);
  }
  if (!dialogue.is_over() && dialogue.position().plies() > 0)
    std::cout << "To continue later: --fen \"" << dialogue.position().fen() << "\"\n";
  std::cout << "Goodbye.\n" << std::flush;
}

/// Whether the one name given is that of a variant.
bool names_game(const Options& options) {
  if (options.names.size() != 1) return false;
  try {
    find_game(options.names.front());
    return true;
  } catch (const VariantError&) {
    return false;
  }
}

/// The one that is named, or else the variant's ready player, at a second per move.
PlayerSpec chosen_player(const Options& options) {
  if (!options.names.empty() && !names_game(options))
    return find_named_player(options.names.back());
  const std::string variant = options.names.empty() ? options.variant : options.names.front();
  if (variant.empty())
    throw UsageError(fmt::format("give [VARIANT] PLAYER; a player is {}", kPlayerHelp));
  PlayerSpec player = reporting_input_errors([&] { return ready_player(variant); });
  if (!options.visits && options.time_ms == 0) player.limits.time_ms = 1000;
  return player;
}

void play(const Options& options) {
  if (options.names.size() > 2)
    throw UsageError(fmt::format("give [VARIANT] PLAYER; a player is {}", kPlayerHelp));
  const PlayerSpec player = chosen_player(options);
  if (player.kind == PlayerKind::Uci)
    throw UsageError(player.name + " cannot play here; 'faultline match' plays against engines");
  const std::string named =
      options.names.size() == 2 || names_game(options) ? options.names.front() : "";
  if (!named.empty() && !options.variant.empty() && named != options.variant)
    throw UsageError(fmt::format("{} or {}: which variant?", quote(named), quote(options.variant)));
  const std::string variant_name =
      variant_of(options.variant.empty() ? named : options.variant, {player});
  const Game& game = find_game(variant_name);
  reporting_input_errors([&] { check_strategy_of(player, game.variant()); });
  converse(options, player, game);
}

}  // namespace
}  // namespace play_command

void add_play(CLI::App& app) {
  using namespace play_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("play", kPlaySummary);
  command->add_option(
      "PLAYER", options->names,
      "[VARIANT] PLAYER. Without a player, the variant's ready network plays, at a second per "
      "move. The player is a net (runs/NAME/nets/000123.pt, or a bundle), a run's "
      "folder (its newest net), untrained:RUN, policy:NET (its first choice without search), "
      "uniform (search without a net), material (search that counts it), alphabeta, or random; "
      "with settings as in NET?strategy=inferno-hold-back or alphabeta?depth=6");
  command->add_option("--variant", options->variant, "needed without a net (default: the net's)");
  command->add_option("--side", options->side, "your side: white, black or random")
      ->capture_default_str()
      ->check(CLI::IsMember({"white", "black", "random"}));
  command
      ->add_option("--visits", options->visits,
                   "visits of the program's search per move (default 400); alphabeta searches 4 "
                   "plies deep unless its settings or --time-ms say otherwise")
      ->transform(whole_number(1, 10'000'000));
  command
      ->add_option("--time-ms", options->time_ms,
                   "time limit per move of the program, in milliseconds")
      ->transform(whole_number(1, 3'600'000));
  command->add_option("--fen", options->fen, "starting position (default: the variant's)");
  add_device_options(*command, options->device);
  command->footer(
      "Moves are typed as e2e4 or e4; 'help' lists the other commands, 'moves e2' the\n"
      "legal moves of a piece. Commands can also be read from a file or pipe.\n\n"
      "Examples:\n"
      "  faultline play escher\n"
      "  faultline play runs/quickstart\n"
      "  faultline play runs/quickstart --side black --visits 2000\n"
      "  faultline play uniform --variant escher --time-ms 500");
  command->callback([options] { play(*options); });
}

}  // namespace faultline
