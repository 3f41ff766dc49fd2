// A match's result as a document.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/document.h"
#include "lab/elo.h"
#include "lab/match_result.h"
#include "lab/run_match.h"

namespace faultline {

/// Figures are A's, the first player's. `inference`: what computed the nets; "" if none did.
/// `seconds`: how long it took.
Document match_document(const MatchSetup& setup, const MatchResult& result,
                        const std::string& inference, double seconds);

/// Games of two players as one of them sees them.
struct PlayerView {
  std::string player;
  std::array<Score, 2> by_colour = {};  // as White, as Black
  PairTally tally = {};
};
/// The table of wins, draws, losses, score and Elo, a row for each view.
Section score_section(const std::vector<PlayerView>& views);

/// "37 wins, 5 draws, 2 losses: 89.8 % (82.1 to 95.0), Elo +376 (+265 to +511)"; where one side won
/// everything: "…, Elo at least +380".
std::string result_text(const MatchResult& result);

}  // namespace faultline
