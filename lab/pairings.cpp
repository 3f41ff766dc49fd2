// The circle method, and greedy choice by expected information.
#include "lab/pairings.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <unordered_map>
#include <utility>

namespace faultline {
namespace {

/// Gains that differ by less are equal: rounding must not choose.
constexpr double kSameGain = 1e-9;

/// Variances of strengths in Elo² and games of each pairing; updated as if games were played.
class Knowledge {
 public:
  Knowledge(const RatingGames& games, const Ratings& ratings) : n_(games.players().size()) {
    std::unordered_map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < n_; ++i)
      numbers[games.players()[i]] = i;
    std::vector<std::size_t> number(n_);  // by rank
    for (std::size_t i = 0; i < n_; ++i)
      number[i] = numbers.at(ratings.players[i].name);
    elo_.resize(n_);
    covariance_.resize(n_ * n_);
    for (std::size_t i = 0; i < n_; ++i) {
      elo_[number[i]] = ratings.players[i].elo;
      for (std::size_t j = 0; j < n_; ++j)
        covariance_[number[i] * n_ + number[j]] = ratings.covariance_of(i, j);
    }
    games_.resize(n_ * n_);
    for (const RatingGames::Count& count : games.counts())
      count_games({count.white, count.black}, count.games());
    if (!ratings.variants.empty()) {
      advantage_ = ratings.variants.front().advantage_elo;
      draw_share_ = ratings.variants.front().draw_share;
    }
  }

  double elo_difference(Pairing pair) const {
    return elo_[index(pair.first)] - elo_[index(pair.second)];
  }
  int games(Pairing pair) const { return games_[index(pair.first) * n_ + index(pair.second)]; }

  /// Fisher information about the difference, per Elo².
  double information(Pairing pair, int games) const {
    double sum = 0;
    for (const double advantage : {advantage_, -advantage_}) {
      const ResultChances c = result_chances(elo_difference(pair) + advantage, draw_share_);
      sum += c.win + c.draw / 4 - c.score() * c.score();
    }
    return games * sum / 2 * std::pow(std::numbers::ln10 / 400, 2);
  }
  double variance(Pairing pair) const {
    const std::size_t i = index(pair.first);
    const std::size_t j = index(pair.second);
    return covariance_[i * n_ + i] + covariance_[j * n_ + j] - 2 * covariance_[i * n_ + j];
  }

  /// The covariance after games with this information: Sherman and Morrison's formula.
  void learn(Pairing pair, double information, int games) {
    const double scale = information / (1 + information * variance(pair));
    std::vector<double> column(n_);  // of covariance · (first - second)
    for (std::size_t i = 0; i < n_; ++i)
      column[i] =
          covariance_[i * n_ + index(pair.first)] - covariance_[i * n_ + index(pair.second)];
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        covariance_[i * n_ + j] -= scale * column[i] * column[j];
    count_games(pair, games);
  }

 private:
  static std::size_t index(int player) { return static_cast<std::size_t>(player); }
  void count_games(Pairing pair, int games) {
    games_[index(pair.first) * n_ + index(pair.second)] += games;
    games_[index(pair.second) * n_ + index(pair.first)] += games;
  }

  std::size_t n_;
  std::vector<double> elo_;
  std::vector<double> covariance_;
  std::vector<int> games_;
  double advantage_ = 0;
  double draw_share_ = 1.0 / 3;
};

}  // namespace

std::vector<Pairing> round_robin(int players) {
  const int seats = players + players % 2;  // one may be empty
  std::vector<Pairing> pairings;
  for (int round = 0; round + 1 < seats; ++round)
    for (int i = 0; i < seats / 2; ++i) {
      // Seat 0 stays, the others move on by one each round.
      const auto at = [&](int seat) {
        return seat == 0 ? 0 : 1 + (seat - 1 + round) % (seats - 1);
      };
      const auto [first, second] = std::minmax({at(i), at(seats - 1 - i)});
      if (second < players) pairings.push_back({first, second});
    }
  return pairings;
}

std::vector<Pairing> gauntlet(int players, int challengers) {
  std::vector<Pairing> pairings;
  for (int first = 0; first < challengers; ++first)
    for (int second = first + 1; second < players; ++second)
      pairings.push_back({first, second});
  return pairings;
}

std::vector<Pairing> most_informative(const RatingGames& games_so_far, int count, int games,
                                      const RatingSettings& settings) {
  RatingSettings plain = settings;
  plain.observation = Observation::Game;
  Knowledge knowledge(games_so_far, rate(games_so_far, plain));
  const int players = static_cast<int>(games_so_far.players().size());
  std::vector<Pairing> chosen;
  while (static_cast<int>(chosen.size()) < count) {
    Pairing best;
    double best_gain = -1;
    double best_information = 0;
    for (int i = 0; i < players; ++i)
      for (int j = i + 1; j < players; ++j) {
        const Pairing pair{i, j};
        const double information = knowledge.information(pair, games);
        const double gain = std::log1p(information * knowledge.variance(pair)) / 2;
        const bool equal = std::abs(gain - best_gain) <= kSameGain * best_gain;
        if (equal ? knowledge.games(pair) < knowledge.games(best) : gain > best_gain) {
          best = pair;
          best_gain = gain;
          best_information = information;
        }
      }
    knowledge.learn(best, best_information, games);
    chosen.push_back(best);
  }
  return chosen;
}

}  // namespace faultline
