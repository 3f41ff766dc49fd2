// Tables of a survey's results.
#include "survey/survey_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "base/text_table.h"
#include "lab/opening_source.h"
#include "survey/survey_ranking.h"

namespace faultline {
namespace {

constexpr std::size_t kFirstMoves = 5;
constexpr std::size_t kReplies = 3;

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string share_text(double share, const Interval& interval) {
  return fmt::format("{:.1f} % ({:.1f}–{:.1f})", 100 * share, 100 * interval.low,
                     100 * interval.high);
}

std::string share_text(const RatioEstimate& estimate) {
  return estimate.known ? share_text(estimate.value, estimate.interval) : "-";
}

std::string mean_text(const RatioEstimate& estimate) {
  if (!estimate.known) return "-";
  const double half = (estimate.interval.high - estimate.interval.low) / 2;
  return std::isfinite(half) ? fmt::format("{:.2f} ± {:.2f}", estimate.value, half)
                             : fmt::format("{:.2f}", estimate.value);
}

std::vector<std::string> with_letters(const SurveyResults& results, std::string first) {
  std::vector<std::string> headings = {std::move(first)};
  for (std::size_t i = 0; i < results.variants.size(); ++i)
    headings.push_back(variant_letter(i));
  return headings;
}

/// A row with one cell per variant, made from its result at the most visits.
template <class Cell>
void add_row(const SurveyResults& results, TextTable& table, std::string name, const Cell& cell) {
  std::vector<std::string> row = {std::move(name)};
  for (const VariantResult& variant : results.variants) {
    const VisitResult& at = variant.visits.back();
    row.push_back(at.games > 0 ? cell(variant, at) : std::string("-"));
  }
  table.add(std::move(row));
}

std::string heading_text(const SurveyResults& results) {
  const SurveySettings& settings = results.settings;
  const OpeningSource openings = recorded_opening_source(settings.openings);
  const bool from_start = openings.kind != OpeningSource::Kind::File && openings.plies == 0;
  std::string text = fmt::format(
      "{} at {} {}: {} of {}. One player has both sides.\nGames begin {}; moves are drawn at "
      "temperature {:g} {}.\n\n",
      counted(results.variants.size(), "variant"), fmt::join(settings.visits, ", "),
      settings.visits.back() == 1 ? "visit" : "visits", results.games,
      counted(settings.planned_games(), "game"),
      from_start ? "at the start" : "with " + describe(openings), settings.temperature,
      settings.temperature_plies > 0
          ? "in the first " + counted(settings.temperature_plies, "ply", "plies")
          : std::string("in the whole game"));
  for (std::size_t i = 0; i < results.variants.size(); ++i) {
    const VariantResult& variant = results.variants[i];
    const std::string_view player =
        variant.player == "uniform"    ? std::string_view("uniform: search without a net")
        : variant.player == "material" ? std::string_view("material: search by material, no net")
                                       : std::string_view(variant.player);
    text += fmt::format("  {}  {} ({} moves first; {})\n", variant_letter(i), variant.variant,
                        name(variant.first), player);
  }
  return text;
}

std::string results_table(const SurveyResults& results) {
  TextTable table(
      {"", "visits", "games", "result", "first mover's score", "decided", "cut", "draws by"});
  for (std::size_t i = 0; i < results.variants.size(); ++i) {
    const VariantResult& variant = results.variants[i];
    if (variant.complexity && variant.complexity->playouts > 0)
      table.add({variant_letter(i), "random", std::to_string(variant.complexity->playouts), "",
                 share_text(variant.complexity->random_score),
                 share_text(variant.complexity->random_decided),
                 std::to_string(variant.complexity->cut), ""});
    for (const VisitResult& at : variant.visits) {
      if (at.games == 0) {
        table.add({variant_letter(i), std::to_string(at.visits), "0", "", "", "", "", ""});
        continue;
      }
      table.add({variant_letter(i), std::to_string(at.visits), std::to_string(at.games),
                 fmt::format("+{} ={} -{}", at.score.wins, at.score.draws, at.score.losses),
                 at.games > at.cut ? share_text(at.first_mover.score, at.first_mover.score_95)
                                   : std::string("-"),
                 share_text(at.decided), std::to_string(at.cut), draws_text(at.endings)});
    }
  }
  return "\nThe first move and decided games, without those that were cut (95 % intervals)\n" +
         table.text();
}

std::string warnings_text(const SurveyResults& results) {
  std::string text;
  for (std::size_t i = 0; i < results.variants.size(); ++i)
    for (const VisitResult& at : results.variants[i].visits)
      if (at.distinct < kLeastDistinct * at.games)
        text += fmt::format(
            "  {} at {}: only {} of {} differ, so that intervals are too narrow; raise "
            "--temperature or --temperature-plies\n",
            variant_letter(i), counted(at.visits, "visit"), at.distinct, counted(at.games, "game"));
  return text.empty() ? text : "\nWarnings\n" + text;
}

/// "B (50.3 %), A (54.0 %), C (61.0 %, which differs from B)".
template <class Value>
std::string ranking_text(const SurveyResults& results, const Ranking& ranking, const Value& value) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < ranking.order.size(); ++i)
    parts.push_back(fmt::format("{} ({}{})", variant_letter(ranking.order[i]),
                                percent(value(results.variants[ranking.order[i]].visits.back())),
                                ranking.differs[i] ? ", differs" : ""));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string rankings_text(const SurveyResults& results) {
  if (!can_be_ranked(results)) return "";
  const Ranking fairness = by_fairness(results);
  const Ranking decisiveness = by_decisiveness(results);
  const bool same = std::ranges::none_of(fairness.differs, std::identity()) &&
                    std::ranges::none_of(decisiveness.differs, std::identity());
  return fmt::format(
      "\nOrder at {}, best first{}\n  fairest, by the first mover's score: {}\n  most "
      "decisive, by decided games: {}\n",
      counted(results.settings.visits.back(), "visit"),
      same ? " (no variant can be distinguished from the first at 95 %)"
           : " (differs: can be distinguished from the first at 95 %)",
      ranking_text(results, fairness, [](const VisitResult& at) { return at.first_mover.score; }),
      ranking_text(results, decisiveness, [](const VisitResult& at) { return at.decided.value; }));
}

std::string play_table(const SurveyResults& results) {
  TextTable table(with_letters(results, ""));
  using Variant = const VariantResult&;
  using At = const VisitResult&;
  add_row(results, table, "plies, mean", [](Variant, At at) { return mean_text(at.lengths.mean); });
  add_row(results, table, "plies, 10 % / median / 90 %", [](Variant, At at) {
    return fmt::format("{} / {} / {}", at.lengths.tenth, at.lengths.median, at.lengths.ninetieth);
  });
  add_row(results, table, "plies, longest",
          [](Variant, At at) { return std::to_string(at.lengths.longest); });
  add_row(results, table, "legal moves, mean",
          [](Variant, At at) { return mean_text(at.branching); });
  add_row(results, table, "legal moves, geometric mean",
          [](Variant, At at) { return fmt::format("{:.2f}", at.branching_geometric); });
  std::size_t longest = 0;
  for (const VariantResult& variant : results.variants)
    longest = std::max(longest, variant.visits.back().by_ply.size());
  for (std::size_t ply = 0; ply < longest; ply = ply == 0 ? 8 : 2 * ply)
    add_row(results, table, fmt::format("legal moves at ply {}", ply), [&](Variant, At at) {
      return ply < at.by_ply.size() ? fmt::format("{:.1f} in {}", at.by_ply[ply].mean,
                                                  counted(at.by_ply[ply].games, "game"))
                                    : std::string("-");
    });
  add_row(results, table, "changes of the lead per game",
          [](Variant, At at) { return mean_text(at.lead_changes); });
  add_row(results, table, "won after being two pawns behind",
          [](Variant, At at) { return share_text(at.comebacks); });
  return fmt::format("\nPlay at {}\n", counted(results.settings.visits.back(), "visit")) +
         table.text();
}

std::string complexity_table(const SurveyResults& results) {
  TextTable table(with_letters(results, ""));
  const auto row = [&](const std::string& title, const auto& cell) {
    std::vector<std::string> cells = {title};
    for (const VariantResult& variant : results.variants)
      cells.push_back(variant.complexity ? cell(*variant.complexity) : std::string("-"));
    table.add(std::move(cells));
  };
  std::size_t deepest = 0;
  for (const VariantResult& variant : results.variants)
    if (variant.complexity) deepest = std::max(deepest, variant.complexity->perft.size());
  if (deepest == 0) return "\nThe size of the games has not been computed yet.\n";
  for (std::size_t depth = 1; depth <= deepest; ++depth)
    row(fmt::format("perft({})", depth), [&](const Complexity& complexity) {
      return depth <= complexity.perft.size() ? grouped(complexity.perft[depth - 1])
                                              : std::string("-");
    });
  row("growth of perft per ply",
      [](const Complexity& complexity) { return fmt::format("{:.2f}", complexity.growth); });
  add_row(results, table, "lines (branching of the games played)",
          [](const VariantResult&, const VisitResult& at) {
            return fmt::format("10^{:.1f}", at.line_log10);
          });
  row("lines as long as the median game (Knuth)", [](const Complexity& complexity) {
    return complexity.playouts > 0 && complexity.typical_plies > 0
               ? fmt::format("10^{:.1f}", complexity.typical_log10)
               : std::string("-");
  });
  row("all lines (Knuth)", [](const Complexity& complexity) {
    return complexity.playouts > 0 ? fmt::format("10^{:.1f}", complexity.tree_log10)
                                   : std::string("-");
  });
  row("share of the largest random game in these", [](const Complexity& complexity) {
    return complexity.playouts > 0 ? percent(complexity.largest_share) : std::string("-");
  });
  row("plies of a random game",
      [](const Complexity& complexity) { return mean_text(complexity.random_plies); });
  return "\nSize\n" + table.text();
}

std::string moves_table(const VariantResult& variant, std::size_t number) {
  const VisitResult& at = variant.visits.back();
  TextTable table({"", "per game", "when possible", "by the first mover", "by the winner"});
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
    table.add({(is_part ? "  " : "") + use.move.name, mean_text(use.per_game),
               share_text(use.chosen), share_text(use.first_share), share_text(use.winner_share)});
  }
  std::string text =
      fmt::format("\nSpecial moves of {}, {}\n", variant_letter(number), variant.variant);
  if (!table.empty()) text += table.text();
  if (!never.empty()) text += fmt::format("  never played: {}\n", fmt::join(never, ", "));
  return text;
}

