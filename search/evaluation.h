// The evaluation of a position, by a network or by a search.
#pragma once

#include <algorithm>

namespace faultline {

/// An evaluation of one position, from the side to move. win + draw + loss = 1.
struct Evaluation {
  float win = 0;
  float draw = 1;
  float loss = 0;
  float moves_left = 0;  // expected plies until the game ends

  float value() const { return win - loss; }
};

/// An evaluation from means that rounding may have brought slightly out of range.
inline Evaluation mean_evaluation(float value, float draw, float moves_left) {
  draw = std::clamp(draw, 0.0F, 1.0F);
  const float decided = 1 - draw;
  const float lead = std::clamp(value, -decided, decided);
  return {.win = (decided + lead) / 2,
          .draw = draw,
          .loss = (decided - lead) / 2,
          .moves_left = moves_left};
}

}  // namespace faultline
