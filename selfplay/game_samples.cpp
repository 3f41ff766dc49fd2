// The training positions of a game, with their targets.
#include "selfplay/game_samples.h"

#include <algorithm>

namespace faultline {
namespace {

/// (1 - share) × a + share × b.
Wdl mixed(const Wdl& a, const Wdl& b, float share) {
  Wdl result{};
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = (1 - share) * a[i] + share * b[i];
  return result;
}

Wdl seen_by(Colour side, const Wdl& white) {
  return side == Colour::White ? white : Wdl{white[2], white[1], white[0]};
}

/// Searched plies whose root values stand for a result that is not known: two of each side.
constexpr std::size_t kLastPlies = 4;

/// `values`: of the searched plies, for White.
Wdl result_for_white(const GameRecord& game, const std::vector<Wdl>& values,
                     const ValueTargets& targets) {
  const int score = score_for(game.outcome, Colour::White);
  const Wdl known = {score > 0 ? 1.0F : 0.0F, score == 0 ? 1.0F : 0.0F, score < 0 ? 1.0F : 0.0F};
  if (game.outcome != Outcome::Adjudicated || targets.cut_as_draws || values.empty()) return known;
  const std::size_t count = std::min(kLastPlies, values.size());
  Wdl mean{};
  for (std::size_t i = values.size() - count; i < values.size(); ++i)
    for (std::size_t j = 0; j < mean.size(); ++j)
      mean[j] += values[i][j] / static_cast<float>(count);
  return mean;
}

}  // namespace

ValueTargets value_targets(const LearnerConfig& learner) {
  return {.root_value_share = static_cast<float>(learner.root_value_share),
          .lambda = static_cast<float>(learner.value_lambda),
          .cut_as_draws = learner.cut_as_draws};
}

void add_sample(const Sample& sample, const EncodingInfo* network, TrainBatch& batch,
                bool mirrored) {
  if (network == nullptr) {
    // A fast network learns expected results, not how often games are drawn.
    const float expected = sample.wdl[0] + sample.wdl[1] / 2;
    if (sample.quiet) {
      sample.positions.add_fast_inputs(sample.index, mirrored, batch.fast);
      batch.fast.expected.push_back(expected);
    }
    batch.wdl.insert(batch.wdl.end(), {expected, 0.0F, 1 - expected});
    ++batch.count;
    return;
  }
  const EncodingInfo& encoding = *network;
  std::vector<float> planes(encoding.floats());
  const std::vector<PolicyIndex> moves =
      sample.positions.encode(sample.index, sample.repetitions, encoding, planes, mirrored);
  float sum = 0;
  for (const PolicyWeight& entry : sample.policy)
    sum += static_cast<float>(entry.weight);
  std::vector<float> policy(moves.size(), 0.0F);
  for (const PolicyWeight& entry : sample.policy)
    policy[entry.move] = static_cast<float>(entry.weight) / sum;  // none in asides
  batch.add(planes, moves, policy, sample.wdl, sample.moves_left);
}

GameSamples::GameSamples(const GameReplayer& replayer, const GameRecord& game,
                         const ValueTargets& targets) {
  ReplayedGame replayed = replayer.replay(game);
  positions_ = std::move(replayed.positions);
  facts_.reserve(replayed.repetitions.size());
  std::vector<Wdl> values;  // root values of the searched plies, for White
  // Of each training position on the game's line its index, and that of its root value in `values`.
  struct Place {
    std::size_t position;
    std::size_t value;
  };
  std::vector<Place> places;
  places.reserve(replayed.repetitions.size());
  // It is unknown how long a game that was cut or resigned would have lasted.
  const bool length_known = game.outcome != Outcome::Adjudicated && !game.resigned;
  for (std::size_t i = 0; i < game.plies.size(); ++i) {
    const PlyRecord& ply = game.plies[i];
    if (ply.searched) {
      const float win = unpack_probability(ply.win);
      const float draw = unpack_probability(ply.draw);
      values.push_back(seen_by(replayed.movers[i], {win, draw, std::max(0.0F, 1.0F - win - draw)}));
    }
    if (ply.target) {
      Facts& facts = add_position(replayed);
      facts.moves_left = length_known ? static_cast<float>(game.plies.size() - i) : -1.0F;
      add_policy(ply);
      places.push_back({facts_.size() - 1, values.size() - 1});
    }
    for (const Aside& aside : ply.asides) {
      const float win = unpack_probability(aside.win), draw = unpack_probability(aside.draw);
      add_position(replayed).wdl = {win, draw, std::max(0.0F, 1.0F - win - draw)};
    }
  }
  policy_.shrink_to_fit();
  std::vector<Wdl> returns = values;  // for White
  Wdl next = result_for_white(game, values, targets);
  for (std::size_t i = values.size(); i-- > 0;)
    next = returns[i] = mixed(values[i], next, targets.lambda);
  for (const Place& place : places)
    facts_[place.position].wdl =
        seen_by(replayed.sides[place.position],
                mixed(returns[place.value], values[place.value], targets.root_value_share));
}

GameSamples::Facts& GameSamples::add_position(const ReplayedGame& replayed) {
  Facts facts;
  facts.first_policy = static_cast<std::uint32_t>(policy_.size());
  facts.repetitions = replayed.repetitions[facts_.size()];
  facts.quiet = replayed.quiet[facts_.size()];
  facts_.push_back(facts);
  return facts_.back();
}

void GameSamples::add_policy(const PlyRecord& ply) {
  const std::uint32_t most = *std::max_element(ply.policy.begin(), ply.policy.end());
  for (std::size_t m = 0; m < ply.policy.size(); ++m) {
    std::uint64_t weight = ply.policy[m];
    if (weight == 0) continue;
    if (most > 65535) weight = std::max<std::uint64_t>(1, weight * 65535 / most);
    policy_.push_back({static_cast<std::uint16_t>(m), static_cast<std::uint16_t>(weight)});
  }
}

std::size_t GameSamples::bytes() const {
  return positions_->bytes() + facts_.size() * sizeof(Facts) +
         policy_.size() * sizeof(PolicyWeight);
}

Sample GameSamples::operator[](std::size_t i) const {
  const Facts& facts = facts_[i];
  const std::size_t end = i + 1 < facts_.size() ? facts_[i + 1].first_policy : policy_.size();
  return {.positions = *positions_,
          .index = i,
          .repetitions = facts.repetitions,
          .policy = std::span(policy_).subspan(facts.first_policy, end - facts.first_policy),
          .wdl = facts.wdl,
          .moves_left = facts.moves_left,
          .quiet = facts.quiet};
}

}  // namespace faultline
