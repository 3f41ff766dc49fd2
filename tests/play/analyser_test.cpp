// Searches by several threads on one tree, as engines and analyses run them.
#include "play/analyser.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "play/game.h"

namespace faultline {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kSmallest = std::size_t{1} << 20;

std::unique_ptr<GamePosition> position_of(const std::string& variant, const std::string& fen) {
  return find_game(variant).from_fen(fen);
}
std::unique_ptr<Analyser> analyser_of(const std::string& variant, int threads,
                                      std::size_t memory = kSmallest) {
  const Game& game = find_game(variant);
  return game.analyser({.threads = threads, .memory_bytes = memory}, game.uniform_evaluator());
}

std::string best(const GamePosition& position, const AnalysisReport& report) {
  return position.move_text(report.lines.at(0).moves.at(0));
}

TEST(Analyser, FindsMatesWithSeveralThreads) {
  // 1 Ra6 bxa6 2 b7#, a zugzwang (Morphy).
  const auto position = position_of("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
  for (const int threads : {1, 2, 4}) {
    const auto analyser = analyser_of("chess", threads);
    const AnalysisReport report = analyser->analyse(*position, {.visits = 4000}, 1, nullptr);
    EXPECT_EQ(best(*position, report), "a1a6") << threads;
    EXPECT_EQ(report.lines[0].mate_plies, 3) << threads;
    EXPECT_EQ(report.lines[0].moves.size(), 3U);
    EXPECT_EQ(report.lines[0].value.win, 1.0F);
  }
}

TEST(Analyser, SeesThatItIsMated) {
  const auto position = position_of("chess", "7k/8/6K1/8/8/8/8/R7 b - - 0 1");
  const auto report = analyser_of("chess", 2)->analyse(*position, {.visits = 3000}, 1, nullptr);
  EXPECT_EQ(report.lines.at(0).mate_plies, -2) << "1 … Kg8 2 Ra8#";
  EXPECT_EQ(report.value.loss, 1.0F);
  EXPECT_EQ(report.lines[0].moves.size(), 2U);
}

TEST(Analyser, ClaimsNoMateForMovesThatItDidNotSearch) {
  // Mate in one by a1a8; the king's moves prove nothing about the position.
  const auto position = position_of("chess", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
  const auto analyser = analyser_of("chess", 1);
  SearchLimits limits{.visits = 500};
  limits.search_moves = {position->parse_move("h1g1").value(),
                         position->parse_move("h1g2").value()};
  const AnalysisReport some = analyser->analyse(*position, limits, 5, nullptr);
  ASSERT_EQ(some.lines.size(), 2U);
  for (const AnalysisLine& line : some.lines) {
    EXPECT_NE(std::ranges::find(limits.search_moves, line.moves.at(0)), limits.search_moves.end());
    EXPECT_FALSE(line.mate_plies);
  }
  EXPECT_EQ(some.lines[0].visits + some.lines[1].visits + 1, some.visits);
  const AnalysisReport all = analyser->analyse(*position, {.visits = 500}, 1, nullptr);
  EXPECT_EQ(best(*position, all), "a1a8");
  EXPECT_EQ(all.lines[0].mate_plies, 1);
  EXPECT_EQ(all.nodes, 500U) << "a root with only some of its moves is not reused";
}

TEST(Analyser, ValuesARootByTheRequestedMovesAlone) {
  // The requested move loses the queen, of which the root's own evaluation knows nothing.
  const Game& game = find_game("chess");
  const auto position = position_of("chess", "6k1/5ppp/8/3q4/8/8/3R1PPP/6K1 b - - 0 1");
  const auto analyser = game.analyser({.memory_bytes = kSmallest}, game.material_evaluator());
  SearchLimits limits{.visits = 3};
  limits.search_moves = {position->parse_move("h7h6").value()};
  const AnalysisReport report = analyser->analyse(*position, limits, 1, nullptr);
  EXPECT_EQ(report.lines[0].visits, 2U);
  EXPECT_NEAR(report.value.value(), report.lines[0].value.value(), 1e-6F);
  EXPECT_LT(report.value.value(), 0.2F);
}

TEST(Analyser, ReportsTheMateOfRequestedMovesThatAllLose) {
  const auto position = position_of("chess", "7k/5K2/8/6Q1/8/8/8/6r1 b - - 0 1");
  SearchLimits limits{.visits = 3000, .depth = 6};
  limits.search_moves = {position->parse_move("h8h7").value()};
  const std::shared_ptr<Analyser> analysers[] = {analyser_of("chess", 1),
                                                 find_game("chess").alpha_beta_analyser({})};
  for (const auto& analyser : analysers) {
    const AnalysisReport report = analyser->analyse(*position, limits, 2, nullptr);
    ASSERT_EQ(report.lines.size(), 1U);
    EXPECT_EQ(report.lines[0].mate_plies, -2);
    EXPECT_EQ(report.value.loss, 1);
  }
}

TEST(AlphaBetaAnalyser, ReportsEachDepthAndStopsAtAMate) {
  const Game& game = find_game("chess");
  const auto analyser = game.alpha_beta_analyser({.memory_bytes = kSmallest});
  const auto position = position_of("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
  std::vector<int> depths;
  const AnalysisReport last = analyser->analyse(
      *position, {}, 1, [&](const AnalysisReport& report) { depths.push_back(report.depth); });
  EXPECT_EQ(best(*position, last), "a1a6");
  EXPECT_EQ(last.lines[0].mate_plies, 3);
  ASSERT_GE(depths.size(), 3U);
  for (std::size_t i = 0; i < depths.size(); ++i)
    EXPECT_EQ(depths[i], static_cast<int>(i) + 1);
  EXPECT_LE(last.hash_permille, 1000);
}

TEST(AlphaBetaAnalyser, SearchesOnWhereSomeLinesLose) {
  const Game& game = find_game("chess");
  const auto analyser = game.alpha_beta_analyser({.memory_bytes = kSmallest});
  const auto position = game.start();
  for (const char* move : {"f2f3", "e7e5"})
    position->play(position->parse_move(move).value());
  // g2g4 is mated at once, other moves are not.
  const AnalysisReport report = analyser->analyse(*position, {.depth = 5}, 20, nullptr);
  EXPECT_EQ(report.depth, 5);
  ASSERT_GE(report.lines.size(), 19U);
  for (std::size_t i = 1; i < report.lines.size(); ++i)
    EXPECT_GE(report.lines[i - 1].value.value(), report.lines[i].value.value()) << i;
  EXPECT_EQ(position->move_text(report.lines.back().moves.front()), "g2g4");
}

TEST(AlphaBetaAnalyser, SearchesSeveralLinesWithinItsLimits) {
  const Game& game = find_game("gardner");
  const auto analyser = game.alpha_beta_analyser({.memory_bytes = kSmallest});
  const auto start = game.start();
  const AnalysisReport deep = analyser->analyse(*start, {.depth = 4}, 3, nullptr);
  ASSERT_EQ(deep.lines.size(), 3U);
  EXPECT_EQ(deep.depth, 4);
  EXPECT_NE(deep.lines[0].moves[0], deep.lines[1].moves[0]);
  EXPECT_NE(deep.lines[1].moves[0], deep.lines[2].moves[0]);
  EXPECT_GE(deep.lines[0].value.value(), deep.lines[1].value.value());
  SearchLimits limits{.depth = 3};
  limits.search_moves = {deep.lines[2].moves[0]};
  const AnalysisReport one = analyser->analyse(*start, limits, 3, nullptr);
  ASSERT_EQ(one.lines.size(), 1U);
  EXPECT_EQ(one.lines[0].moves[0], limits.search_moves[0]);
  const AnalysisReport few = analyser->analyse(*start, {.nodes = 5000}, 1, nullptr);
  EXPECT_GT(few.nodes, 1000U);
  EXPECT_LT(few.nodes, 10000U);
  std::atomic<bool> stop = false;
  const AnalysisReport stopped = analyser->analyse(
      *start, {.stop = &stop}, 1, [&](const AnalysisReport& report) { stop = report.depth == 3; });
  EXPECT_EQ(stopped.depth, 3);
  EXPECT_THROW(game.alpha_beta_analyser({.memory_bytes = 1000}), std::invalid_argument);
}

class AnalyserOfEveryGame : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Games, AnalyserOfEveryGame,
                         testing::Values("chess", "gardner", "escher", "slanted", "earthquake",
                                         "inferno", "shifting"));

TEST_P(AnalyserOfEveryGame, ReportsLinesThatCanBePlayed) {
  const Game& game = find_game(GetParam());
  const auto start = game.start();
  const auto analyser = analyser_of(GetParam(), 2);
  const AnalysisReport report = analyser->analyse(*start, {.visits = 3000}, 4, nullptr);
  ASSERT_EQ(report.lines.size(), 4U);
  EXPECT_EQ(report.visits, 3000U);
  EXPECT_EQ(report.nodes, 3000U);
  EXPECT_GT(report.evaluations, 0U);
  EXPECT_GE(report.depth, 1);
  EXPECT_GE(report.selective_depth, report.depth);
  EXPECT_GT(report.hash_permille, 0);
  EXPECT_LE(report.hash_permille, 1000);
  EXPECT_NEAR(report.value.win + report.value.draw + report.value.loss, 1, 1e-5F);
  for (std::size_t i = 0; i < report.lines.size(); ++i) {
    const AnalysisLine& line = report.lines[i];
    EXPECT_LE(line.visits, report.lines[i == 0 ? 0 : i - 1].visits);
    const auto position = start->clone();
    for (const Move move : line.moves) {
      const auto legal = position->legal_moves();
      ASSERT_NE(std::ranges::find(legal, move), legal.end());
      position->play(move);
    }
    EXPECT_NEAR(line.value.win + line.value.draw + line.value.loss, 1, 1e-5F);
  }
}

TEST_P(AnalyserOfEveryGame, ReusesItsTreeWhileTheGameGoesOnAndForgetsItWhenAsked) {
  const Game& game = find_game(GetParam());
  const auto position = game.start();
  const auto analyser = analyser_of(GetParam(), 2, 16 * kSmallest);
  const AnalysisReport first = analyser->analyse(*position, {.visits = 4000}, 1, nullptr);
  const AnalysisReport again = analyser->analyse(*position, {.visits = 5000}, 1, nullptr);
  EXPECT_EQ(again.nodes, 1000U);
  EXPECT_EQ(again.visits, 5000U);
  ASSERT_GE(again.lines[0].moves.size(), 2U);
  position->play(again.lines[0].moves[0]);
  const AnalysisReport next = analyser->analyse(*position, {.new_visits = 10}, 1, nullptr);
  EXPECT_EQ(next.nodes, 10U);
  EXPECT_LE(next.visits, again.lines[0].visits + 10);
  EXPECT_GT(next.visits, 10U);
  const AnalysisReport back = analyser->analyse(*game.start(), {.visits = 100}, 1, nullptr);
  EXPECT_EQ(back.nodes, 100U) << "another game";
  analyser->clear();
  const AnalysisReport cleared = analyser->analyse(*game.start(), {.visits = 100}, 1, nullptr);
  EXPECT_EQ(cleared.nodes, 100U);
  EXPECT_EQ(first.visits, 4000U);
}

TEST_P(AnalyserOfEveryGame, GoesOnWithoutGrowingWhenItsMemoryIsFull) {
  const auto start = find_game(GetParam()).start();
  const auto analyser = analyser_of(GetParam(), 2);
  const AnalysisReport full = analyser->analyse(*start, {.visits = 40000}, 1, nullptr);
  EXPECT_GT(full.hash_permille, 900);
  const AnalysisReport more = analyser->analyse(*start, {.visits = 80000}, 1, nullptr);
  EXPECT_EQ(more.visits, 80000U);
  EXPECT_EQ(more.evaluations, 0U);
  EXPECT_EQ(more.hash_permille, full.hash_permille);
}

TEST(Analyser, CountsNodesAsNewVisits) {
  const auto start = find_game("chess").start();
  const auto analyser = analyser_of("chess", 2);
  for (const std::uint32_t before : {0U, 300U}) {
    const AnalysisReport report = analyser->analyse(*start, {.nodes = 300}, 1, nullptr);
    EXPECT_EQ(report.nodes, 300U);
    EXPECT_EQ(report.visits, before + 300);
  }
}

TEST(Analyser, ReportsFromTheCallingThreadWhileItSearches) {
  const auto start = find_game("chess").start();
  const auto analyser = analyser_of("chess", 2);
  std::atomic<bool> stop = false;
  int reports = 0;
  std::uint32_t visits = 0;
  const auto caller = std::this_thread::get_id();
  const AnalysisReport last = analyser->analyse(
      *start, {.stop = &stop}, 2,
      [&](const AnalysisReport& report) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        EXPECT_EQ(report.lines.size(), 2U);
        EXPECT_GE(report.visits, visits);
        visits = report.visits;
        if (++reports == 5) stop = true;  // others may follow before the search has ended
      },
      milliseconds(1));
  EXPECT_GE(reports, 5);
  EXPECT_GE(last.visits, visits);
}

TEST(Analyser, GivesAResultWhenItIsStoppedAtOnce) {
  const auto start = find_game("chess").start();
  const std::atomic<bool> stop = true;
  const AnalysisReport report =
      analyser_of("chess", 2)->analyse(*start, {.stop = &stop}, 1, nullptr);
  ASSERT_EQ(report.lines.size(), 1U);
  EXPECT_EQ(report.lines[0].moves.size(), 1U);
  EXPECT_EQ(report.visits, 1U);
}

TEST(Analyser, EndsTheSearchWhenAReportThrows) {
  const auto start = find_game("chess").start();
  const auto analyser = analyser_of("chess", 2);
  const auto fail = [](const AnalysisReport&) { throw std::runtime_error("the pipe is closed"); };
  EXPECT_THROW(analyser->analyse(*start, {}, 1, fail, milliseconds(1)), std::runtime_error);
  EXPECT_EQ(analyser->analyse(*start, {.new_visits = 5}, 1, nullptr).nodes, 5U);
}

TEST(Analyser, RefusesWhatItCannotAnalyse) {
  const Game& game = find_game("chess");
  const auto analyser = analyser_of("chess", 1);
  const auto mated = position_of("chess", "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1");
  EXPECT_THROW(analyser->analyse(*mated, {.visits = 1}, 1, nullptr), std::invalid_argument);
  SearchLimits limits{.visits = 1};
  limits.search_moves = {Move(20, 44)};
  EXPECT_THROW(analyser->analyse(*game.start(), limits, 1, nullptr), std::invalid_argument);
  EXPECT_THROW(analyser_of("chess", 1, kSmallest - 1), std::invalid_argument);
}

}  // namespace
}  // namespace faultline