std::string odds_text(const PieceWorth& worth) {
  return fmt::format("{:.2f} ({:.2f} to {:.2f})", worth.value, worth.value_95.low,
                     worth.value_95.high);
}

/// The worth in pawns; in log odds where the games do not say what a pawn is worth, and of pawns.
std::string worth_text(const PieceWorth& worth) {
  if (!worth.pawns || worth.piece == "pawn") return "log odds " + odds_text(worth);
  return worth.pawns_95 ? fmt::format("{:.1f} ({:.1f} to {:.1f})", *worth.pawns,
                                      worth.pawns_95->low, worth.pawns_95->high)
                        : fmt::format("{:.1f}", *worth.pawns);
}

std::string piece_table(const SurveyResults& results) {
  std::vector<std::string> pieces;
  for (const VariantResult& variant : results.variants)
    for (const PieceWorth& worth : variant.visits.back().pieces.whole_board)
      if (std::ranges::find(pieces, worth.piece) == pieces.end()) pieces.push_back(worth.piece);
  std::string text =
      "\nPiece values in pawns, or in log odds of the result where the games do not tell a pawn's "
      "from 0 (95 % intervals)\n";
  if (!pieces.empty()) {
    TextTable table(with_letters(results, ""));
    for (const std::string& piece : pieces)
      add_row(results, table, piece, [&](const VariantResult&, const VisitResult& at) {
        const auto& worths = at.pieces.whole_board;
        const auto found = std::ranges::find(worths, piece, &PieceWorth::piece);
        return found == worths.end() ? std::string("-") : worth_text(*found);
      });
    text += table.text();
  }
  for (std::size_t i = 0; i < results.variants.size(); ++i) {
    const PieceValues& values = results.variants[i].visits.back().pieces;
    if (!values.missing.empty())
      text += fmt::format("  {}: none: {}\n", variant_letter(i), values.missing);
  }
  return text;
}

