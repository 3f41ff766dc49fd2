// Who won a file's games.
#include "report/result_sections.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lab/elo.h"
#include "lab/rating.h"
#include "lab/rating_document.h"

namespace faultline {
namespace {

/// A match from the view of one player.
struct MatchView {
  std::array<Score, 2> by_colour;  // as White, as Black
  PairTally tally;
};

/// `player`: 0 or 1, its number in `results`.
MatchView match_of(const RatingGames& results, int player) {
  MatchView view;
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

std::vector<Cell> row_of(const std::string& player, const MatchView& view) {
  const auto& [white, black] = view.by_colour;
  const Score all{white.wins + black.wins, white.draws + black.draws, white.losses + black.losses};
  const Estimate e = estimate(view.tally);
  return {{player},
          count_cell(all.games()),
          {score_text(all)},
          {score_text(white)},
          {score_text(black)},
          share_cell(e.score, e.score_95.low, e.score_95.high),
          elo_cell(e.elo, e.elo_95.low, e.elo_95.high)};
}

/// Whether ratings say something: all players are linked by games, and there are more games than
/// players.
bool can_be_rated(const Ratings& ratings) {
  constexpr std::size_t kMostPlayers = 40;
  return ratings.groups == 1 && ratings.players.size() <= kMostPlayers &&
         static_cast<std::size_t>(ratings.games) > ratings.players.size();
}

/// `results`: of two players.
Section match_section(const RatingGames& results) {
  using enum Column::Kind;
  Table table{{{"player", Code},
               {"games", Number},
               {"result", Number},
               {"as White", Number},
               {"as Black", Number},
               share_column("score (95 %)", 0.5),
               {"Elo difference (95 %)", Number}}};
  for (const int player : {0, 1})
    table.rows.push_back(
        row_of(results.players()[static_cast<std::size_t>(player)], match_of(results, player)));
  return {"Result by player", std::move(table),
          results.has_pairs() ? "Two games from one opening with colours swapped are one "
                                "observation."
                              : ""};
}

}  // namespace

void add_results(const RatingGames& results, const std::string& titles, Report& report) {
  constexpr std::size_t kLeastGames = 2;
  if (results.games().size() < kLeastGames) return;
  std::vector<Section> sections;
  if (results.players().size() == 2) {
    sections.push_back(match_section(results));
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
