// Tables of strength: what they keep, refuse and show.
#include "lab/strength.h"

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/experiment.h"
#include "lab/match_json.h"
#include "lab/players.h"
#include "rules/families.h"
#include "tests/document_parts.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::HasSubstr;

StrengthSettings settings() {
  return {.variant = "gardner",
          .net = "runs/g/nets/000500.pt",
          .weights = "0123456789abcdef",
          .limits = "800 visits",
          .search = "runs/g/config.toml",
          .openings = "random:4",
          .adjudication = "",
          .seed = 1,
          .max_plies = 300};
}

/// A result of `pairs` pairs of games, all won by the net as White and lost as Black.
StrengthRow row(const std::string& opponent, int pairs) {
  MatchConfig config;
  config.games = 2 * pairs;
  MatchCounter counter(config);
  for (int number = 0; number < config.games; ++number) {
    MatchGame game;
    game.number = number;
    game.first_colour = number % 2 == 0 ? Colour::White : Colour::Black;
    game.outcome = Outcome::WhiteWins;
    counter.add(game);
  }
  return {.opponent = opponent,
          .result = to_json(counter.result()),
          .seconds = 12,
          .processor = "a processor, 2 cores"};
}

TEST(Strength, AMatchIsOneSidedOnceTheIntervalSaysSo) {
  MatchConfig config;
  config.games = 400;
  MatchCounter counter(config);
  const auto add = [&](bool first_wins) {
    MatchGame game;
    game.number = counter.result().finished;
    game.first_colour = game.number % 2 == 0 ? Colour::White : Colour::Black;
    game.outcome = first_wins == (game.first_colour == Colour::White) ? Outcome::WhiteWins
                                                                      : Outcome::BlackWins;
    counter.add(game);
  };
  int lost = 0;
  for (; !is_one_sided(counter.result()) && lost < 400; ++lost)
    add(false);
  EXPECT_GE(lost, 40);
  EXPECT_LT(lost, 120);
  for (int won = 0; won < 6; ++won)
    add(true);
  EXPECT_FALSE(is_one_sided(counter.result()));
}

TEST(Strength, ARowThatWasStoppedEarlyIsKeptAndSaysSo) {
  const test::TemporaryFolder folder;
  StrengthTable table(settings(), std::nullopt);
  table.set(row("alphabeta?depth=6", 20));
  EXPECT_EQ(table.find("alphabeta?depth=6", 400), nullptr);
  StrengthRow early = row("alphabeta?depth=6", 20);
  early.stopped_early = true;
  table.set(early);
  EXPECT_NE(table.find("alphabeta?depth=6", 400, true), nullptr);
  EXPECT_EQ(table.find("alphabeta?depth=6", 400), nullptr);  // all are asked for
  table.save(folder.path() / "t.json");
  const StrengthTable read = StrengthTable::load(folder.path() / "t.json");
  EXPECT_NE(read.find("alphabeta?depth=6", 400, true), nullptr);
  EXPECT_THAT(read.document().sections[0].note, HasSubstr("below 5 % or above 95 %"));
}

TEST(Strength, TablesAreReadBackAsTheyWereSaved) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "strength.json";
  StrengthTable table(settings(), TrainingCost{.steps = 500,
                                               .games = 1000,
                                               .positions = 20000,
                                               .evaluations = 1234567,
                                               .seconds = 600,
                                               .cpu_seconds = 1200});
  table.set(row("alphabeta?depth=1", 10));
  table.set(row("uci:fairy-stockfish?nodes=100", 20));
  table.save(file);
  const StrengthTable again = StrengthTable::load(file);
  const std::string text = document_text(again.document());
  EXPECT_EQ(text, document_text(table.document()));
  EXPECT_THAT(text,
              AllOf(HasSubstr("# gardner\n"), HasSubstr("10:00 (20:00 of CPU time) with 1,234,567"),
                    HasSubstr("a processor, 2 cores")));
  EXPECT_THAT(
      test::rows_in(again.document(), "Strength")[0],
      testing::ElementsAre("alphabeta?depth=1", "20", "+10 =0 -10", testing::StartsWith("50.0 % ("),
                           testing::StartsWith("+0 ("), "0"));
}

