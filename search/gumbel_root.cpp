// Sequential halving over root moves, and policies improved by their values.
#include "search/gumbel_root.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace faultline {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double logit(const RootMove& move) {
  return move.prior > 0 ? std::log(static_cast<double>(move.prior)) : kNever;
}

double most_visits(std::span<const RootMove> moves) {
  std::uint32_t most = 0;
  for (const RootMove& move : moves)
    most = std::max(most, move.visits);
  return most;
}

/// What a value, win - loss, adds to a move's logit: σ of the paper, for values from 0 to 1.
double gain(double value, double most, const GumbelParams& params) {
  return (params.visits + most) * params.scale * (value + 1) / 2;
}

/// The value of a move without visits. `own`: of the root, by its own evaluation.
double mixed_value(std::span<const RootMove> moves, double own) {
  double visits = 0, visited_prior = 0, visited_value = 0;
  for (const RootMove& move : moves) {
    if (move.visits == 0) continue;
    visits += move.visits;
    visited_prior += move.prior;
    visited_value += static_cast<double>(move.prior) * move.value;
  }
  if (visited_prior <= 0) return own;
  return (own + visits * visited_value / visited_prior) / (1 + visits);
}

}  // namespace

void GumbelRoot::begin(std::span<const RootMove> moves, std::uint32_t visits,
                       std::mt19937_64& rng) {
  assert(visits >= 1);
  visits_ = visits;
  std::extreme_value_distribution<double> gumbel(0, 1);
  noise_.resize(moves.size());
  for (double& noise : noise_)
    noise = gumbel(rng);
  considered_.clear();
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (moves[i].prior > 0) considered_.push_back(i);
  assert(!considered_.empty() && "priors sum to 1");
  const std::size_t most = std::min({considered_.size(), static_cast<std::size_t>(params_.moves),
                                     static_cast<std::size_t>(visits)});
  const auto before = [&](std::size_t a, std::size_t b) {
    return logit(moves[a]) + noise_[a] > logit(moves[b]) + noise_[b];
  };
  std::ranges::sort(considered_, before);
  considered_.resize(most);
  phases_ = std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(most - 1)));
  set_quota();
}

void GumbelRoot::set_quota() {
  started_ = 0;
  quota_ = std::max<std::size_t>(1, visits_ / (phases_ * considered_.size()));
}

double GumbelRoot::score(const RootMove& move, std::size_t index, double most) const {
  return logit(move) + noise_[index] +
         (move.visits > 0 ? gain(static_cast<double>(move.value) + move.bonus, most, params_)
                          : kNever);
}

void GumbelRoot::next_phase(std::span<const RootMove> moves) {
  const double most = most_visits(moves);
  std::ranges::sort(considered_, [&](std::size_t a, std::size_t b) {
    return score(moves[a], a, most) > score(moves[b], b, most);
  });
  // The last two share what is left.
  considered_.resize(
      std::min(considered_.size(), std::max<std::size_t>(2, (considered_.size() + 1) / 2)));
  set_quota();
}

GumbelRoot::Decision GumbelRoot::decide(std::span<const RootMove> moves,
                                        const Evaluation& own) const {
  Decision decision;
  const double most = most_visits(moves);
  decision.move = *std::ranges::max_element(
      considered_, {}, [&](std::size_t i) { return score(moves[i], i, most); });
  const std::vector<double> policy = improved_policy(moves, own, params_, policy_temperature_);
  // What has less than a thousandth of the best move's share would only cost memory.
  constexpr double kWeights = 60'000, kLeast = 1e-3;
  const double least = kLeast * *std::ranges::max_element(policy);
  double visited = 0, value = 0, draw = 0, moves_left = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    decision.policy.push_back(
        policy[i] < least ? 0 : static_cast<std::uint32_t>(std::lround(kWeights * policy[i])));
    if (moves[i].visits == 0) continue;
    visited += policy[i];
    value += policy[i] * moves[i].value;
    draw += policy[i] * moves[i].draw;
    moves_left += policy[i] * moves[i].moves_left;
  }
  decision.value = own;
  if (visited > 0)
    decision.value =
        mean_evaluation(static_cast<float>(value / visited), static_cast<float>(draw / visited),
                        static_cast<float>(moves_left / visited));
  return decision;
}

std::vector<double> improved_policy(std::span<const RootMove> moves, const Evaluation& own,
                                    const GumbelParams& params, float temperature) {
  const double most = most_visits(moves);
  const double unvisited = mixed_value(moves, own.value());
  std::vector<double> policy;
  policy.reserve(moves.size());
  for (const RootMove& move : moves) {
    const double visits = move.visits;
    const double value = visits > 0 ? (visits * move.value + params.shrinkage * unvisited) /
                                          (visits + params.shrinkage)
                                    : unvisited;
    policy.push_back(logit(move) / temperature + gain(value + move.bonus, most, params));
  }
  const double best = *std::ranges::max_element(policy);
  double total = 0;
  for (double& p : policy)
    total += p = std::exp(p - best);
  for (double& p : policy)
    p /= total;
  return policy;
}

}  // namespace faultline
