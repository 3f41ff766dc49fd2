// From a clock to a thinking time.
#include "engine/time_management.h"

#include <chrono>
#include <limits>

#include <gtest/gtest.h>

#include "engine/engine_strength.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr milliseconds kNone = 0ms;

AnalysisReport report_of(std::uint32_t best, std::uint32_t second, float best_win = 0.5F,
                         float second_win = 0.4F) {
  const auto line = [](std::uint32_t visits, float win) {
    return AnalysisLine{
        .moves = {}, .value = {.win = win, .draw = 0, .loss = 1 - win}, .visits = visits};
  };
  AnalysisReport report;
  report.lines = {line(best, best_win), line(second, second_win)};
  report.nodes = best + second;
  return report;
}

TEST(TimeManagement, NeverExceedsWhatRemainsAfterTheOverhead) {
  const long long values[] = {std::numeric_limits<long long>::min() / 4'000'000,
                              -1,
                              0,
                              1,
                              2,
                              10,
                              29,
                              30,
                              31,
                              100,
                              1000,
                              60'000,
                              3'600'000,
                              std::numeric_limits<long long>::max() / 4'000'000};
  for (const long long remaining : values)
    for (const long long increment : values)
      for (const long long overhead : values)
        for (const int moves : {-5, 0, 1, 2, 40, std::numeric_limits<int>::max()}) {
          const TimeBudget budget = clock_budget({.remaining = milliseconds(remaining),
                                                  .increment = milliseconds(increment),
                                                  .moves_to_go = moves},
                                                 milliseconds(overhead));
          EXPECT_GE(budget.aim, kNone);
          EXPECT_GE(budget.limit, budget.aim);
          const auto rest = std::max(0LL, std::max(0LL, remaining) - std::max(0LL, overhead));
          EXPECT_LE(budget.limit.count(), rest)
              << remaining << " + " << increment << ", overhead " << overhead << ", " << moves;
        }
}

TEST(TimeManagement, UsesSomeOfTheClockAndLeavesMostOfIt) {
  const TimeBudget budget = clock_budget({.remaining = 60s}, 30ms);
  EXPECT_GT(budget.aim, 1s);
  EXPECT_LT(budget.aim, 4s);
  EXPECT_GT(budget.limit, budget.aim);
  EXPECT_LE(budget.limit, 30s);
}

TEST(TimeManagement, AThousandMovesOnASuddenDeathClockStayWithinIt) {
  milliseconds remaining = 1000ms;
  for (int move = 0; move < 1000; ++move) {
    const TimeBudget budget = clock_budget({.remaining = remaining}, 30ms);
    remaining -= budget.limit;
    ASSERT_GE(remaining, 30ms) << "after move " << move + 1;
  }
}

TEST(TimeManagement, SpendsAnIncrementThatIsAdded) {
  const TimeBudget without = clock_budget({.remaining = 10s}, kNone);
  const TimeBudget with = clock_budget({.remaining = 10s, .increment = 1s}, kNone);
  EXPECT_GE(with.aim, without.aim + 700ms);
  EXPECT_LE(with.aim, without.aim + 1s);
}

TEST(TimeManagement, AReserveRemainsWhereTheOverheadExceedsTheIncrement) {
  milliseconds remaining = 1000ms;
  for (int move = 0; move < 300; ++move) {
    remaining -= clock_budget({.remaining = remaining, .increment = 10ms}, 30ms).aim;
    ASSERT_GT(remaining, 200ms) << "after move " << move + 1;
    remaining += 10ms;
  }
}

TEST(TimeManagement, DividesTheClockByTheMovesToGo) {
  const TimeBudget ten = clock_budget({.remaining = 20s, .moves_to_go = 10}, kNone);
  EXPECT_EQ(ten.aim, 2s);
  const TimeBudget last = clock_budget({.remaining = 20s, .moves_to_go = 1}, kNone);
  EXPECT_GT(last.aim, 15s);
  EXPECT_LT(last.limit, 20s);
}

TEST(TimeManagement, AFallenFlagLeavesNoTime) {
  const TimeBudget budget = clock_budget({.remaining = -500ms}, 30ms);
  EXPECT_EQ(budget.aim, kNone);
  EXPECT_EQ(budget.limit, kNone);
}