TEST(Strength, OnlyRowsWithTooFewGamesArePlayedAgain) {
  StrengthTable table(settings(), std::nullopt);
  table.set(row("alphabeta?depth=1", 10));
  EXPECT_NE(table.find("alphabeta?depth=1", 20), nullptr);
  EXPECT_EQ(table.find("alphabeta?depth=1", 22), nullptr);
  EXPECT_EQ(table.find("alphabeta?depth=2", 2), nullptr);
  table.set(row("alphabeta?depth=1", 20));
  EXPECT_EQ(table.rows().size(), 1U);
  EXPECT_NE(table.find("alphabeta?depth=1", 40), nullptr);
}

TEST(Strength, ResultsOfOtherSettingsAreKeptApart) {
  const StrengthTable table(settings(), std::nullopt);
  EXPECT_NO_THROW(table.require_same(settings(), "s.json"));
  StrengthSettings reordered = settings();
  reordered.search = "defaults: solver=false cpuct=2";
  const StrengthTable older(reordered, std::nullopt);
  reordered.search = "defaults: cpuct=2 solver=false";
  EXPECT_NO_THROW(older.require_same(reordered, "s.json")) << "an older program's order";
  StrengthSettings other = settings();
  other.limits = "100 visits";
  try {
    table.require_same(other, "s.json");
    FAIL() << "other limits were taken for the same";
  } catch (const ExperimentError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("s.json"),
                                    HasSubstr("limits = \"800 visits\", not \"100 visits\"")));
  }
}

TEST(Strength, FilesThatAreNoTablesAreRefusedByName) {
  const test::TemporaryFolder folder;
  for (const char* text : {"", "{", "[]", "{}", "{\"format\": 2}",
                           "{\"format\": 1, \"variant\": 3}", "{\"format\": 1}"}) {
    const std::string file = folder.write("s.json", text);
    try {
      StrengthTable::load(file);
      ADD_FAILURE() << "was read: " << text;
    } catch (const ExperimentError& error) {
      EXPECT_THAT(error.what(), HasSubstr("s.json: ")) << text;
    }
  }
  EXPECT_THROW(StrengthTable::load(folder.path() / "absent.json"), ExperimentError);
}

TEST(Strength, TheCostOfANetEndsWithItsSteps) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "metrics.jsonl")
      << R"({"steps": 10, "games": 5, "positions": 50, "seconds": 10, "interval": 10, "evaluations_per_second": 100})"
      << "\n{\"torn\n"
      << R"({"steps": 20, "games": 9, "positions": 90, "seconds": 20, "cpu_seconds": 35.5, "interval": 10, "evaluations_per_second": 300})"
      << '\n'
      << R"({"steps": 30, "games": 20, "positions": 200, "seconds": 30, "interval": 10, "evaluations_per_second": 300})"
      << '\n';
  const auto cost = training_cost(folder.path(), 20);
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->steps, 20);
  EXPECT_EQ(cost->games, 9);
  EXPECT_DOUBLE_EQ(cost->evaluations, 4000);
  EXPECT_DOUBLE_EQ(cost->seconds, 20);
  EXPECT_DOUBLE_EQ(cost->cpu_seconds, 35.5);
  EXPECT_FALSE(training_cost(folder.path() / "absent", 20));
  std::ofstream(folder.path() / "metrics.jsonl", std::ios::app)
      << R"({"steps": 22, "seconds": 24, "interval": 4, "evaluations_per_second": 100, "resumed_at_step": 20})"
      << '\n';
  const auto resumed = training_cost(folder.path(), 22);
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->steps, 22) << "and not the 30 that the killed session had reached";
  EXPECT_DOUBLE_EQ(resumed->evaluations, 4400);

  const auto untrained = training_cost(folder.path(), 0);
  ASSERT_TRUE(untrained);
  EXPECT_EQ(untrained->games, 0);
  EXPECT_EQ(untrained->positions, 0);
  EXPECT_DOUBLE_EQ(untrained->evaluations, 0);
}

TEST(Strength, EveryFixedOpponentIsAPlayer) {
  for (const FamilyInfo* family : all_families()) {
    const std::vector<std::string> opponents = fixed_opponents(family->name);
    EXPECT_GE(opponents.size(), 8U) << family->name;
    for (const std::string& opponent : opponents)
      EXPECT_TRUE(limits_of(find_player(opponent), {}).any() || opponent.starts_with("uci:"))
          << opponent;
  }
}

}  // namespace
}  // namespace faultline
