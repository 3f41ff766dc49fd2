// Choosing a move at the root.
#include "search/root_moves.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>

namespace faultline {

Move best_move(std::span<const RootMove> moves) {
  assert(!moves.empty());
  const auto rank = [](const RootMove& m) {
    const int certainty = m.wins() ? 1 : m.loses() ? -1 : 0;
    return std::tuple(!m.excluded, certainty, -m.mate_plies, m.visits, m.value, m.prior);
  };
  return std::max_element(moves.begin(), moves.end(),
                          [&](const RootMove& a, const RootMove& b) { return rank(a) < rank(b); })
      ->move;
}

std::optional<Evaluation> mean_of_visits(std::span<const RootMove> moves) {
  double visits = 0;
  double value = 0;
  double draw = 0;
  double moves_left = 0;
  for (const RootMove& move : moves) {
    const double weight = move.visits;
    visits += weight;
    value += weight * move.value;
    draw += weight * move.draw;
    moves_left += weight * move.moves_left;
  }
  if (visits == 0) return std::nullopt;
  return mean_evaluation(static_cast<float>(value / visits), static_cast<float>(draw / visits),
                         static_cast<float>(moves_left / visits));
}

std::optional<std::size_t> pick_index(std::span<const std::uint32_t> weights, float temperature,
                                      std::mt19937_64& rng) {
  constexpr float kColdest = 1e-3F;  // below this, all powers are zero or one
  const std::uint32_t most = weights.empty() ? 0 : *std::ranges::max_element(weights);
  if (temperature < kColdest || most == 0) return std::nullopt;
  std::vector<double> powers;
  powers.reserve(weights.size());
  for (const std::uint32_t weight : weights)
    powers.push_back(std::pow(static_cast<double>(weight) / most, 1.0 / temperature));
  return std::discrete_distribution<std::size_t>(powers.begin(), powers.end())(rng);
}

}  // namespace faultline
