// Requests for searches, and what is told of what they found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/game_review.h"
#include "play/analyser.h"
#include "play/game_text.h"
#include "web/places.h"
#include "web/request.h"

namespace faultline::web {

/// Where, by whom and how long.
struct SearchRequest {
  PlayedLine line;
  std::string player;
  std::string key;
  std::int64_t ms = 0;      // 0: no limit
  std::int64_t visits = 0;  // 0: no limit; nodes of an alpha-beta search
  int lines = 1;

  bool limited() const { return ms > 0 || visits > 0; }
};

/// All throw RequestError.
SearchRequest search_request(const ReportJson& request);
SearchRequest analysis_request(const ReportJson& request);  // with key and lines
SearchRequest review_request(const ReportJson& request);    // with key

/// An AnalysisReport of desk.ts.
ReportJson analysis_json(const SearchRequest& request, const std::string& player,
                         const AnalysisReport& report, bool done);
/// Of a game that is over, or of one that nothing was found of.
ReportJson empty_analysis_json(const SearchRequest& request);
/// A MoveReply: `report` has a line.
ReportJson move_json(const GamePosition& position, const AnalysisReport& report);
/// A ReviewReport without its plies, and these.
ReportJson review_json(const SearchRequest& request, std::size_t done, std::size_t total);
ReportJson review_plies_json(const GameReview& review);

/// The line as a game.
TextGame game_of(const PlayedLine& line);

}  // namespace faultline::web
