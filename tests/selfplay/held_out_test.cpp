// Losses on arriving games, and the warnings that follow from what a run plays.
#include "selfplay/held_out.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "selfplay/run_warnings.h"
#include "tests/selfplay/fake_trainer.h"

namespace faultline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(HeldOutLosses, AreMeansOfWhatArrivedLately) {
  HeldOutLosses mean;
  mean.add({.positions = 100, .value = 1, .wdl = {1, 0, 0}});
  mean.add({.positions = 300, .value = 0.5, .wdl = {0, 0, 1}});
  EXPECT_DOUBLE_EQ(mean.positions, 400);
  EXPECT_DOUBLE_EQ(mean.value, 0.625);
  EXPECT_DOUBLE_EQ(mean.constant_value(), -0.25 * std::log(0.25) - 0.75 * std::log(0.75));
  for (int i = 0; i < 100; ++i)
    mean.add({.positions = 300, .value = 2}, 1'000);
  EXPECT_NEAR(mean.value, 2, 1e-3) << "the old fades";
  EXPECT_LE(mean.positions, 1'000);
}

TEST(HeldOut, EvaluatesOneInEightPositionsBeforeTheyAreLearned) {
  test::FakeTrainer trainer(0);
  const GameDecoder decoder("escher", {});
  HeldOut held_out(trainer.planes(), 4);
  std::size_t positions = 0, evaluated = 0;
  for (std::uint64_t number = 0; number < 6; ++number) {
    const GameSamples game =
        decoder.decode(test::random_game<EscherPosition>(test::escher(), number, 40));
    positions += game.size();
    if (const auto losses = held_out.add(game, trainer)) {
      EXPECT_EQ(losses->value, 0.5);
      EXPECT_GE(losses->positions, 4);
      EXPECT_NEAR(losses->wdl[0] + losses->wdl[1] + losses->wdl[2], 1, 1e-6);
      evaluated += static_cast<std::size_t>(losses->positions);
    }
  }
  EXPECT_GT(evaluated, positions / 16);
  EXPECT_LE(evaluated, positions / 8);
}

class RunWarnings : public testing::Test {
 protected:
  RunWarnings() {
    for (int i = 0; i < 300; ++i)
      recent_.games.add(false, i % 2 == 0);
    recent_.held_out.add({.positions = 6'000, .value = 0.6, .wdl = {0.4, 0.2, 0.4}});
  }
  std::vector<std::string> warnings(std::int64_t steps = 1'000) const {
    return run_warnings(400, recent_, steps);
  }
  RecentPlay recent_;
};

TEST_F(RunWarnings, AHealthyRunHasNone) {
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(RunWarnings, GamesThatAreCut) {
  for (int i = 0; i < 120; ++i)
    recent_.games.add(true, false);
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("selfplay.max_plies (400)")));
  EXPECT_THAT(warnings(100), IsEmpty()) << "the first games prove nothing";
}

TEST_F(RunWarnings, GamesThatAreDrawn) {
  for (int i = 0; i < 3'000; ++i)
    recent_.games.add(false, true);
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("drawn by the rules")));
}

TEST_F(RunWarnings, LossesThatNoGuessHasFromTheFirstReport) {
  const auto diverges = ElementsAre(HasSubstr("training diverges"));
  recent_.held_out.add({.positions = 256, .policy = 1e13, .value = 1});
  EXPECT_THAT(warnings(1), diverges);
  recent_.held_out.add({.positions = 256, .policy = 2, .value = 0.5});
  EXPECT_THAT(warnings(1), IsEmpty()) << "the mean recovers with the network";
  recent_.training_loss = 1e9;
  EXPECT_THAT(warnings(1), diverges);
}

TEST_F(RunWarnings, AValueLossNotBelowAConstants) {
  recent_.held_out.value = recent_.held_out.constant_value();
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("held_out_value")));
}

}  // namespace
}  // namespace faultline
