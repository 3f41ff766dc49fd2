// Ratings as a document.
#include "lab/rating_document.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/signed_text.h"
#include "base/text.h"

namespace faultline {
namespace {

using enum Column::Kind;

constexpr double kNotableResidual = 2;

/// "+35 ± 12", with its interval.
Cell elo_with_half(double elo, double half) {
  return {fmt::format("{} ± {:.0f}", signed_text(elo), half), elo, elo - half, elo + half};
}

std::vector<std::string> names_where(const Ratings& ratings, const auto& fits) {
  std::vector<std::string> names;
  for (const PlayerRating& player : ratings.players)
    if (fits(player)) names.push_back(player.name);
  return names;
}

void add_warnings(const Ratings& ratings, Document& document) {
  if (ratings.groups > 1) {
    std::vector<std::string> groups;
    for (int group = 0; group < ratings.groups; ++group)
      groups.push_back(fmt::format(
          "{}",
          fmt::join(names_where(ratings, [&](const auto& p) { return p.group == group; }), ", ")));
    document.notices.push_back(
        fmt::format("No games link these groups, whose ratings cannot be compared: {}.",
                    fmt::join(groups, "; ")));
  }
  const auto bounded = names_where(ratings, [](const auto& player) { return player.needs_prior; });
  if (!bounded.empty())
    document.notices.push_back(
        fmt::format("Separated from the others by wins alone (*): the prior of {:.0f} Elo bounds "
                    "the rating of {}.",
                    ratings.prior_elo, fmt::join(bounded, ", ")));
}

Section figures(const Ratings& ratings) {
  Facts facts;
  facts.emplace_back("Rated games", count_cell(ratings.games));
  if (ratings.without_result > 0)
    facts.emplace_back("Without a result", count_cell(ratings.without_result), "left out");
  if (ratings.against_itself > 0)
    facts.emplace_back("Of a player against itself", count_cell(ratings.against_itself),
                       "left out");
  for (const VariantFit& fit : ratings.variants) {
    const std::string variant = fit.variant.empty() ? "" : ", " + fit.variant;
    const double half = ratings.quantile_95 * fit.advantage_deviation;
    facts.emplace_back("Worth of the first move" + variant, elo_with_half(fit.advantage_elo, half),
                       "Elo");
    facts.emplace_back("Draws between equals" + variant,
                       share_cell(fit.draw_share, fit.draw_share_95.low, fit.draw_share_95.high),
                       fmt::format("100 Elo more score {}",
                                   share_cell(result_chances(100, fit.draw_share).score()).text));
  }
  const FitTest& fit = ratings.fit;
  const char* const verdict = fit.p < 0.05 ? "one number per player does not explain the results"
                                           : "the ratings explain the results";
  if (fit.freedom > 0)
    facts.emplace_back("Test of fit", Cell{fmt::format("p = {:.2g}", fit.p), fit.p},
                       fmt::format("chi-square {:.1f} with {} of freedom: {}", fit.chi_square,
                                   counted(fit.freedom, "degree"), verdict));
  return {"Figures", std::move(facts), "Intervals are of 95 %."};
}

Section ratings_table(const Ratings& ratings) {
  Table table{{{"", Number},
               {"player", Code},
               elo_column("Elo (95 %)"),
               {"games", Number},
               {"result", Number},
               {"score", Number},
               {"LOS", Number}}};
  for (std::size_t i = 0; i < ratings.players.size(); ++i) {
    const PlayerRating& player = ratings.players[i];
    Cell elo = elo_with_half(player.elo, player.elo_95.high - player.elo);
    if (player.needs_prior) elo.text += " *";
    const bool last = i + 1 == ratings.players.size();
    table.rows.push_back(
        {count_cell(static_cast<std::int64_t>(i) + 1),
         {player.name},
         std::move(elo),
         count_cell(player.games()),
         {score_text({player.wins, player.draws, player.losses})},
         share_cell(player.points() / player.games()),
         share_cell(last ? kNoNumber : ratings.superiority(i, i + 1).value_or(kNoNumber))});
  }
  return {"Ratings", std::move(table),
          fmt::format("A difference of D Elo means that wins and losses are in the ratio "
                      "10^(D/400) : 1. LOS: likelihood that the player is stronger than the next "
                      "one; two intervals may overlap although it is.{}",
                      ratings.observation == Observation::Opening
                          ? " Intervals count the games that two players played from one opening "
                            "as one observation."
                          : "")};
}

/// The points of those that met with residuals beyond `least`, and what the ratings predict.
Section pairings_table(const Ratings& ratings, const std::string& title, double least) {
  Table table{{{"player", Code},
               {"against", Code},
               {"games", Number},
               {"points", Number},
               {"expected", Number},
               elo_column("Elo difference (95 %)"),
               {"z", Number}}};
  for (const PairResult& pair : ratings.pairs)
    if (std::abs(pair.residual) >= least)
      table.rows.push_back(
          {{ratings.players[pair.first].name},
           {ratings.players[pair.second].name},
           count_cell(pair.games),
           number_cell(pair.points, 1),
           number_cell(pair.expected, 1),
           elo_with_half(
               ratings.players[pair.first].elo - ratings.players[pair.second].elo,
               ratings.quantile_95 * ratings.difference_deviation(pair.first, pair.second)),
           {signed_text(pair.residual, 1), pair.residual}});
  return {
      title, std::move(table),
      fmt::format("z: points beyond what the ratings predict, in standard errors; of {}, {:.1f} "
                  "are beyond 2 by chance.",
                  counted(ratings.pairs.size(), "pairing"),
                  0.0455 * static_cast<double>(ratings.pairs.size()))};
}

}  // namespace

Section pairings_matrix(const Ratings& ratings) {
  Matrix matrix(names_where(ratings, [](const auto&) { return true; }));
  for (std::size_t row = 0; row < ratings.players.size(); ++row)
    for (std::size_t column = 0; column < ratings.players.size(); ++column)
      if (const auto stronger = ratings.superiority(row, column); stronger && row != column)
        matrix.cells[row][column].note = share_cell(*stronger, *stronger > 0.99 ? 1 : 0);
  const auto add = [&](std::size_t row, std::size_t column, double points, int games) {
    Matrix::Entry& entry = matrix.cells[row][column];
    entry.share = points / games;
    entry.title = fmt::format("{} against {}: {:g} of {}", matrix.names[row], matrix.names[column],
                              points, games);
  };
  for (const PairResult& pair : ratings.pairs) {
    add(pair.first, pair.second, pair.points, pair.games);
    add(pair.second, pair.first, pair.games - pair.points, pair.games);
  }
  return {
      "Pairings", std::move(matrix),
      "The row's score against the column, and LOS, the likelihood that it is the stronger one."};
}

Document rating_document(const Ratings& ratings, bool pairings) {
  Document document{.kind = "ratings", .title = "ratings"};
  add_warnings(ratings, document);
  document.sections = {figures(ratings), ratings_table(ratings)};
  if (pairings) {
    document.sections.push_back(pairings_matrix(ratings));
    document.sections.push_back(pairings_table(ratings, "Pairings and the ratings", 0));
  } else if (std::ranges::any_of(ratings.pairs, [](const PairResult& pair) {
               return std::abs(pair.residual) >= kNotableResidual;
             })) {
    document.sections.push_back(
        pairings_table(ratings, "Pairings that the ratings do not explain", kNotableResidual));
  }
  return document;
}

}  // namespace faultline
