// What a survey found, as a document.
#include "survey/survey_document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "lab/opening_source.h"
#include "survey/survey_ranking.h"

namespace faultline {
namespace {

using enum Column::Kind;

constexpr std::size_t kFirstMoves = 5;
constexpr std::size_t kReplies = 3;

Cell share_of(const RatioEstimate& estimate) {
  return estimate.known ? share_cell(estimate.value, estimate.interval.low, estimate.interval.high)
                        : Cell{"-"};
}

/// "54.32 ± 1.23".
Cell mean_of(const RatioEstimate& estimate) {
  if (!estimate.known) return {"-"};
  const double half = (estimate.interval.high - estimate.interval.low) / 2;
  return {std::isfinite(half) ? fmt::format("{:.2f} ± {:.2f}", estimate.value, half)
                              : fmt::format("{:.2f}", estimate.value),
          estimate.value, estimate.interval.low, estimate.interval.high};
}

/// What the numbers of SurveySettings::visits are.
std::string unit_of(const SurveySettings& settings) {
  if (!counts_nodes(settings)) return "visits";
  return counts_visits(settings) ? "visits or nodes" : "nodes";
}

bool has_results(const VisitResult& at) {
  return at.games > at.cut;
}

/// The first mover's score, and the share of decided games.
Cell score_of(const VisitResult& at) {
  const auto& [low, high] = at.first_mover.score_95;
  return has_results(at) ? share_cell(at.first_mover.score, low, high) : Cell{"-"};
}

/// "stalemate 3, bare kings 7"; "-" if no game was drawn.
std::string draws_text(const std::array<int, 8>& endings) {
  constexpr std::pair<Outcome, std::string_view> kCauses[] = {
      {Outcome::Stalemate, "stalemate"},
      {Outcome::BareKings, "bare kings"},
      {Outcome::FiftyMoveRule, "no progress"},
      {Outcome::Repetition, "repetition"}};
  std::vector<std::string> parts;
  for (const auto& [outcome, cause] : kCauses)
    if (const int games = endings.at(static_cast<std::size_t>(outcome)); games > 0)
      parts.push_back(fmt::format("{} {}", cause, games));
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
}

/// The first variant of an order and all that cannot be told from it; "not decided" if these are
/// all.
std::string leaders_text(const SurveyResults& results, const Ranking& ranking) {
  std::vector<std::string> leaders;
  for (std::size_t i = 0; i < ranking.order.size(); ++i)
    if (!ranking.differs[i]) leaders.push_back(results.variants[ranking.order[i]].variant);
  return leaders.size() == ranking.order.size() ? "not decided"
                                                : fmt::format("{}", fmt::join(leaders, " or "));
}

Section figures(const SurveyResults& results) {
  const SurveySettings& settings = results.settings;
  const OpeningSource openings = recorded_opening_source(settings.openings);
  const bool from_start = openings.kind != OpeningSource::Kind::File && openings.plies == 0;
  Facts facts = {{"Variants", count_cell(static_cast<std::int64_t>(results.variants.size()))},
                 {"Games", count_cell(results.games),
                  fmt::format("of {}; one player has both sides",
                              counted(settings.planned_games(), "planned game"))},
                 {"Openings",
                  {from_start ? "none" : describe(openings)},
                  !counts_nodes(settings)   ? ""
                  : counts_visits(settings) ? "one for each game of alphabeta, else for two"
                                            : "one for each game"},
                 {"Temperature",
                  {fmt::format("{:g}", settings.temperature)},
                  settings.temperature == 0 ? "alphabeta plays the best move"
                  : settings.temperature_plies > 0
                      ? "in the first " + counted(settings.temperature_plies, "ply", "plies")
                      : "in the whole game"}};
  if (!can_be_ranked(results)) return {"Figures", std::move(facts)};
  facts.push_back({"Fairest",
                   {leaders_text(results, by_fairness(results))},
                   "by the first mover's score at the most " + unit_of(settings)});
  facts.push_back({"Most decisive",
                   {leaders_text(results, by_decisiveness(results))},
                   "by the share of decided games at the most " + unit_of(settings)});
  return {"Figures", std::move(facts),
          "Variants that cannot be distinguished from the best one at 95 % are named with it."};
}

Section players(const SurveyResults& results) {
  Table table{{{"variant", Code}, {"moves first"}, {"player", Code}}};
  for (const VariantResult& variant : results.variants)
    table.rows.push_back({{variant.variant}, {std::string(name(variant.first))}, {variant.player}});
  return {"Players", std::move(table),
          fmt::format("uniform and material search without a net: uniform knows only the rules, "
                      "material counts pieces.{}",
                      counts_nodes(results.settings)
                          ? " alphabeta searches as many nodes as others have visits, and always "
                            "plays the best move."
                          : "")};
}

Section results_table(const SurveyResults& results) {
  Table table{{{"variant", Code},
               {unit_of(results.settings), Number},
               {"games", Number},
               {"result", Number},
               share_column("first mover's score (95 %)", 0.5),
               share_column("decided (95 %)"),
               {"cut", Number},
               {"draws"}}};
  for (const VariantResult& variant : results.variants) {
    if (variant.complexity && variant.complexity->playouts > 0) {
      const Complexity& random = *variant.complexity;
      table.rows.push_back({{variant.variant},
                            {"random"},
                            count_cell(random.playouts),
                            {},
                            share_of(random.random_score),
                            share_of(random.random_decided),
                            count_cell(random.cut),
                            {}});
    }
    for (const VisitResult& at : variant.visits)
      if (at.games > 0)
        table.rows.push_back({{variant.variant},
                              count_cell(at.visits),
                              count_cell(at.games),
                              {score_text(at.score)},
                              score_of(at),
                              share_of(at.decided),
                              count_cell(at.cut),
                              {draws_text(at.endings)}});
  }
  return {"First move and decided games", std::move(table),
          "Games that were cut at the ply limit have no result. Results are those of the side that "
          "moves first. random: games of random moves."};
}

/// The first mover's score and the share of decided games over the visits.
Section growth(const SurveyResults& results) {
  Curves curves{{{unit_of(results.settings), {}}}};
  for (const std::int64_t visits : results.settings.visits)
    curves.axes[0].values.push_back(static_cast<double>(visits));
  Chart score{"First mover's score", "share", "Share of the points, with 95 % intervals."};
  Chart decided{"Decided games", "share",
                "Share of the games that were not cut, with 95 % intervals."};
  const auto add = [](Series& series, const Cell& cell) {
    series.values.push_back(cell.value);
    series.low.push_back(cell.low);
    series.high.push_back(cell.high);
  };
  for (const VariantResult& variant : results.variants) {
    score.series.push_back({variant.variant, {}});
    decided.series.push_back({variant.variant, {}});
    for (const VisitResult& at : variant.visits) {
      add(score.series.back(), score_of(at));
      add(decided.series.back(), share_of(at.decided));
    }
  }
  curves.charts = {std::move(score), std::move(decided)};
  return {.title = fmt::format("As {} grow", unit_of(results.settings)),
          .content = std::move(curves),
          .page_only = true};
}

/// Variants with games at the most visits, each with these.
std::vector<std::pair<const VariantResult*, const VisitResult*>> played(
    const SurveyResults& results) {
  std::vector<std::pair<const VariantResult*, const VisitResult*>> all;
  for (const VariantResult& variant : results.variants)
    if (variant.visits.back().games > 0) all.emplace_back(&variant, &variant.visits.back());
  return all;
}

Section play_table(const SurveyResults& results) {
  Table table{{{"variant", Code},
               {"plies, mean", Number},
               {"10 % / median / 90 %", Number},
               {"legal moves, mean", Number},
               {"geometric mean", Number},
               {"changes of the lead", Number},
               share_column("won from two pawns behind (95 %)")}};
  std::vector<int> longest;
  for (const auto& [variant, at] : played(results)) {
    const GameLengths& plies = at->lengths;
    longest.push_back(plies.longest);
    table.rows.push_back({{variant->variant},
                          mean_of(plies.mean),
                          {fmt::format("{} / {} / {}", plies.tenth, plies.median, plies.ninetieth)},
                          mean_of(at->branching),
                          number_cell(at->branching_geometric, 2),
                          mean_of(at->lead_changes),
                          share_of(at->comebacks)});
  }
  return {"Play", std::move(table),
          fmt::format("At the most {}; changes of the lead are per game. The longest games have "
                      "{} plies.",
                      unit_of(results.settings), fmt::join(longest, ", "))};
}

Section branching(const SurveyResults& results) {
  constexpr int kLeastGames = 5;
  Curves curves{{{"ply", {}}}};
  Chart chart{
      .title = "Mean number of legal moves",
      .note = fmt::format("At the most {}, as long as {} games last.", unit_of(results.settings),
                          kLeastGames),
  };
  std::size_t longest = 0;
  for (const auto& [variant, at] : played(results)) {
    Series series{variant->variant, {}};
    for (const PlyBranching& ply : at->by_ply)
      series.values.push_back(ply.games >= kLeastGames ? ply.mean : kNoNumber);
    while (!series.values.empty() && std::isnan(series.values.back()))
      series.values.pop_back();
    longest = std::max(longest, series.values.size());
    chart.series.push_back(std::move(series));
  }
  for (std::size_t ply = 0; ply < longest; ++ply)
    curves.axes[0].values.push_back(static_cast<double>(ply));
  for (Series& series : chart.series)
    series.values.resize(longest, kNoNumber);
  curves.charts = {std::move(chart)};
  return {"Legal moves", std::move(curves)};
}

Section moves_table(const VariantResult& variant, const VisitResult& at, const std::string& unit) {
  Table table{{{"move", Code},
               {"per game", Number},
               {"when possible", Number},
               share_column("by the first mover (95 %)", 0.5),
               share_column("by the winner (95 %)", 0.5)}};
  std::vector<std::string> never;
  for (const SpecialMoveUse& use : at.moves) {
    const bool is_part = !use.move.of.empty();
    if (is_part && use.move.general) continue;
    if (use.played[0] + use.played[1] == 0) {
      if (!is_part) never.push_back(use.move.name);
      continue;
    }
    // A predicate that every move fulfils says nothing; its parts may.
    if (use.played == use.turns && !is_part) continue;
    table.rows.push_back({{use.move.name},
                          mean_of(use.per_game),
                          share_of(use.chosen),
                          share_of(use.first_share),
                          share_of(use.winner_share)});
  }
  return {
      "Special moves: " + variant.variant, std::move(table),
      fmt::format("Kinds of moves (the predicates of strategies) among the moves played at the "
                  "most {}.{}",
                  unit,
                  never.empty() ? "" : fmt::format(" Never played: {}.", fmt::join(never, ", ")))};
}

/// "2.00 (1.00 to 3.00)": log odds.
Cell odds_cell(double value, const Interval& interval) {
  return {fmt::format("{:.2f} ({:.2f} to {:.2f})", value, interval.low, interval.high), value,
          interval.low, interval.high};
}

Section pieces_table(const VariantResult& variant, const PieceValues& pieces) {
  Table table{{{"piece"},
               {"where"},
               {.title = "log odds of the result (95 %)", .kind = OnAxis, .reference = 0},
               {"in pawns (95 %)", Number},
               {"games", Number}}};
  const auto add = [&](const PieceWorth& worth) {
    Cell pawns = worth.pawns ? number_cell(*worth.pawns, 2) : Cell{"-"};
    if (worth.pawns_95) {
      pawns.low = worth.pawns_95->low;
      pawns.high = worth.pawns_95->high;
      pawns.text += fmt::format(" ({:.1f} to {:.1f})", pawns.low, pawns.high);
    }
    table.rows.push_back({{worth.piece},
                          {worth.region.empty() ? "whole board" : worth.region},
                          odds_cell(worth.value, worth.value_95),
                          std::move(pawns),
                          count_cell(worth.games)});
  };
  std::ranges::for_each(pieces.whole_board, add);
  std::ranges::for_each(pieces.by_region, add);
  const auto add_constant = [&](const char* title, double value, const Interval& interval) {
    table.rows.push_back(
        {{title}, {"-"}, odds_cell(value, interval), {"-"}, count_cell(pieces.games)});
  };
  add_constant("the first move", pieces.first_move, pieces.first_move_95);
  add_constant("being to move", pieces.tempo, pieces.tempo_95);
  return {
      "Piece values: " + variant.variant, std::move(table),
      fmt::format("From {} of {}; \"games\" are those in which the sides' numbers differ. In "
                  "pawns where a pawn's own value can be told from 0.{}",
                  counted(pieces.positions, "quiet position"), counted(pieces.games, "game"),
                  pieces.rare.empty() ? ""
                                      : fmt::format(" Left out, as they differed in too few: {}.",
                                                    fmt::join(pieces.rare, "; ")))};
}

/// The first mover's share of the points from an opening.
double score_of(const OpeningLine& line) {
  const auto& [wins, draws, losses] = line.results;
  return (wins + 0.5 * draws) / (wins + draws + losses);  // not a number without results
}

Section first_moves(const VariantResult& variant, const OpeningLine& start) {
  Table table{{{"move", Code},
               {"games", Number},
               {"first mover's score", Number},
               {"policy", Number},
               {"replies, with games and scores"}}};
  for (std::size_t i = 0; i < std::min(kFirstMoves, start.replies.size()); ++i) {
    const OpeningLine& line = start.replies[i];
    std::vector<std::string> replies;
    for (std::size_t k = 0; k < std::min(kReplies, line.replies.size()); ++k)
      replies.push_back(fmt::format("{} {}, {}", line.replies[k].notation, line.replies[k].games,
                                    share_cell(score_of(line.replies[k]), 0).text));
    table.rows.push_back({{line.notation},
                          count_cell(line.games),
                          share_cell(score_of(line), 0),
                          share_cell(line.policy ? *line.policy : kNoNumber, 0),
                          {fmt::format("{}", fmt::join(replies, "; "))}});
  }
  return {"First moves: " + variant.variant, std::move(table),
          "The policy is that of the player's net, without search; - where it has none."};
}

Section size_table(const SurveyResults& results) {
  Table table{{{"variant", Code},
               {"perft"},
               {"growth per ply", Number},
               {"log10 of lines, by the branching of the games played", Number},
               {"log10 of lines as long as the median game", Number},
               {"log10 of all lines", Number},
               {"share of the largest random game", Number}}};
  for (const VariantResult& variant : results.variants) {
    if (!variant.complexity) continue;
    const Complexity& size = *variant.complexity;
    std::vector<std::string> perft;
    for (const std::uint64_t nodes : size.perft)
      perft.push_back(grouped(nodes));
    const bool any_random = size.playouts > 0;
    const VisitResult& at = variant.visits.back();
    table.rows.push_back(
        {{variant.variant},
         {fmt::format("{}", fmt::join(perft, " · "))},
         number_cell(size.growth, 2),
         number_cell(at.games > 0 ? at.line_log10 : kNoNumber, 1),
         number_cell(any_random && size.typical_plies > 0 ? size.typical_log10 : kNoNumber, 1),
         number_cell(any_random ? size.tree_log10 : kNoNumber, 1),
         share_cell(any_random ? size.largest_share : kNoNumber)});
  }
  return {"Size", std::move(table),
          "The last three are estimated from random games. The number of all lines is very "
          "uncertain (docs/surveys.md)."};
}

/// Says which games repeat others.
void add_notices_of_repeated_games(const SurveyResults& results, Document& document) {
  for (const VariantResult& variant : results.variants)
    for (const VisitResult& at : variant.visits)
      if (at.distinct < kLeastDistinct * at.games)
        document.notices.push_back(fmt::format(
            "{} at {}: only {} of {} differ, so that intervals are too narrow; a survey with {} "
            "avoids it.",
            variant.variant, limit_text(at.visits, variant.counts_visits), at.distinct,
            counted(at.games, "game"),
            variant.counts_visits ? "a higher --temperature or more --temperature-plies"
                                  : "longer --openings"));
}

}  // namespace

Document survey_document(const SurveyResults& results) {
  Document document{.kind = "survey",
                    .title = "survey of " + (results.variants.size() == 1
                                                 ? results.variants[0].variant
                                                 : counted(results.variants.size(), "variant"))};
  std::vector<Section>& sections = document.sections;
  sections = {figures(results), players(results)};
  if (results.games == 0) {
    document.notices.emplace_back("There are no games yet.");
    return document;
  }
  add_notices_of_repeated_games(results, document);
  sections.push_back(results_table(results));
  if (results.settings.visits.size() > 1) sections.push_back(growth(results));
  sections.push_back(play_table(results));
  if (Section legal = branching(results); std::get<Curves>(legal.content).axes[0].values.size() > 1)
    sections.push_back(std::move(legal));
  for (const auto& [variant, at] : played(results))
    sections.push_back(moves_table(*variant, *at, unit_of(results.settings)));
  for (const auto& [variant, at] : played(results)) {
    if (at->pieces.missing.empty())
      sections.push_back(pieces_table(*variant, at->pieces));
    else
      document.notices.push_back(
          fmt::format("{}: no piece values: {}.", variant->variant, at->pieces.missing));
  }
  for (const auto& [variant, at] : played(results))
    if (!at->openings.replies.empty()) sections.push_back(first_moves(*variant, at->openings));
  sections.push_back(size_table(results));
  return document;
}

}  // namespace faultline
