// The games that can be played, and their rules, for people: text, how the pieces move, and
// examples.
#pragma once

#include <string>
#include <vector>

#include "report/report_json.h"

namespace faultline::web {

/// The reply to `games`: the families, and games of files. A file that is not a game is left out.
ReportJson games_json(const std::vector<std::string>& data_games);

/// The reply to `rules`.
ReportJson rules_json(const ReportJson& request);

}  // namespace faultline::web