TEST(TimeManagement, AFixedTimeLosesTheOverheadButAtMostHalf) {
  EXPECT_EQ(fixed_budget(1000ms, 30ms), 970ms);
  EXPECT_EQ(fixed_budget(40ms, 30ms), 20ms);
  EXPECT_EQ(fixed_budget(0ms, 30ms), kNone);
  EXPECT_EQ(fixed_budget(-1000ms, 30ms), kNone);
}

TEST(TimeManagement, ASearchEndsAtItsAimUnlessAnotherMoveHasBecomeBetter) {
  const TimeBudget budget{.aim = 1000ms, .limit = 3000ms};
  EXPECT_FALSE(should_end(budget, 990ms, report_of(500, 495)));
  EXPECT_TRUE(should_end(budget, 1000ms, report_of(500, 495)));
  EXPECT_FALSE(should_end(budget, 1000ms, report_of(500, 495, 0.4F, 0.6F)));
  EXPECT_TRUE(should_end(budget, 3000ms, report_of(500, 495, 0.4F, 0.6F)));
}

TEST(TimeManagement, AThirdMoveThatHasBecomeBetterProlongsASearchToo) {
  const TimeBudget budget{.aim = 1000ms, .limit = 3000ms};
  AnalysisReport report = report_of(500, 300);
  report.lines.push_back(report_of(200, 0, 0.7F).lines.front());
  EXPECT_FALSE(should_end(budget, 1000ms, report));
  report.lines.back().value = report.lines.front().value;
  EXPECT_TRUE(should_end(budget, 1000ms, report));
}

TEST(TimeManagement, ASearchEndsOnceEveryOtherMoveIsProvenToLose) {
  const TimeBudget budget{.aim = 1000ms, .limit = 3000ms};
  AnalysisReport report = report_of(20, 480);  // which was taken for the best until it was refuted
  EXPECT_FALSE(should_end(budget, 200ms, report));
  report.lines[1].mate_plies = -4;
  EXPECT_TRUE(should_end(budget, 200ms, report));
  report.lines.insert(report.lines.begin() + 1, report_of(15, 0).lines.front());
  EXPECT_FALSE(should_end(budget, 200ms, report)) << "a choice is left";
  for (AnalysisLine& line : report.lines)
    line.mate_plies = -6;
  EXPECT_FALSE(should_end(budget, 200ms, report)) << "a longer line may turn up";
}

TEST(TimeManagement, ASearchEndsEarlyOnceNoOtherMoveCanCatchUp) {
  const TimeBudget budget{.aim = 1000ms, .limit = 3000ms};
  EXPECT_TRUE(should_end(budget, 600ms, report_of(900, 100)));
  EXPECT_FALSE(should_end(budget, 400ms, report_of(900, 100)));
  EXPECT_FALSE(should_end(budget, 50ms, report_of(40, 0))) << "too early to tell";
}

TEST(TimeManagement, ADeepeningSearchStartsNoIterationThatItCannotFinish) {
  const TimeBudget budget{.aim = 1000ms, .limit = 3000ms};
  EXPECT_FALSE(should_end(budget, 400ms, report_of(0, 0)));
  EXPECT_TRUE(should_end(budget, 600ms, report_of(0, 0)));
}

TEST(EngineStrength, GrowsWithElo) {
  Strength last = strength_for(kWeakestElo);
  EXPECT_EQ(last.visits, 1U);
  for (int elo = kWeakestElo + 50; elo <= kStrongestElo; elo += 50) {
    const Strength next = strength_for(elo);
    EXPECT_GE(next.visits, last.visits) << elo;
    EXPECT_LT(next.temperature, last.temperature) << elo;
    last = next;
  }
  EXPECT_EQ(last.temperature, 0.0F);
}

TEST(EngineStrength, TakesTheNearestForAnEloOutOfRange) {
  EXPECT_EQ(strength_for(-1000).visits, strength_for(kWeakestElo).visits);
  EXPECT_EQ(strength_for(100'000).visits, strength_for(kStrongestElo).visits);
}

}  // namespace
}  // namespace faultline
