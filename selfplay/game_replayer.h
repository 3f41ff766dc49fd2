// Replays recorded games into training positions: all of learning that knows a family's rules and
// encoding. game_replayer_of.h implements it for a family.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/encoding/encoding.h"
#include "model/training/train_batch.h"
#include "record/game_record.h"
#include "rules/types.h"

namespace faultline {

/// The training positions of a game, in its order: before each ply its own, if that is a target,
/// then its asides.
class TrainingPositions {
 public:
  virtual ~TrainingPositions() = default;
  /// The memory of all.
  virtual std::size_t bytes() const = 0;
  /// Writes position i into `planes` ([planes, height, width], as `encoding` has them), which has
  /// occurred `repetitions` times before, and returns its legal moves. `mirrored`: left and right
  /// exchanged, if the game is the same then.
  virtual std::vector<PolicyIndex> encode(std::size_t i, int repetitions,
                                          const EncodingInfo& encoding, std::span<float> planes,
                                          bool mirrored) const = 0;
  /// Appends the inputs that position i gives a fast network, as each side sees it.
  virtual void add_fast_inputs(std::size_t i, bool mirrored, FastBatch& batch) const = 0;
};

struct ReplayedGame {
  std::vector<Colour> movers;             // of every ply
  std::vector<Colour> sides;              // to move, in every training position
  std::vector<std::uint8_t> repetitions;  // of every training position: occurrences before, to 255
  /// Of every training position: whether it can be evaluated as it stands (is_quiet()).
  std::vector<bool> quiet;
  std::shared_ptr<const TrainingPositions> positions;
};

/// Thread-safe.
class GameReplayer {
 public:
  virtual ~GameReplayer() = default;
  /// Throws ReplayError if the record is inconsistent with the rules.
  virtual ReplayedGame replay(const GameRecord& game) const = 0;
};

/// Of a variant by its name. Throws VariantError.
std::unique_ptr<const GameReplayer> make_game_replayer(const std::string& variant);

}  // namespace faultline
