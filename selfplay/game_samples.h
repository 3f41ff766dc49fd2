// The training positions of a game, with their targets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/training/train_batch.h"
#include "record/config.h"
#include "record/game_record.h"
#include "selfplay/game_replayer.h"

namespace faultline {

/// A legal move (its index in legal_moves() order) and its weight in the policy target. Moves with
/// weight 0, which are the majority, are omitted.
struct PolicyWeight {
  std::uint16_t move;
  std::uint16_t weight;  // scaled down if one exceeded 65535; never 0
};

/// Probabilities of a win, a draw and a loss.
using Wdl = std::array<float, 3>;

/// One training position; valid as long as the game's samples are.
struct Sample {
  const TrainingPositions& positions;
  std::size_t index;  // in these
  int repetitions;
  std::span<const PolicyWeight> policy;  // the target is each one's share of the weights
  Wdl wdl;                               // for the side to move
  float moves_left;                      // plies to the end; negative: unknown
  bool quiet;                            // can be evaluated as it stands
};

/// Appends a position with its targets to a batch; `mirrored`: left and right exchanged, if the
/// game is the same then. `network`: of the policy/value network that learns; null: a fast network
/// learns, from quiet positions.
void add_sample(const Sample& sample, const EncodingInfo* network, TrainBatch& batch,
                bool mirrored = false);

/// How a game's value targets follow from it.
struct ValueTargets {
  float root_value_share = 0;  // of the position's own root value; the rest is the game's return
  float lambda = 1;            // of the return: 1 is the result, 0 the position's own root value
  bool cut_as_draws = false;   // the result of a game that was cut is a draw
};
ValueTargets value_targets(const LearnerConfig& learner);

/// The training positions of one game, about 75 bytes each besides the position.
class GameSamples {
 public:
  /// Replays the record. The result of a game that was cut is unknown; what its last searches
  /// expected takes its place, as where returns are truncated. Between result and root values the
  /// lambda-return mediates (Sutton and Barto 2018, chapter 12): each ply's return is lambda times
  /// that of the next one plus 1 - lambda times its own root value.
  /// Throws ReplayError if the record is inconsistent with the rules.
  GameSamples(const GameReplayer& replayer, const GameRecord& game, const ValueTargets& targets);

  std::size_t size() const { return facts_.size(); }
  /// Memory of its positions and their targets.
  std::size_t bytes() const;
  Sample operator[](std::size_t i) const;

 private:
  struct Facts {
    Wdl wdl{};
    float moves_left = -1;
    std::uint32_t first_policy = 0;
    std::uint8_t repetitions = 0;
    bool quiet = false;
  };

  /// The next one of `replayed`.
  Facts& add_position(const ReplayedGame& replayed);
  void add_policy(const PlyRecord& ply);

  std::shared_ptr<const TrainingPositions> positions_;
  std::vector<Facts> facts_;
  std::vector<PolicyWeight> policy_;  // all positions', one after the other
};

/// Makes samples of a variant's games. Thread-safe.
class GameDecoder {
 public:
  GameDecoder(const std::string& variant, const ValueTargets& targets)
      : replayer_(make_game_replayer(variant)), targets_(targets) {}
  /// Throws ReplayError if the record is inconsistent with the rules.
  GameSamples decode(const GameRecord& game) const { return {*replayer_, game, targets_}; }

 private:
  std::unique_ptr<const GameReplayer> replayer_;
  ValueTargets targets_;
};

}  // namespace faultline
