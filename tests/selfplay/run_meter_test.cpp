// The meter: the figures of each report's interval, with a clock that the test advances.
#include "selfplay/run_meter.h"

#include <chrono>

#include <gtest/gtest.h>

namespace faultline {
namespace {

using std::chrono::seconds;

class Meter : public testing::Test {
 protected:
  void pass(int amount) { now_ += seconds(amount); }
  RunReport report() {
    RunReport report;
    meter_.finish_interval(report);
    return report;
  }

  RunMeter::Clock::time_point now_{seconds(1000)};
  ActorCounts counts_;
  RunMeter meter_{counts_, [this] { return now_; }};
};

TEST_F(Meter, APauseWithinAnIntervalIsItsShare) {
  meter_.start();
  pass(2);
  meter_.actors_paused();
  pass(3);
  meter_.actors_resumed();
  pass(5);
  EXPECT_EQ(meter_.seconds_since_report(), 10);
  EXPECT_DOUBLE_EQ(report().actors_paused, 0.3);
  pass(4);
  EXPECT_EQ(report().actors_paused, 0);
}

TEST_F(Meter, APauseAcrossAReportCountsInBothIntervals) {
  meter_.start();
  pass(6);
  meter_.actors_paused();
  pass(4);
  EXPECT_DOUBLE_EQ(report().actors_paused, 0.4);
  pass(10);
  EXPECT_DOUBLE_EQ(report().actors_paused, 1.0);
  pass(1);
  meter_.actors_resumed();
  pass(3);
  EXPECT_DOUBLE_EQ(report().actors_paused, 0.25);
}

TEST_F(Meter, CountersCoverTheIntervalOnly) {
  meter_.start();
  counts_.moves = 10;
  counts_.searches_cut = 3;
  counts_.visits = 100;
  pass(2);
  const RunReport first = report();
  EXPECT_EQ(first.moves, 10U);
  EXPECT_EQ(first.searches_cut, 3U);
  counts_.moves = 13;
  pass(1);
  const RunReport second = report();
  EXPECT_EQ(second.interval, 1);
  EXPECT_EQ(second.moves, 3U);
  EXPECT_EQ(second.visits, 0U);
}

TEST_F(Meter, GamesAreCountedByOutcome) {
  meter_.start();
  for (const Outcome outcome :
       {Outcome::WhiteWins, Outcome::WhiteWins, Outcome::BlackWins, Outcome::Adjudicated}) {
    GameRecord game;
    game.plies.resize(10);
    game.outcome = outcome;
    meter_.add(game);
  }
  pass(1);
  const RunReport r = report();
  EXPECT_EQ(r.games, 4U);
  EXPECT_EQ(r.plies, 40U);
  EXPECT_EQ(r.white_wins, 2U);
  EXPECT_EQ(r.black_wins, 1U);
  EXPECT_EQ(r.cut, 1U);
  EXPECT_EQ(report().games, 0U);
}

TEST_F(Meter, LossesAreMeansOverTheSteps) {
  meter_.start();
  StepLosses losses;
  losses.total = 3;
  losses.policy = 2;
  meter_.add(losses);
  losses.total = 1;
  losses.policy = 1;
  meter_.add(losses);
  pass(1);
  const RunReport r = report();
  EXPECT_EQ(r.steps, 2);
  EXPECT_DOUBLE_EQ(r.losses.total, 2);
  EXPECT_DOUBLE_EQ(r.losses.policy, 1.5);
}

}  // namespace
}  // namespace faultline
