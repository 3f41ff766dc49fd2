// A run's strength over time, by games of its nets against a ladder of opponents.
#include "lab/strength_curve.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "lab/game_settings.h"
#include "lab/players.h"
#include "lab/rating.h"
#include "lab/run_match.h"
#include "play/game_text.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFile = "strength_curve.jsonl";

std::string net_name(std::int64_t steps) {
  return fmt::format("net {}", steps);
}

GameResult result_of(const std::string& shown) {
  for (const GameResult result : {GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw})
    if (shown == text(result)) return result;
  return GameResult::None;
}

Json curve_line(const RatingGame& game, std::int64_t steps,
                const std::filesystem::path& checkpoint) {
  return {{"steps", steps},
          {"checkpoint", checkpoint.filename().string()},
          {"white", game.white},
          {"black", game.black},
          {"result", std::string(text(game.result))},
          {"opening", game.opening}};
}

}  // namespace

void StrengthCurveGames::forget_from(std::int64_t steps) {
  std::erase_if(games, [&](const auto& game) { return game.first >= steps; });
  std::erase_if(nets, [&](const Net& net) { return net.steps >= steps; });
}

StrengthCurveGames read_strength_curve(const std::filesystem::path& run,
                                       const std::string& variant) {
  std::ifstream in(run / kFile);
  StrengthCurveGames read;
  for (std::string line; std::getline(in, line);) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("opening")) continue;  // a torn line
    const std::int64_t steps = json.value("steps", std::int64_t{0});
    if (!read.nets.empty() && steps < read.nets.back().steps) read.forget_from(steps);
    read.games.emplace_back(steps, RatingGame{player_text(json.value("white", "")),
                                              player_text(json.value("black", "")),
                                              result_of(json.value("result", std::string())),
                                              variant, json.value("opening", "")});
    if (read.nets.empty() || read.nets.back().steps != steps)
      read.nets.push_back(
          {steps, run / "nets" / json.value("checkpoint", std::string()), net_name(steps)});
  }
  return read;
}

std::vector<StrengthCurveGames::Net> StrengthCurve::earlier_nets(std::int64_t steps) const {
  using Net = StrengthCurveGames::Net;
  std::vector<Net> nets;
  for (const Net& net : measured_)
    if (net.steps < steps && std::filesystem::exists(net.checkpoint)) nets.push_back(net);
  if (nets.size() <= 2) return nets;
  const auto half = std::ranges::min_element(nets.begin(), nets.end() - 1, {}, [&](const Net& net) {
    return std::abs(2 * net.steps - steps);
  });
  return {*half, nets.back()};
}

std::optional<StrengthPoint> StrengthCurve::measure(const StrengthRequest& request) {
  const std::filesystem::path file = request.run / kFile;
  if (!std::exchange(loaded_, true)) {
    StrengthCurveGames earlier = read_strength_curve(request.run, settings_.variant);
    earlier.forget_from(request.steps);  // of this net and of later ones: others of these names
    for (const auto& [steps, game] : earlier.games)
      games_.add(game);
    measured_ = std::move(earlier.nets);
  }
  struct Opponent {
    std::string player;
    std::string name;
    std::filesystem::path net = {};  // of an earlier one
  };
  std::vector<Opponent> opponents;
  for (const std::string& opponent : settings_.opponents)
    opponents.push_back({opponent, opponent});
  for (const StrengthCurveGames::Net& net : earlier_nets(request.steps))
    opponents.push_back({net.checkpoint.string(), net.name, net.checkpoint});
  PlayerResources resources(*backends_, device_);
  std::error_code no_file;
  const bool begun = std::filesystem::file_size(file, no_file) > 0 && !no_file;
  std::ofstream out(file, std::ios::app);
  if (begun) out << '\n';  // the last line may be torn; empty lines are skipped
  if (!out) throw std::runtime_error(file.string() + ": cannot be written");
  const std::string own = net_name(request.steps);
  measured_.push_back({request.steps, request.checkpoint, own});
  for (const Opponent& opponent : opponents) {
    MatchHooks hooks;
    hooks.stop = request.stop;
    hooks.on_game = [&](const MatchGame& game, const MatchResult&) {
      const bool white = game.first_colour == Colour::White;
      RatingGame rated{
          white ? own : opponent.name, white ? opponent.name : own,
          game.ending == MatchEnding::Cut ? GameResult::None : faultline::result_of(game.outcome),
          settings_.variant,
          fmt::format("{}/{}/{}", request.steps, opponent.name, game.number / 2)};
      games_.add(rated);
      out << json_text(curve_line(rated, request.steps, request.checkpoint)) << std::endl;
    };
    try {
      const GameSettings games{.limits = {.visits = settings_.visits},
                               .openings = "random:4",
                               .seed = static_cast<std::int64_t>(settings_.seed) + request.steps};
      MatchSetup setup =
          match_setup(games, settings_.variant,
                      {find_player(request.checkpoint.string()), find_player(opponent.player)});
      setup.config.games = settings_.games;
      run_match(resolved(std::move(setup), resources), resources, hooks);
    } catch (const std::exception&) {
      // A run that keeps few checkpoints deletes them meanwhile.
      if (!std::filesystem::exists(request.checkpoint)) return std::nullopt;
      if (opponent.net.empty() || std::filesystem::exists(opponent.net)) throw;
    }
    if (request.stop()) return std::nullopt;
  }
  // It is 0 where all its games were cut, too.
  games_.add_player(settings_.opponents.front());
  games_.add_player(own);
  const Ratings ratings = rate(games_, {.anchor = std::pair(settings_.opponents.front(), 0.0)});
  const auto found = std::ranges::find(ratings.players, own, &PlayerRating::name);
  if (found == ratings.players.end()) return std::nullopt;
  return StrengthPoint{.steps = request.steps,
                       .elo = found->elo,
                       .elo_95 = {found->elo_95.low, found->elo_95.high},
                       .games = found->games(),
                       .zero = settings_.opponents.front()};
}

}  // namespace faultline
