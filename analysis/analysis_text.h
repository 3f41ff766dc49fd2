// How `analyse` prints positions and games.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "analysis/game_review.h"
#include "analysis/position_analysis.h"
#include "play/game.h"
#include "play/game_text.h"

namespace faultline {

/// The position, its value, and a table of the best lines. `position` is the one analysed.
std::string analysis_text(const GamePosition& position, const PositionAnalysis& analysis);
/// The analysis as one object (docs/analyse.md).
nlohmann::ordered_json analysis_json(const GamePosition& position,
                                     const PositionAnalysis& analysis);

/// One line for each ply, and a summary of each side.
std::string review_text(const TextGame& game, const GameReview& review);
/// What a review adds to the object of a ply's position.
nlohmann::ordered_json review_json(const PlyReview& ply);
nlohmann::ordered_json summary_json(const TextGame& game, const GameReview& review);

}  // namespace faultline
