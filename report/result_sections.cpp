// Who won: ratings, pairings, and the result of two players.
#include "report/result_sections.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/signed_text.h"
#include "base/text.h"
#include "lab/elo.h"

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

std::string score_text(const Score& score) {
  return fmt::format("+{} ={} -{}", score.wins, score.draws, score.losses);
}

ReportJson row_of(const std::string& player, const MatchView& view) {
  const auto& [white, black] = view.by_colour;
  const Score all{white.wins + black.wins, white.draws + black.draws, white.losses + black.losses};
  const Estimate e = estimate(view.tally);
  return {player,
          std::to_string(all.games()),
          score_text(all),
          score_text(white),
          score_text(black),
          interval_cell(e.score, e.score_95.low, e.score_95.high,
                        fmt::format("{} ({:.1f} to {:.1f})", percent_text(e.score),
                                    100 * e.score_95.low, 100 * e.score_95.high)),
          elo_text(e)};
}

/// Whether ratings say something: all players are linked by games, and there are more games than
/// players.
bool can_be_rated(const Ratings& ratings) {
  constexpr std::size_t kMostPlayers = 40;
  return ratings.groups == 1 && ratings.players.size() <= kMostPlayers &&
         static_cast<std::size_t>(ratings.games) > ratings.players.size();
}

/// `results`: of two players.
ReportJson match_section(const RatingGames& results, const std::string& title) {
  ReportJson rows = ReportJson::array();
  for (const int player : {0, 1})
    rows.push_back(
        row_of(results.players()[static_cast<std::size_t>(player)], match_of(results, player)));
  using enum ReportColumn::Kind;
  return table_section(title,
                       {{"player", Code},
                        {"games", Number},
                        {"result", Number},
                        {"as White", Number},
                        {"as Black", Number},
                        {"score (95 %)", Interval, 0, 1, 0.5},
                        {"Elo difference (95 %)", Number}},
                       std::move(rows),
                       results.has_pairs() ? "Two games from one opening with colours swapped are "
                                             "one observation."
                                           : "");
}

}  // namespace

void add_results(const RatingGames& results, const std::string& titles, Report& report) {
  constexpr std::size_t kLeastGames = 2;
  if (results.games().size() < kLeastGames) return;
  if (results.players().size() == 2) {
    report.sections.push_back(match_section(results, "Result by player" + titles));
    return;
  }
  const Ratings ratings = rate(results);
  if (!can_be_rated(ratings)) return;
  for (ReportJson section : {ratings_section(ratings), pairings_section(ratings)}) {
    section["title"] = section["title"].get<std::string>() + titles;
    report.sections.push_back(std::move(section));
  }
}

ReportJson ratings_section(const Ratings& ratings) {
  double low = 0, high = 0;
  for (const PlayerRating& player : ratings.players) {
    low = std::min(low, player.elo_95.low);
    high = std::max(high, player.elo_95.high);
  }
  ReportJson rows = ReportJson::array();
  bool any_bounded = false;
  for (std::size_t i = 0; i < ratings.players.size(); ++i) {
    const PlayerRating& player = ratings.players[i];
    any_bounded = any_bounded || player.needs_prior;
    const std::string elo =
        fmt::format("{} ± {:.0f}{}", signed_text(player.elo),
                    (player.elo_95.high - player.elo_95.low) / 2, player.needs_prior ? " *" : "");
    rows.push_back({std::to_string(i + 1), player.name,
                    interval_cell(player.elo, player.elo_95.low, player.elo_95.high, elo),
                    grouped(static_cast<std::uint64_t>(player.games())),
                    fmt::format("+{} ={} -{}", player.wins, player.draws, player.losses),
                    player.games() > 0 ? percent_text(player.points() / player.games()) : "-"});
  }
  using enum ReportColumn::Kind;
  const std::vector<ReportColumn> columns = {
      {"", Number},      {"player", Code},   {"Elo (95 %)", Interval, low, high, 0.0},
      {"games", Number}, {"result", Number}, {"score", Number}};
  std::string note =
      "A difference of D Elo means that wins and losses are in the ratio 10^(D/400) : 1; the mean "
      "is 0. Whether one player is better than another is in the table of pairings: two intervals "
      "may overlap although it is.";
  if (any_bounded) note += " *: won or lost everything; the prior bounds the rating.";
  if (ratings.groups > 1)
    note += fmt::format(" The players form {} groups that no games link.", ratings.groups);
  return table_section("Ratings", columns, std::move(rows), note);
}

ReportJson pairings_section(const Ratings& ratings) {
  const std::size_t count = ratings.players.size();
  ReportJson section = report_section("matrix", "Pairings",
                                      "The row's score against the column, and below it the "
                                      "likelihood that it is the stronger one.");
  section["names"] = ReportJson::array();
  for (const PlayerRating& player : ratings.players)
    section["names"].push_back(player.name);
  section["cells"] = ReportJson(count, ReportJson(count, ReportJson(nullptr)));
  const auto cell = [&](std::size_t row, std::size_t column, double points, int games) {
    const auto superiority = ratings.superiority(row, column);
    section["cells"][row][column] = {
        {"share", shown_number(points / games)},
        {"text", percent_text(points / games, 0)},
        {"note", superiority ? "LOS " + percent_text(*superiority, *superiority > 0.99 ? 1 : 0)
                             : std::string()},
        {"title", fmt::format("{} against {}: {:g} of {}", ratings.players[row].name,
                              ratings.players[column].name, points, games)}};
  };
  for (const PairResult& pair : ratings.pairs) {
    cell(pair.first, pair.second, pair.points, pair.games);
    cell(pair.second, pair.first, pair.games - pair.points, pair.games);
  }
  return section;
}

}  // namespace faultline
