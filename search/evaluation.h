// The evaluation of a position, by a network or by a search.
#pragma once

namespace faultline {

/// An evaluation of one position, from the side to move. win + draw + loss = 1.
struct Evaluation {
  float win = 0;
  float draw = 1;
  float loss = 0;
  float moves_left = 0;  // expected plies until the game ends

  float value() const { return win - loss; }
};

}  // namespace faultline
