// Measures how sharp a network's priors are.
#include "app/match_temperature.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/position_analysis.h"
#include "base/processor.h"
#include "model/checkpoint.h"
#include "model/checkpoint_file.h"
#include "model/inference/backend_choice.h"
#include "model/net_search.h"
#include "play/game.h"

namespace faultline {
namespace {

constexpr std::size_t kPositions = 300;
constexpr std::size_t kFewest = 60;
constexpr std::size_t kAtOnce = 20;
constexpr std::uint32_t kVisitsPerMove = 64;
constexpr const char* kMeasuredKey = "match_temperature";

struct PricedMoves {
  std::vector<float> priors;
  std::size_t best = 0;
};

/// Some positions of games of which the policy draws the moves, one of each game.
std::vector<std::unique_ptr<GamePosition>> positions_of(const Game& game,
                                                        const GameEvaluator& evaluator,
                                                        std::mt19937_64& rng,
                                                        const std::function<bool()>& stopped) {
  constexpr int kFirst = 4;  // random plies
  constexpr int kLast = 60;
  std::vector<std::unique_ptr<GamePosition>> all;
  while (all.size() < kAtOnce && !stopped()) {
    std::unique_ptr<GamePosition> position = game.start();
    const int plies = std::uniform_int_distribution(kFirst, kLast)(rng);
    for (int ply = 0; ply < plies && !is_over(position->outcome()); ++ply) {
      const std::vector<Move> moves = position->legal_moves();
      if (ply < kFirst) {
        position->play(moves[std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(rng)]);
        continue;
      }
      const GamePosition* const one = position.get();
      const std::vector<float> priors = evaluator.evaluate({&one, 1}).front().priors;
      position->play(
          moves[std::discrete_distribution<std::size_t>(priors.begin(), priors.end())(rng)]);
    }
    if (!is_over(position->outcome()) && position->legal_moves().size() > 1)
      all.push_back(std::move(position));
  }
  return all;
}

/// The best move of each position: the one after which a search likes the enemy's side least.
void find_best_moves(PositionAnalyst& analyst, const std::vector<const GamePosition*>& positions,
                     const std::vector<RawEvaluation>& raw, std::vector<PricedMoves>& found) {
  std::vector<std::unique_ptr<GamePosition>> after;
  for (const GamePosition* position : positions)
    for (const Move move : position->legal_moves()) {
      after.push_back(position->clone());
      after.back()->play(move);
    }
  std::vector<const GamePosition*> children;
  for (const auto& position : after)
    children.push_back(position.get());
  const std::vector<PositionAnalysis> analyses = analyst.analyse(children);
  std::size_t next = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    PricedMoves moves{.priors = raw[i].priors, .best = 0};
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < moves.priors.size(); ++m, ++next) {
      const PositionAnalysis& child = analyses[next];
      if (!child.done) return;
      const Colour mover = positions[i]->side_to_move();
      const double worth =
          is_over(child.outcome)
              ? score_for(child.outcome, mover) - 0.5
              : -(double{child.report.value.win} - double{child.report.value.loss}) / 2;
      if (worth > most) {
        most = worth;
        moves.best = m;
      }
    }
    found.push_back(std::move(moves));
  }
}

double mean_surprise(const std::vector<PricedMoves>& positions, double temperature) {
  constexpr double kLeast = 1e-6;  // so that no single move decides
  double sum = 0;
  for (const PricedMoves& moves : positions) {
    double total = 0;
    for (const float prior : moves.priors)
      total += std::pow(std::max(kLeast, double{prior}), 1 / temperature);
    sum -= std::log(std::pow(std::max(kLeast, double{moves.priors[moves.best]}), 1 / temperature) /
                    total);
  }
  return sum / static_cast<double>(positions.size());
}

}  // namespace

std::optional<MatchTemperature> measure_match_temperature(const std::filesystem::path& net,
                                                          const BackendRegistry& backends,
                                                          const DeviceOptions& device,
                                                          double seconds,
                                                          const std::function<bool()>& stop) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  const auto stopped = [&] { return stop() || Clock::now() >= end; };
  const Game& game = find_game(read_checkpoint_info(net).encoding.variant);
  const auto evaluator = game.network_evaluator(load_backend(
      net, game.encoding(), backends, backend_options(choose_inference(backends, device, {}))));
  std::mt19937_64 rng(1);
  TreeSearchSettings search = net_search(net).settings;
  search.params.policy_temperature = 1.7F;  // wide, as moves are to be told apart
  PositionAnalyst analyst(
      game, evaluator,
      {.visits = kVisitsPerMove, .lines = 1, .threads = available_processors(), .search = search});
  analyst.stop = stopped;
  std::vector<PricedMoves> found;
  while (found.size() < kPositions && !stopped()) {
    const auto positions = positions_of(game, *evaluator, rng, stopped);
    std::vector<const GamePosition*> some;
    for (const auto& position : positions)
      some.push_back(position.get());
    if (some.empty()) break;
    find_best_moves(analyst, some, evaluator->evaluate(some), found);
  }
  if (found.size() < kFewest || stop()) return std::nullopt;
  MatchTemperature best{.temperature = 1, .positions = static_cast<int>(found.size())};
  double least = std::numeric_limits<double>::infinity();
  // From the least that no match has found too flat: weak networks measure as sharper than they
  // should play (docs/research/search.md).
  for (int tenths = 15; tenths <= 40; ++tenths) {
    const double surprise = mean_surprise(found, tenths / 10.0);
    if (surprise < least) {
      least = surprise;
      best.temperature = tenths / 10.0;
    }
  }
  return best;
}

std::optional<MatchTemperature> calibrate_match_temperature(const std::filesystem::path& net,
                                                            const BackendRegistry& backends,
                                                            const DeviceOptions& device,
                                                            double seconds,
                                                            const std::function<bool()>& stop) {
  if (CheckpointFile::read(net).header.contains(kMeasuredKey)) return std::nullopt;
  const auto measured = measure_match_temperature(net, backends, device, seconds, stop);
  if (!measured) return std::nullopt;
  TreeSearchSettings search = net_search(net).settings;
  search.params.policy_temperature = static_cast<float>(measured->temperature);
  CheckpointFile file = CheckpointFile::read(net);
  file.header[kSearchKey] = to_json(search);
  file.header[kMeasuredKey] = {{"positions", measured->positions}};
  file.write(net);
  return measured;
}

}  // namespace faultline
