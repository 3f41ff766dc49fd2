// Who won a file's games.
#include "report/result_sections.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lab/match_document.h"
#include "lab/rating.h"
#include "lab/rating_document.h"

namespace faultline {
namespace {

/// `player`: 0 or 1, its number in `results`.
PlayerView view_of(const RatingGames& results, int player) {
  PlayerView view{.player = results.players()[static_cast<std::size_t>(player)]};
  std::map<std::size_t, std::vector<int>> openings;  // twice the points in each game, by cluster
  for (const RatingGames::ClusteredGame& game : results.games()) {
    const bool is_white = game.white == player;
    const int points = is_white ? game.twice_points : 2 - game.twice_points;
    Score& score = view.by_colour[is_white ? 0 : 1];
    ++(points == 2 ? score.wins : points == 1 ? score.draws : score.losses);
    openings[game.cluster].push_back(points);
  }
  for (const auto& [cluster, points] : openings) {
    if (points.size() == 2)
      view.tally.add_pair(points[0] + points[1]);
    else
      std::ranges::for_each(points, [&](int one) { view.tally.add_single(one); });
  }
  return view;
}

/// Whether ratings say something: all players are linked by games, and there are more games than
/// players.
bool can_be_rated(const Ratings& ratings) {
  constexpr std::size_t kMostPlayers = 40;
  return ratings.groups == 1 && ratings.players.size() <= kMostPlayers &&
         static_cast<std::size_t>(ratings.games) > ratings.players.size();
}

}  // namespace

void add_results(const RatingGames& results, const std::string& titles, Report& report) {
  constexpr std::size_t kLeastGames = 2;
  if (results.games().size() < kLeastGames) return;
  std::vector<Section> sections;
  if (results.players().size() == 2) {
    sections.push_back(score_section({view_of(results, 0), view_of(results, 1)}));
    if (results.has_pairs())
      sections.back().note = "Two games from one opening with colours swapped are one observation.";
  } else if (const Ratings ratings = rate(results); can_be_rated(ratings)) {
    Document rated = rating_document(ratings);
    sections = std::move(rated.sections);
    std::ranges::move(rated.notices, std::back_inserter(report.notices));
    sections.push_back(pairings_matrix(ratings));
  }
  for (Section& section : sections) {
    section.title += titles;
    report.add(section);
  }
}

}  // namespace faultline
