// Ratings as tables and as JSON.
#include "lab/rating_report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/signed_text.h"
#include "base/text.h"

namespace faultline {
namespace {

constexpr double kNotableResidual = 2;
constexpr std::size_t kListedPairs = 10;

std::string percent(double numerator, double denominator) {
  return denominator > 0 ? fmt::format("{:.1f}", 100 * numerator / denominator) : "-";
}

/// "97.5", or "-" if the games do not say.
std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}", 100 * *share) : "-";
}

/// The columns of players' names; at least as wide as the heading.
std::size_t name_width(const Ratings& ratings) {
  std::size_t width = 6;
  for (const PlayerRating& player : ratings.players)
    width = std::max(width, player.name.size());
  return width;
}

std::string names_of(const Ratings& ratings, int group) {
  std::vector<std::string> names;
  for (const PlayerRating& player : ratings.players)
    if (player.group == group) names.push_back(player.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string model_text(const Ratings& ratings) {
  std::string text;
  for (const VariantFit& fit : ratings.variants) {
    const double score = result_chances(100, fit.draw_share).score();
    text += fmt::format(
        "{}: {}; the first move is worth {} ± {:.0f} Elo, equals draw {:.1f} % of their "
        "games ({:.1f} % to {:.1f} %), 100 Elo more score {:.1f} %.\n",
        fit.variant.empty() ? "Variant not named" : fit.variant, counted(fit.games, "game"),
        signed_text(fit.advantage_elo), ratings.quantile_95 * fit.advantage_deviation,
        100 * fit.draw_share, 100 * fit.draw_share_95.low, 100 * fit.draw_share_95.high,
        100 * score);
  }
  return text;
}

/// Pairings with residuals beyond kNotableResidual, the largest first.
std::vector<PairResult> notable(const Ratings& ratings) {
  std::vector<PairResult> pairs;
  for (const PairResult& pair : ratings.pairs)
    if (std::abs(pair.residual) > kNotableResidual) pairs.push_back(pair);
  std::ranges::stable_sort(pairs, std::ranges::greater(),
                           [](const PairResult& pair) { return std::abs(pair.residual); });
  return pairs;
}

std::string fit_text(const Ratings& ratings) {
  if (ratings.fit.freedom == 0) return "";
  std::string text = fmt::format(
      "Test of fit over {}: chi-square {:.1f} with {} of freedom, p = {:.3g}{}.\n",
      counted(ratings.pairs.size(), "pairing"), ratings.fit.chi_square,
      counted(ratings.fit.freedom, "degree"), ratings.fit.p,
      ratings.fit.p < 0.05 ? ": one number per player does not explain these results" : "");
  const std::vector<PairResult> pairs = notable(ratings);
  for (std::size_t i = 0; i < std::min(pairs.size(), kListedPairs); ++i) {
    const PairResult& pair = pairs[i];
    text += fmt::format("  {} scored {:.1f} of {} against {}, expected {:.1f}: z = {}\n",
                        ratings.players[pair.first].name, pair.points, pair.games,
                        ratings.players[pair.second].name, pair.expected,
                        signed_text(pair.residual, 1));
  }
  if (pairs.size() > kListedPairs)
    text +=
        fmt::format("  and {} more beyond z = {}\n", pairs.size() - kListedPairs, kNotableResidual);
  if (!pairs.empty())
    text += fmt::format("  ({:.1f} of {} pairings are beyond z = {} by chance)\n",
                        0.0455 * static_cast<double>(ratings.pairs.size()), ratings.pairs.size(),
                        kNotableResidual);
  return text;
}

std::string warnings_text(const Ratings& ratings) {
  std::string text;
  if (ratings.groups > 1) {
    text += "No games link these groups, whose ratings cannot be compared:\n";
    for (int group = 0; group < ratings.groups; ++group)
      text += fmt::format("  {}\n", names_of(ratings, group));
  }
  std::vector<std::string> bounded;
  for (const PlayerRating& player : ratings.players)
    if (player.needs_prior) bounded.push_back(player.name);
  if (!bounded.empty())
    text += fmt::format(
        "* separated from the others by wins alone: the prior of {:.0f} Elo bounds the rating of "
        "{}.\n",
        ratings.prior_elo, fmt::join(bounded, ", "));
  if (ratings.without_result > 0)
    text += fmt::format("{} without a result left out.\n", counted(ratings.without_result, "game"));
  if (ratings.against_itself > 0)
    text += fmt::format("{} of a player against itself left out.\n",
                        counted(ratings.against_itself, "game"));
  return text;
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  if (!value) return nullptr;
  return *value;
}

}  // namespace

std::string ratings_text(const Ratings& ratings) {
  const std::size_t width = name_width(ratings);
  std::string text =
      fmt::format("{:>4}  {:<{}}  {:>7} {:>6}  {:>6}  {:>6}  {:>6}  {:>6}\n", "rank", "player",
                  width, "Elo", "±95 %", "games", "score%", "draws%", "LOS%");
  for (std::size_t i = 0; i < ratings.players.size(); ++i) {
    const PlayerRating& player = ratings.players[i];
    const bool last = i + 1 == ratings.players.size();
    text += fmt::format(
        "{:>4}  {:<{}}  {:>7}{} {:>5.1f}  {:>6}  {:>6}  {:>6}  {:>6}\n", i + 1, player.name, width,
        signed_text(player.elo, 1), player.needs_prior ? '*' : ' ', player.elo_95.high - player.elo,
        player.games(), percent(player.points(), player.games()),
        percent(player.draws, player.games()), last ? "-" : percent(ratings.superiority(i, i + 1)));
  }
  text += "LOS: likelihood that the player is stronger than the next one.\n";
  if (ratings.observation == Observation::Opening)
    text +=
        "Intervals count the games that two players played from one opening as one "
        "observation.\n";
  return text + model_text(ratings) + fit_text(ratings) + warnings_text(ratings);
}

std::string pairs_text(const Ratings& ratings) {
  const std::size_t n = ratings.players.size();
  const std::size_t width = name_width(ratings);
  std::string text =
      "Likelihood that the row's player is stronger than the column's, in per cent:\n";
  text += fmt::format("{:>4}  {:<{}} ", "", "", width);
  for (std::size_t j = 0; j < n; ++j)
    text += fmt::format(" {:>5}", j + 1);
  text += '\n';
  for (std::size_t i = 0; i < n; ++i) {
    text += fmt::format("{:>4}  {:<{}} ", i + 1, ratings.players[i].name, width);
    for (std::size_t j = 0; j < n; ++j)
      text += fmt::format(" {:>5}", percent(ratings.superiority(i, j)));
    text += '\n';
  }
  text += "\nPairings; z: points beyond what the ratings predict, in standard errors:\n";
  text += fmt::format("{:<{}}  {:<{}}  {:>6}  {:>7}  {:>8}  {:>7} {:>6}  {:>5}\n", "player", width,
                      "against", width, "games", "points", "expected", "Elo", "±95 %", "z");
  for (const PairResult& pair : ratings.pairs)
    text += fmt::format(
        "{:<{}}  {:<{}}  {:>6}  {:>7.1f}  {:>8.1f}  {:>7} {:>6.1f}  {:>5}\n",
        ratings.players[pair.first].name, width, ratings.players[pair.second].name, width,
        pair.games, pair.points, pair.expected,
        signed_text(ratings.players[pair.first].elo - ratings.players[pair.second].elo, 1),
        ratings.quantile_95 * ratings.difference_deviation(pair.first, pair.second),
        signed_text(pair.residual, 1));
  return text;
}

nlohmann::ordered_json to_json(const Ratings& ratings) {
  nlohmann::ordered_json json;
  json["games"] = ratings.games;
  json["without_result"] = ratings.without_result;
  json["against_itself"] = ratings.against_itself;
  json["groups"] = ratings.groups;
  json["prior"] = ratings.prior_elo;
  json["observation"] = ratings.observation == Observation::Opening ? "opening" : "game";
  json["freedom"] = nullptr;
  if (std::isfinite(ratings.freedom)) json["freedom"] = ratings.freedom;
  json["log_likelihood"] = ratings.log_likelihood;
  json["players"] = nlohmann::ordered_json::array();
  for (const PlayerRating& player : ratings.players)
    json["players"].push_back({{"name", player.name},
                               {"elo", player.elo},
                               {"elo_95", {player.elo_95.low, player.elo_95.high}},
                               {"deviation", player.deviation},
                               {"games", player.games()},
                               {"wins", player.wins},
                               {"draws", player.draws},
                               {"losses", player.losses},
                               {"group", player.group},
                               {"needs_prior", player.needs_prior}});
  json["superiority"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < ratings.players.size(); ++i) {
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (std::size_t j = 0; j < ratings.players.size(); ++j)
      row.push_back(or_null(ratings.superiority(i, j)));
    json["superiority"].push_back(std::move(row));
  }
  json["pairs"] = nlohmann::ordered_json::array();
  for (const PairResult& pair : ratings.pairs)
    json["pairs"].push_back({{"first", ratings.players[pair.first].name},
                             {"second", ratings.players[pair.second].name},
                             {"games", pair.games},
                             {"points", pair.points},
                             {"expected", pair.expected},
                             {"residual", pair.residual},
                             {"deviation", ratings.difference_deviation(pair.first, pair.second)}});
  json["variants"] = nlohmann::ordered_json::array();
  for (const VariantFit& fit : ratings.variants)
    json["variants"].push_back(
        {{"variant", fit.variant},
         {"games", fit.games},
         {"advantage", fit.advantage_elo},
         {"advantage_deviation", fit.advantage_deviation},
         {"draw_share", fit.draw_share},
         {"draw_share_95", {fit.draw_share_95.low, fit.draw_share_95.high}}});
  json["fit"] = nullptr;
  if (ratings.fit.freedom > 0)
    json["fit"] = {{"chi_square", ratings.fit.chi_square},
                   {"freedom", ratings.fit.freedom},
                   {"p", ratings.fit.p}};
  return json;
}

}  // namespace faultline
