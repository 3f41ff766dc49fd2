// The yardsticks' result as a document.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "lab/elo.h"
#include "lab/yardsticks/only_moves.h"
#include "lab/yardsticks/yardsticks.h"

namespace faultline {
namespace yardstick_text {
namespace {

using enum Column::Kind;

constexpr double kBlunder = 0.3;  // of expected score

RightAnswers operator+(RightAnswers a, const RightAnswers& b) {
  return {a.right + b.right, a.all + b.all};
}

Cell share(const RightAnswers& answers) {
  if (answers.all == 0) return {"-"};
  const Interval interval =
      estimate(tally_of({.wins = answers.right, .losses = answers.all - answers.right})).score_95;
  return share_cell(static_cast<double>(answers.right) / answers.all, interval.low, interval.high);
}

/// Of won (0) or drawn (1) positions of all sets.
RightAnswers kept(const PlayerYardsticks& player, std::size_t kind) {
  RightAnswers sum;
  for (const auto& of_set : player.kept)
    sum = sum + of_set.at(kind);
  return sum;
}

/// In hundredths, over won (0), drawn (1) or all positions.
Cell value_error(const PlayerYardsticks& player, std::initializer_list<std::size_t> kinds) {
  double sum = 0;
  int count = 0;
  for (const std::size_t kind : kinds) {
    sum += player.value_errors.at(kind);
    count += player.valued.at(kind);
  }
  return count > 0 ? number_cell(100 * sum / count, 1) : Cell{"-"};
}

Section figures(const YardstickResult& result) {
  Facts facts;
  facts.emplace_back("game", Cell{result.variant});
  facts.emplace_back("seed", count_cell(result.settings.seed));
  if (!result.sets.empty()) {
    std::array<int, 2> asked{};
    for (const SolvedSet& set : result.sets)
      for (std::size_t kind = 0; kind < 2; ++kind)
        asked.at(kind) += set.asked.at(kind);
    facts.emplace_back("endgames", count_cell(asked[0] + asked[1]),
                       fmt::format("{} won and {} drawn positions, of {}", asked[0], asked[1],
                                   counted(result.sets.size(), "set of pieces", "sets of pieces")));
  }
  if (result.puzzle_games > 0) {
    std::vector<std::string> lengths;
    int all = 0;
    for (std::size_t i = 0; i < kMates.size(); ++i) {
      all += result.puzzles.at(i);
      lengths.push_back(
          fmt::format("{}{} in {}", result.puzzles.at(i), i == 0 ? " mates" : "", kMates.at(i)));
    }
    facts.emplace_back("puzzles", count_cell(all),
                       fmt::format("{}, from {} games", fmt::join(lengths, ", "),
                                   grouped(static_cast<std::uint64_t>(result.puzzle_games))));
  }
  if (result.only_move_games > 0)
    facts.emplace_back(
        "only moves", count_cell(result.only_moves),
        fmt::format("from {} games", grouped(static_cast<std::uint64_t>(result.only_move_games))));
  if (result.judged > 0) facts.emplace_back("positions for the regret", count_cell(result.judged));
  if (!result.judge.empty())
    facts.emplace_back("judge", Cell{result.judge}, "of only moves and the regret");
  facts.emplace_back("took", Cell{clock_text(result.seconds)},
                     fmt::format("minutes, on {}", counted(result.threads, "thread")));
  return {"Figures", std::move(facts)};
}

Section players(const YardstickResult& result) {
  Table table{{{"player", Code},
               {"limits per move"},
               {"ms per move", Number},
               share_column("wins kept"),
               share_column("draws kept"),
               {"value error, %", Number},
               share_column("mates solved"),
               share_column("only moves found"),
               {"regret, %", Number}}};
  for (const PlayerYardsticks& player : result.players) {
    RightAnswers solved;
    for (const RightAnswers& of_length : player.solved)
      solved = solved + of_length;
    const double losses = std::accumulate(player.losses.begin(), player.losses.end(), 0.0);
    table.rows.push_back(
        {{player.player},
         {player.limits},
         player.moves > 0 ? number_cell(1000 * player.seconds / player.moves, 2) : Cell{"-"},
         share(kept(player, 0)),
         share(kept(player, 1)),
         value_error(player, {0, 1}),
         share(solved),
         share(player.only_moves),
         player.losses.empty()
             ? Cell{"-"}
             : number_cell(100 * losses / static_cast<double>(player.losses.size()), 2)});
  }
  return {"Players", std::move(table),
          "ms per move: time of the search by the clock. The other columns are taken apart below."};
}

Section endgame_sets(const YardstickResult& result) {
  Table table{{{"pieces", Code},
               {"won", Number},
               {"drawn", Number},
               {"lost", Number},
               {"longest win, plies", Number},
               {"won, asked", Number},
               {"drawn, asked", Number}}};
  for (const SolvedSet& set : result.sets)
    table.rows.push_back({{set.name},
                          count_cell(set.won),
                          count_cell(set.drawn),
                          count_cell(set.lost),
                          count_cell(set.longest),
                          count_cell(set.asked[0]),
                          count_cell(set.asked[1])});
  return {"Solved endgames", std::move(table),
          "All positions with these pieces (White's, then Black's), either side to move, by their "
          "exact value for the side to move."};
}

Section endgame_players(const YardstickResult& result) {
  Table table{{{"player", Code},
               share_column("wins kept"),
               share_column("draws kept"),
               {"plies lost", Number},
               {"value error of wins, %", Number},
               {"of draws, %", Number}}};
  for (const SolvedSet& set : result.sets)
    table.columns.push_back({set.name, Number});
  for (const PlayerYardsticks& player : result.players) {
    const RightAnswers wins = kept(player, 0);
    std::vector<Cell> row = {{player.player},
                             share(wins),
                             share(kept(player, 1)),
                             wins.right > 0
                                 ? number_cell(static_cast<double>(player.longer) / wins.right, 2)
                                 : Cell{"-"},
                             value_error(player, {0}),
                             value_error(player, {1})};
    for (const auto& of_set : player.kept) {
      const RightAnswers both = of_set[0] + of_set[1];
      row.push_back(both.all > 0 ? share_cell(static_cast<double>(both.right) / both.all)
                                 : Cell{"-"});
    }
    table.rows.push_back(std::move(row));
  }
  std::vector<Cell> chance = {{"(a random legal move)"},
                              share_cell(result.random_keeps[0]),
                              share_cell(result.random_keeps[1])};
  chance.resize(table.columns.size(), Cell{"-"});
  table.rows.push_back(std::move(chance));
  return {"Endgames", std::move(table),
          "Of positions in which at most half of the moves keep the win (or the draw): the share "
          "whose move keeps it. Plies lost: by how many plies the wins that are kept become "
          "longer, on average. Value error: how far the search's expected score is from the exact "
          "one, on average, in hundredths. By set: wins and draws together."};
}

Section puzzle_players(const YardstickResult& result) {
  Table table{{{"player", Code}}};
  for (const int moves : kMates)
    table.columns.push_back(share_column(fmt::format("mates in {}", moves)));
  table.columns.push_back(share_column("only moves"));
  for (const PlayerYardsticks& player : result.players) {
    std::vector<Cell> row = {{player.player}};
    for (const RightAnswers& solved : player.solved)
      row.push_back(share(solved));
    row.push_back(share(player.only_moves));
    table.rows.push_back(std::move(row));
  }
  return {
      "Puzzles", std::move(table),
      fmt::format("Mates: the share of puzzles whose one right first move the player finds. That "
                  "it alone mates in so many moves, and that no mate is shorter, is proven by "
                  "all moves of both sides. Only moves: that of positions whose best move the "
                  "judge values {} centipawns or more above all others.",
                  kOnlyMoveGap)};
}

Section regret_players(const YardstickResult& result) {
  Table table{{{"player", Code},
               {"mean loss, %", Number},
               {"95 %", Number},
               {"positions", Number},
               {"losses above 30 %", Number}}};
  for (const PlayerYardsticks& player : result.players) {
    const auto count = static_cast<double>(player.losses.size());
    if (player.losses.empty()) continue;
    const double mean = std::accumulate(player.losses.begin(), player.losses.end(), 0.0) / count;
    double squares = 0;
    for (const double loss : player.losses)
      squares += (loss - mean) * (loss - mean);
    const double half = count > 1 ? 1.96 * std::sqrt(squares / (count - 1) / count) : kNoNumber;
    table.rows.push_back(
        {{player.player},
         number_cell(100 * mean, 2),
         count > 1 ? Cell{fmt::format("{:.2f} to {:.2f}", 100 * std::max(0.0, mean - half),
                                      100 * (mean + half))}
                   : Cell{"-"},
         count_cell(static_cast<std::int64_t>(player.losses.size())),
         count_cell(
             std::ranges::count_if(player.losses, [](double loss) { return loss > kBlunder; }))});
  }
  return {"Regret", std::move(table),
          fmt::format("Expected score (1 for a win, 1/2 for a draw) that the move gives away, in "
                      "hundredths, as the judge, {} per move, values it.",
                      result.judge)};
}

}  // namespace
}  // namespace yardstick_text

Document yardstick_document(const YardstickResult& result) {
  using namespace yardstick_text;
  Document document{.kind = "yardsticks", .title = "Yardsticks of " + result.variant};
  if (result.stopped)
    document.notices.emplace_back("It was stopped: there are fewer positions than asked for.");
  if (result.settings.endgames > 0 && result.sets.empty() && !result.stopped)
    document.notices.emplace_back(
        "No endgames: the tables need a board that stays as it is at the start.");
  document.sections = {figures(result), players(result)};
  if (!result.sets.empty()) {
    document.sections.push_back(endgame_players(result));
    document.sections.push_back(endgame_sets(result));
  }
  if (result.puzzle_games > 0 || result.only_move_games > 0)
    document.sections.push_back(puzzle_players(result));
  if (result.judged > 0) document.sections.push_back(regret_players(result));
  return document;
}

}  // namespace faultline
