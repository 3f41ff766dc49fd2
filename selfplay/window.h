// The learner's sliding window: the training positions of the latest games, decoded, in memory.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "record/game_record.h"
#include "record/levels.h"

namespace faultline {

/// A legal move (its index in legal_moves() order) and its weight in the policy target. Moves with
/// weight 0, which are the majority, are omitted.
struct PolicyWeight {
  std::uint16_t move;
  std::uint16_t weight;  // scaled down if one exceeded 65535; never 0
};

/// One training position of the window; valid until the window changes.
template <Position P>
struct Sample {
  const P& position;
  int repetitions;
  std::span<const PolicyWeight> policy;  // the target is each one's share of the weights
  std::array<float, 3> wdl;              // for the side to move
  float moves_left;                      // plies to the end; negative: unknown
};

/// How a game's value targets follow from it.
struct ValueTargets {
  float root_value_share = 0;  // of the position's own root value; the rest is the game's return
  float lambda = 1;            // of the return: 1 is the result, 0 the position's own root value
  bool cut_as_draws = false;   // the result of a game that was cut is a draw
};

/// Probabilities of a win, a draw and a loss.
using Wdl = std::array<float, 3>;

/// (1 - share) × a + share × b.
inline Wdl mixed(const Wdl& a, const Wdl& b, float share) {
  Wdl result{};
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = (1 - share) * a[i] + share * b[i];
  return result;
}
inline Wdl seen_by(Colour side, const Wdl& white) {
  return side == Colour::White ? white : Wdl{white[2], white[1], white[0]};
}

/// The training positions of one game, about sizeof(P) + 75 bytes each.
template <Position P>
class GameSamples {
 public:
  /// Replays the record. The result of a game that was cut is unknown; what its last searches
  /// expected takes its place, as where returns are truncated. Between result and root values the
  /// lambda-return mediates (Sutton and Barto 2018, chapter 12): each ply's return is lambda times
  /// that of the next one plus 1 - lambda times its own root value.
  /// Throws ReplayError if the record is inconsistent with the rules.
  GameSamples(const typename P::Variant& variant, const GameRecord& game,
              const ValueTargets& targets) {
    const std::size_t count = game.target_count();
    positions_.reserve(count);
    facts_.reserve(count);
    std::vector<Wdl> values;         // root values of the searched plies, for White
    std::vector<std::size_t> value;  // of each training position, its index in `values`
    // It is unknown how long a game that was cut or resigned would have lasted.
    const bool length_known = game.outcome != Outcome::Adjudicated && !game.resigned;
    std::size_t ply_index = 0;
    replay_game<P>(
        variant, game, [&](const PositionHistory<P>& history, const auto&, const PlyRecord& ply) {
          const std::size_t left = game.plies.size() - ply_index++;
          const P& position = history.position();
          if (ply.searched) {
            const float win = unpack_probability(ply.win);
            const float draw = unpack_probability(ply.draw);
            values.push_back(
                seen_by(position.side_to_move(), {win, draw, std::max(0.0F, 1.0F - win - draw)}));
          }
          if (!ply.target) return;
          Facts facts;
          facts.first_policy = static_cast<std::uint32_t>(policy_.size());
          facts.repetitions = static_cast<std::uint8_t>(std::min(history.repetitions(), 255));
          facts.moves_left = length_known ? static_cast<float>(left) : -1.0F;
          add_policy(ply);
          value.push_back(values.size() - 1);
          positions_.push_back(position);
          facts_.push_back(facts);
        });
    policy_.shrink_to_fit();
    std::vector<Wdl> returns = values;  // for White
    Wdl next = result_for_white(game, values, targets);
    for (std::size_t i = values.size(); i-- > 0;)
      next = returns[i] = mixed(values[i], next, targets.lambda);
    for (std::size_t i = 0; i < facts_.size(); ++i)
      facts_[i].wdl = seen_by(positions_[i].side_to_move(),
                              mixed(returns[value[i]], values[value[i]], targets.root_value_share));
  }

  std::size_t size() const { return positions_.size(); }
  /// Memory of its positions and their targets.
  std::size_t bytes() const {
    return positions_.size() * sizeof(P) + facts_.size() * sizeof(Facts) +
           policy_.size() * sizeof(PolicyWeight);
  }

