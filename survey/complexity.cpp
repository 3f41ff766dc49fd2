// Perft by depth, and random games.
#include "survey/complexity.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

#include "base/seeds.h"

namespace faultline {
namespace {

/// One game of random moves.
struct Playout {
  int plies = 0;
  double product_log10 = 0;  // of the numbers of legal moves
  double typical_log10 = 0;  // of those in the typical number of plies
  Outcome outcome = Outcome::Ongoing;
};

Playout play_out(const GamePosition& start, int max_plies, int typical_plies,
                 std::mt19937_64& rng) {
  const auto position = start.clone();
  Playout playout;
  while (playout.plies < max_plies) {
    const std::vector<Move> moves = position->legal_moves();
    // The bias of the remainder is below 2^-50.
    position->play(moves[static_cast<std::size_t>(rng() % moves.size())]);
    playout.product_log10 += std::log10(static_cast<double>(moves.size()));
    ++playout.plies;
    if (playout.plies <= typical_plies) playout.typical_log10 = playout.product_log10;
    playout.outcome = position->outcome();
    if (is_over(playout.outcome)) break;
  }
  return playout;
}

void count_perft(const GamePosition& start, const ComplexityLimits& limits,
                 const std::function<bool()>& stop, Complexity& complexity) {
  std::vector<std::uint64_t>& perft = complexity.perft;
  const auto first = static_cast<double>(start.legal_moves().size());
  for (int depth = 1; !stop || !stop(); ++depth) {
    const double before = perft.empty() ? 1 : static_cast<double>(perft.back());
    const double factor =
        perft.size() < 2 ? first : before / static_cast<double>(perft[perft.size() - 2]);
    if (depth > 1 && before * factor > static_cast<double>(limits.perft_nodes)) break;
    perft.push_back(start.perft(depth));
    if (perft.back() == 0) break;
  }
  if (perft.size() == 1) complexity.growth = static_cast<double>(perft[0]);
  if (perft.size() > 1 && perft.front() > 0)
    complexity.growth =
        std::pow(static_cast<double>(perft.back()) / static_cast<double>(perft.front()),
                 1 / static_cast<double>(perft.size() - 1));
}

}  // namespace

double knuth_log10(const std::vector<double>& products_log10) {
  const double largest = *std::ranges::max_element(products_log10);
  double sum = 0;
  for (const double product : products_log10)
    sum += std::pow(10, product - largest);
  return largest + std::log10(sum / static_cast<double>(products_log10.size()));
}

Complexity complexity_of(const Game& game, const ComplexityLimits& limits,
                         const std::function<bool()>& stop) {
  Complexity complexity;
  const auto start = game.start();
  count_perft(*start, limits, stop, complexity);
  complexity.longest = limits.max_plies > 0 ? limits.max_plies : game.family().most_plies;
  const Colour first = start->side_to_move();
  std::vector<double> products, typical;
  std::vector<ClusterSum> plies, decided, score;
  for (int i = 0; i < limits.playouts && (!stop || !stop()); ++i) {
    std::mt19937_64 rng(mix_seed(limits.seed, static_cast<std::uint64_t>(i)));
    const Playout playout = play_out(*start, complexity.longest, limits.typical_plies, rng);
    products.push_back(playout.product_log10);
    typical.push_back(playout.typical_log10);
    plies.push_back({static_cast<double>(playout.plies), 1});
    if (!is_over(playout.outcome)) {
      ++complexity.cut;
      continue;
    }
    const int points = score_for(playout.outcome, first);
    decided.push_back({points == 0 ? 0.0 : 1.0, 1});
    score.push_back({0.5 + 0.5 * points, 1});
  }
  complexity.playouts = static_cast<int>(products.size());
  complexity.random_plies = ratio_of_sums(plies);
  complexity.random_decided = share_of_sums(decided);
  complexity.random_score = share_of_sums(score);
  complexity.typical_plies = limits.typical_plies;
  if (!products.empty()) {
    complexity.typical_log10 = knuth_log10(typical);
    complexity.tree_log10 = knuth_log10(products);
    complexity.largest_share =
        std::pow(10, *std::ranges::max_element(products) - complexity.tree_log10) /
        static_cast<double>(products.size());
  }
  return complexity;
}

}  // namespace faultline
