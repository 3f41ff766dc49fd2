// Evaluations as pages get them: White's, and rounded.
#pragma once

#include "report/report_json.h"
#include "rules/types.h"
#include "search/evaluation.h"

namespace faultline::web {

/// White's [win, draw, loss] by an evaluation for the side to move, `mover`.
inline ReportJson chances_json(const Evaluation& value, Colour mover) {
  constexpr int kDigits = 4;
  const bool white = mover == Colour::White;
  return ReportJson::array({json_number(white ? value.win : value.loss, kDigits),
                            json_number(value.draw, kDigits),
                            json_number(white ? value.loss : value.win, kDigits)});
}

}  // namespace faultline::web