  Sample<P> operator[](std::size_t i) const {
    const Facts& facts = facts_[i];
    const std::size_t end = i + 1 < facts_.size() ? facts_[i + 1].first_policy : policy_.size();
    return {positions_[i], facts.repetitions,
            std::span(policy_).subspan(facts.first_policy, end - facts.first_policy), facts.wdl,
            facts.moves_left};
  }

 private:
  struct Facts {
    std::array<float, 3> wdl{};
    float moves_left = 0;
    std::uint32_t first_policy = 0;
    std::uint8_t repetitions = 0;
  };

  /// Searched plies whose root values stand for a result that is not known: two of each side.
  static constexpr std::size_t kLastPlies = 4;

  /// `values`: of the searched plies, for White.
  static Wdl result_for_white(const GameRecord& game, const std::vector<Wdl>& values,
                              const ValueTargets& targets) {
    const int score = score_for(game.outcome, Colour::White);
    const Wdl known = {score > 0 ? 1.0F : 0.0F, score == 0 ? 1.0F : 0.0F, score < 0 ? 1.0F : 0.0F};
    if (game.outcome != Outcome::Adjudicated || targets.cut_as_draws || values.empty())
      return known;
    const std::size_t count = std::min(kLastPlies, values.size());
    Wdl mean{};
    for (std::size_t i = values.size() - count; i < values.size(); ++i)
      for (std::size_t j = 0; j < mean.size(); ++j)
        mean[j] += values[i][j] / static_cast<float>(count);
    return mean;
  }

  void add_policy(const PlyRecord& ply) {
    const std::uint32_t most = *std::max_element(ply.policy.begin(), ply.policy.end());
    for (std::size_t m = 0; m < ply.policy.size(); ++m) {
      std::uint64_t weight = ply.policy[m];
      if (weight == 0) continue;
      if (most > 65535) weight = std::max<std::uint64_t>(1, weight * 65535 / most);
      policy_.push_back({static_cast<std::uint16_t>(m), static_cast<std::uint16_t>(weight)});
    }
  }

  std::vector<P> positions_;
  std::vector<Facts> facts_;
  std::vector<PolicyWeight> policy_;  // all positions', one after the other
};

/// The window's capacity in positions when the run has generated `total` so far: a share of them,
/// between a minimum and a maximum.
inline std::uint64_t window_size(std::uint64_t total, std::uint64_t least, std::uint64_t most,
                                 double share) {
  const auto wanted = static_cast<std::uint64_t>(static_cast<double>(total) * share);
  return std::clamp(wanted, std::min(least, most), most);
}

/// Whole games, newest last; the oldest are dropped. Used by one thread at a time.
template <Position P>
class Window {
 public:
  /// Drops the oldest games as long as `capacity` positions remain without them.
  void set_capacity(std::uint64_t capacity) {
    capacity_ = capacity;
    trim();
  }
  void add(GameSamples<P> game) {
    if (game.size() == 0) return;
    games_.push_back({added_, std::move(game)});
    added_ += games_.back().samples.size();
    trim();
  }

  /// Positions in the window.
  std::size_t size() const {
    return games_.empty() ? 0 : static_cast<std::size_t>(added_ - games_.front().first);
  }
  std::size_t games() const { return games_.size(); }
  /// The i-th of size(), oldest first.
  Sample<P> operator[](std::size_t i) const {
    assert(i < size());
    const std::uint64_t wanted = games_.front().first + i;
    const Entry& entry = entry_of(wanted);
    return entry.samples[static_cast<std::size_t>(wanted - entry.first)];
  }
  /// A random position, with replacement, all with equal probability. The window must not be empty.
  Sample<P> draw(std::mt19937_64& rng) const {
    return (*this)[std::uniform_int_distribution<std::size_t>(0, size() - 1)(rng)];
  }

 private:
  struct Entry {
    std::uint64_t first;  // number of positions ever added before this game's
    GameSamples<P> samples;
  };

  /// The game of a position, by the number of positions ever added before that.
  const Entry& entry_of(std::uint64_t number) const {
    const auto after =
        std::upper_bound(games_.begin(), games_.end(), number,
                         [](std::uint64_t value, const Entry& e) { return value < e.first; });
    return *std::prev(after);
  }
  void trim() {
    while (games_.size() > 1 && size() - games_.front().samples.size() >= capacity_)
      games_.pop_front();
  }

  std::deque<Entry> games_;
  std::uint64_t added_ = 0;
  std::uint64_t capacity_ = ~std::uint64_t{0};
};

}  // namespace faultline