std::string region_table(const VariantResult& variant, std::size_t number) {
  const PieceValues& values = variant.visits.back().pieces;
  if (values.by_region.empty()) return "";
  std::vector<std::string> regions, pieces;
  for (const PieceWorth& worth : values.by_region) {
    if (std::ranges::find(regions, worth.region) == regions.end()) regions.push_back(worth.region);
    if (std::ranges::find(pieces, worth.piece) == pieces.end()) pieces.push_back(worth.piece);
  }
  std::vector<std::string> headings = {""};
  std::ranges::copy(regions, std::back_inserter(headings));
  TextTable table(headings);
  for (const std::string& piece : pieces) {
    std::vector<std::string> row = {piece};
    for (const std::string& region : regions) {
      const auto found = std::ranges::find_if(values.by_region, [&](const PieceWorth& worth) {
        return worth.piece == piece && worth.region == region;
      });
      row.push_back(found == values.by_region.end() ? "-" : odds_text(*found));
    }
    table.add(std::move(row));
  }
  return fmt::format("\nPieces of {} by where they stand, in log odds of the result\n{}",
                     variant_letter(number), table.text());
}

std::string line_text(const OpeningLine& line) {
  const int counted_games = line.results[0] + line.results[1] + line.results[2];
  std::string text = fmt::format("{} {}", line.notation, line.games);
  if (counted_games > 0)
    text +=
        fmt::format(", {:.0f} %", 100 * (line.results[0] + 0.5 * line.results[1]) / counted_games);
  if (line.policy) text += fmt::format(", policy {:.0f} %", 100 * *line.policy);
  return text;
}

