// Games and positions from any text, and games as text.
#pragma once

#include <string>
#include <vector>

#include "play/game_text.h"
#include "report/report_json.h"
#include "web/request.h"

namespace faultline::web {

/// ReadGame of page/src/lab/desk.ts. `game`: its moves are legal.
ReportJson read_game_json(const TextGame& game);

/// The reply to `read`. `data_games`: names of games of files, in which a position without a game
/// is looked for after the families.
ReportJson read_json(const ReportJson& request, const std::vector<std::string>& data_games);
/// The reply to `write`.
ReportJson write_json(const ReportJson& request);

}  // namespace faultline::web
