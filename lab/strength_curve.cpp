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

#include "lab/opening_source.h"
#include "lab/players.h"
#include "lab/rating.h"
#include "lab/run_match.h"
#include "play/game_text.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

std::string net_name(std::int64_t steps) {
  return fmt::format("net {}", steps);
}

GameResult result_of(const std::string& shown) {
  for (const GameResult result : {GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw})
    if (shown == text(result)) return result;
  return GameResult::None;
}

Json line_of(const RatingGame& game, std::int64_t steps, const std::filesystem::path& checkpoint) {
  return {{"steps", steps},
          {"checkpoint", checkpoint.filename().string()},
          {"white", game.white},
          {"black", game.black},
          {"result", std::string(text(game.result))},
          {"opening", game.opening}};
}

}  // namespace

StrengthCurve::StrengthCurve(StrengthCurveSettings settings, const BackendRegistry& backends,
                             const DeviceOptions& device)
    : settings_(std::move(settings)),
      resources_(std::make_unique<PlayerResources>(backends, device)) {}

StrengthCurve::~StrengthCurve() = default;

void StrengthCurve::load(const std::filesystem::path& file) {
  loaded_ = true;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("opening")) continue;  // a torn line
    const std::int64_t steps = json.value("steps", std::int64_t{0});
    games_.add({json.value("white", ""), json.value("black", ""),
                result_of(json.value("result", std::string())), settings_.variant,
                json.value("opening", "")});
    if (measured_.empty() || measured_.back().steps != steps)
      measured_.push_back(
          {steps, file.parent_path() / "nets" / json.value("checkpoint", std::string())});
  }
}

std::vector<StrengthCurve::Measured> StrengthCurve::earlier_nets(std::int64_t steps) const {
  std::vector<Measured> nets;
  for (const Measured& net : measured_)
    if (net.steps < steps && std::filesystem::exists(net.checkpoint)) nets.push_back(net);
  if (nets.size() <= 2) return nets;
  const auto half = std::ranges::min_element(
      nets.begin(), nets.end() - 1, {},
      [&](const Measured& net) { return std::abs(2 * net.steps - steps); });
  return {*half, nets.back()};
}

std::optional<StrengthPoint> StrengthCurve::measure(const StrengthRequest& request) {
  const std::filesystem::path file = request.run / "strength_curve.jsonl";
  if (!loaded_) load(file);
  std::vector<std::pair<std::string, std::string>> opponents;  // as players, and by name
  for (const std::string& opponent : settings_.opponents)
    opponents.emplace_back(opponent, opponent);
  for (const Measured& net : earlier_nets(request.steps))
    opponents.emplace_back(net.checkpoint.string(), net_name(net.steps));
  std::error_code no_file;
  const bool begun = std::filesystem::file_size(file, no_file) > 0 && !no_file;
  std::ofstream out(file, std::ios::app);
  if (begun) out << '\n';  // the last line may be torn; empty lines are skipped
  if (!out) throw std::runtime_error(file.string() + ": cannot be written");
  measured_.push_back({request.steps, request.checkpoint});
  const std::string own = net_name(request.steps);
  for (const auto& [player, name] : opponents) {
    MatchSetup setup;
    setup.variant = settings_.variant;
    setup.players = {find_player(request.checkpoint.string()), find_player(player)};
    setup.config.games = settings_.games;
    setup.config.openings = parse_opening_source("random:4");
    setup.config.seed = settings_.seed + static_cast<std::uint64_t>(request.steps);
    setup.config.threads = 1;
    setup.limits = {MoveLimits{.visits = settings_.visits}, MoveLimits{.visits = settings_.visits}};
    MatchHooks hooks;
    hooks.stop = request.stop;
    hooks.on_game = [&, opponent = std::string_view(name)](const MatchGame& game,
                                                           const MatchResult&) {
      const bool white = game.first_colour == Colour::White;
      RatingGame rated{
          white ? own : std::string(opponent), white ? std::string(opponent) : own,
          game.ending == MatchEnding::Cut ? GameResult::None : faultline::result_of(game.outcome),
          settings_.variant, fmt::format("{}/{}/{}", request.steps, opponent, game.number / 2)};
      games_.add(rated);
      out << line_of(rated, request.steps, request.checkpoint).dump() << std::endl;
    };
    run_match(resolved(std::move(setup), *resources_), *resources_, hooks);
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
