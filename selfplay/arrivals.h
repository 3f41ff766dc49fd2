// The learner's side of the link to its actors.
#pragma once

#include <chrono>
#include <vector>

#include "record/game_record.h"
#include "selfplay/game_samples.h"

namespace faultline {

/// A finished game and its training positions.
struct ArrivedGame {
  GameRecord game;
  GameSamples samples;
};

/// Used by the learner's thread.
class Arrivals {
 public:
  virtual ~Arrivals() = default;
  /// The games that have arrived since the last call, in the order in which they are stored. Waits
  /// for one, but no longer than `wait`.
  virtual std::vector<ArrivedGame> take(std::chrono::milliseconds wait) = 0;
  /// Once it returns, all games that were taken are on disk, also after a power failure: whoever
  /// sent them may forget them.
  virtual void keep() = 0;
};

}  // namespace faultline
