// Evaluations as pages get them: White's, and rounded.
#pragma once

#include "report/report_json.h"
#include "rules/types.h"
#include "search/evaluation.h"

namespace faultline::web {

/// White's [win, draw, loss] by an evaluation for the side to move, `mover`, and as a fourth the
/// plies until the game ends, where they were estimated.
inline ReportJson chances_json(const Evaluation& value, Colour mover) {
  constexpr int kDigits = 4;
  constexpr float kFewestPlies = 0.05F;  // as in games' comments
  const bool white = mover == Colour::White;
  ReportJson chances = {json_number(white ? value.win : value.loss, kDigits),
                        json_number(value.draw, kDigits),
                        json_number(white ? value.loss : value.win, kDigits)};
  if (value.moves_left >= kFewestPlies) chances.push_back(json_number(value.moves_left, kDigits));
  return chances;
}

}  // namespace faultline::web
