// The squares of a position in words, and where arrow keys lead: for people who do not see the
// board.
#pragma once

#include "play/game.h"
#include "report/report_json.h"

namespace faultline::web {

/// The reply to `squares`.
ReportJson squares_json(const Game& game, const GamePosition& position);

}  // namespace faultline::web