std::string openings_text(const VariantResult& variant, std::size_t number) {
  const OpeningLine& start = variant.visits.back().openings;
  if (start.replies.empty()) return "";
  std::string text = fmt::format("\nOpenings of {}: moves with games and the first mover's score\n",
                                 variant_letter(number));
  for (std::size_t i = 0; i < std::min(kFirstMoves, start.replies.size()); ++i) {
    const OpeningLine& line = start.replies[i];
    std::vector<std::string> replies;
    for (std::size_t k = 0; k < std::min(kReplies, line.replies.size()); ++k)
      replies.push_back(line_text(line.replies[k]));
    text += fmt::format("  {}{}\n", line_text(line),
                        replies.empty() ? "" : fmt::format(": {}", fmt::join(replies, "; ")));
  }
  return text;
}

}  // namespace

std::string variant_letter(std::size_t number) {
  const std::string letter(1, static_cast<char>('A' + number % 26));
  return number < 26 ? letter : letter + std::to_string(number / 26 + 1);
}

std::string draws_text(const std::array<int, 8>& endings) {
  constexpr std::pair<Outcome, std::string_view> kCauses[] = {{Outcome::Stalemate, "stalemate"},
                                                              {Outcome::BareKings, "bare kings"},
                                                              {Outcome::FiftyMoveRule, "100 plies"},
                                                              {Outcome::Repetition, "repetition"}};
  std::vector<std::string> parts;
  for (const auto& [outcome, cause] : kCauses)
    if (const int games = endings.at(static_cast<std::size_t>(outcome)); games > 0)
      parts.push_back(fmt::format("{} {}", cause, games));
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string survey_text(const SurveyResults& results) {
  std::string text = heading_text(results);
  if (results.games == 0) return text + "\nThere are no games yet.\n";
  text += results_table(results);
  text += warnings_text(results);
  text += rankings_text(results);
  text += play_table(results);
  for (std::size_t i = 0; i < results.variants.size(); ++i)
    if (results.variants[i].visits.back().games > 0) text += moves_table(results.variants[i], i);
  text += piece_table(results);
  for (std::size_t i = 0; i < results.variants.size(); ++i)
    text += region_table(results.variants[i], i);
  for (std::size_t i = 0; i < results.variants.size(); ++i)
    text += openings_text(results.variants[i], i);
  text += complexity_table(results);
  return text;
}

}  // namespace faultline
