// An evaluation of positions that an alpha-beta search uses in place of the hand-written one.
#pragma once

#include "rules/position.h"

namespace faultline {

/// What a position is worth by itself. Thread-safe; one serves many searches.
template <Position P>
class PositionEvaluation {
 public:
  virtual ~PositionEvaluation() = default;
  /// Centipawns for the side to move; the search bounds them (StaticEvaluation::bounded).
  virtual int evaluate(const P& position) const = 0;
};

}  // namespace faultline
