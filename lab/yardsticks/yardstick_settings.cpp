// The settings of the yardsticks, and what they are where they leave it open.
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "base/quote.h"
#include "lab/ready_networks.h"
#include "lab/yardsticks/yardsticks.h"
#include "model/checkpoint.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// The player that uses the fast network of a file, if it has one.
std::string fast_player(const fs::path& net) {
  try {
    load_fast_network(net);
  } catch (const std::exception&) {
    return "";
  }
  return "alphabeta?eval=" + net.string();
}

}  // namespace

std::vector<Option> options(YardstickSettings& s) {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  std::vector<Option> all = move_limit_options(s.limits);
  const std::vector<Option> own = {
      {"endgames", &s.endgames, Range{0, 100'000},
       "Endgame positions, over all sets of pieces; 0: none."},
      {"pieces", &s.pieces, Anything{},
       "The sets of pieces, as in KQK KRK (White's, then Black's); none: by the game."},
      {"puzzles", &s.puzzles, Range{0, 10'000}, "Mates in 2 to 5, a quarter each; 0: none."},
      {"only_moves", &s.only_moves, Range{0, 10'000},
       "Positions with a move that is far better than all others; 0: none."},
      {"regret", &s.regret, Range{0, 10'000},
       "Positions in which a judge values the moves; 0: none."},
      {"judge", &s.judge, Anything{},
       "The player who judges; none: alphabeta, with the ready fast network if there is one."},
      {"judge_nodes", &s.judge_nodes, Range{1, kLargestWhole},
       "Nodes of each search of a judge without limits of its own."},
      {"seed", &s.seed, Range{0, kNoLimit}, "Seed of all positions and random choices."}};
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

std::vector<PlayerSpec> yardstick_players(const std::string& variant) {
  std::vector<std::string> names;
  if (const fs::path net = ready_network(variant); !net.empty()) {
    if (read_checkpoint_info(net).has_network)
      names = {"policy:" + net.string(), net.string() + "?visits=100",
               net.string() + "?visits=800"};
    if (const std::string fast = fast_player(net); !fast.empty())
      names.insert(names.end(), {fast + "&ms=1", fast + "&ms=10"});
  }
  names.insert(names.end(), {"random", "material?visits=100", "alphabeta?ms=10"});
  std::vector<PlayerSpec> players;
  for (const std::string& name : names)
    players.push_back(find_player(name));
  return players;
}

PlayerSpec judge_of(const YardstickSettings& settings, const std::string& variant) {
  std::string name = settings.judge;
  if (name.empty())
    if (const fs::path net = ready_network(variant); !net.empty()) name = fast_player(net);
  PlayerSpec judge;
  try {
    judge = find_player(name.empty() ? "alphabeta" : name);
  } catch (const PlayerError& error) {
    throw PlayerError(fmt::format("judge: {}", error.what()));
  }
  if (!judge.needs_limits() || judge.kind == PlayerKind::Uniform)
    throw PlayerError(fmt::format("judge = {}: it does not value moves; give one that searches",
                                  quote(settings.judge, 80)));
  return judge;
}

}  // namespace faultline
