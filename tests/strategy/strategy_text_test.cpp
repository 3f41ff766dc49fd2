// Strategies as TOML: what is read, and how mistakes are named.
#include "strategy/strategy_text.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::string& toml) {
  try {
    parse_strategy(toml, "s.toml");
  } catch (const StrategyError& error) {
    return error.what();
  }
  return "";
}

TEST(StrategyText, HoldsRulesWithConditionsAndWhatTheyDo) {
  const StrategyText text = parse_strategy(
      "description = 'plan'\n"
      "[[rules]]\n"
      "when = { piece = ['rook', 'queen'], ply = { at_most = 9 }, not = { captures = true } }\n"
      "prior = 2\n"
      "bonus = -0.5\n"
      "[[rules]]\n"
      "[rules.when]\n"
      "checks = false\n"
      "[rules.forbid]\n"
      "until_ply = 20\n"
      "until = { in_check = true }\n",
      "s.toml");
  EXPECT_EQ(text.description, "plan");
  ASSERT_EQ(text.rules.size(), 2U);
  const RuleText& first = text.rules[0];
  EXPECT_EQ(first.prior, 2);
  EXPECT_EQ(first.bonus, -0.5);
  EXPECT_FALSE(first.forbids);
  ASSERT_EQ(first.when.size(), 3U);
  for (const ConditionText& condition : first.when) {
    EXPECT_EQ(condition.negated, condition.name == "captures") << condition.name;
    EXPECT_EQ(condition.line, 3);
    if (condition.name == "piece") {
      ASSERT_EQ(condition.arguments.size(), 1U);
      EXPECT_EQ(condition.arguments[0].name, "");
      EXPECT_EQ(condition.arguments[0].values.size(), 2U);
    }
  }
  const RuleText& second = text.rules[1];
  EXPECT_EQ(second.when.at(0).name, "checks");
  EXPECT_TRUE(second.when.at(0).negated) << "false is the opposite";
  EXPECT_TRUE(second.forbids);
  EXPECT_EQ(second.until_ply, 20);
  EXPECT_EQ(second.until.at(0).name, "in_check");
}

TEST(StrategyText, NamesFileLineAndKeyOfMistakes) {
  const std::string rule = "[[rules]]\nwhen = { captures = true }\n";
  EXPECT_THAT(refusal(""), HasSubstr("s.toml: has no rules"));
  EXPECT_THAT(refusal("rule = 3"), StartsWith("s.toml:1: there is no key 'rule'"));
  EXPECT_THAT(refusal("rule = 3"), HasSubstr("did you mean 'rules'?"));
  EXPECT_THAT(refusal("rules = 3"), HasSubstr("'rules' is 3, but must be a list of tables"));
  EXPECT_THAT(refusal(rule), StartsWith("s.toml:1: the rule does nothing"));
  EXPECT_THAT(refusal("[[rules]]\nprior = 2\n"), HasSubstr("the rule has no 'when'"));
  EXPECT_THAT(refusal(rule + "piror = 2\n"),
              StartsWith("s.toml:3: there is no key 'piror'; keys are when, prior, bonus, forbid; "
                         "did you mean 'prior'?"));
  EXPECT_THAT(refusal(rule + "prior = 0\n"),
              HasSubstr("s.toml:3: 'prior' is 0, but must be a number, 0.001 to 1000"));
  EXPECT_THAT(refusal(rule + "prior = nan\n"), HasSubstr("must be a number"));
  EXPECT_THAT(refusal(rule + "bonus = 'big'\n"),
              HasSubstr("'bonus' is 'big', but must be a number, -2 to 2"));
  EXPECT_THAT(refusal(rule + "forbid = false\n"), HasSubstr("'forbid' is false, but must be true"));
  EXPECT_THAT(refusal(rule + "forbid = { until_ply = 0 }\n"),
              HasSubstr("'forbid.until_ply' is 0, but must be a whole number, 1 to 10000"));
  EXPECT_THAT(refusal(rule + "forbid = { ply = 3 }\n"), HasSubstr("there is no key 'ply'"));
  EXPECT_THAT(refusal(rule + "forbid = { until = {} }\n"), HasSubstr("'forbid.until' is empty"));
  EXPECT_THAT(refusal("[[rules]]\nwhen = { not = { not = { checks = true } } }\nprior = 2\n"),
              HasSubstr("'not' within 'not'"));
  EXPECT_THAT(refusal("[[rules]]\nwhen = { piece = [] }\nprior = 2\n"),
              HasSubstr("'piece' is an empty list"));
  EXPECT_THAT(refusal("[[rules]"), StartsWith("s.toml:1: not valid TOML"));
}

TEST(StrategyText, IsFoundByItsPathAndByItsNameInTheFolderOfStrategies) {
  const test::TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  std::filesystem::create_directories(kStrategyFolder);
  const auto kept = std::filesystem::path(kStrategyFolder) / "wait.toml";
  test::write_text(kept, "[[rules]]\nwhen = { captures = true }\nforbid = true\n");
  EXPECT_EQ(find_strategy("wait"), kept);
  EXPECT_EQ(find_strategy(kept.string()), kept);
  EXPECT_TRUE(load_strategy(kept).rules.at(0).forbids);
  try {
    find_strategy("wiat");
    ADD_FAILURE() << "found";
  } catch (const StrategyError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no strategy 'wiat'"));
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'wait'?"));
  }
  EXPECT_THROW(load_strategy("no/such/file.toml"), StrategyError);
  std::filesystem::current_path(before);
}

TEST(StrategyText, IsFoundNearTheFileThatNamesIt) {
  namespace fs = std::filesystem;
  const test::TemporaryFolder folder;
  const fs::path studies = folder.path() / "configs" / "studies";
  fs::create_directories(studies);
  fs::create_directories(folder.path() / kStrategyFolder);
  const auto kept = folder.path() / kStrategyFolder / "own-plan.toml";
  test::write_text(kept, "[[rules]]\nwhen = { captures = true }\nforbid = true\n");
  EXPECT_EQ(find_strategy("own-plan", studies), kept) << "beside the folder";
  EXPECT_EQ(find_strategy("own-plan", folder.path() / "a" / "b"), kept) << "above it";
  EXPECT_EQ(find_strategy("own-plan", folder.path() / "configs" / ""), kept);
  EXPECT_THROW(find_strategy("own-plan"), StrategyError);
  test::write_text(studies / "own-plan", "");
  EXPECT_EQ(find_strategy("own-plan", studies), studies / "own-plan") << "a file comes first";

  const auto before = fs::current_path();
  fs::current_path(folder.path());
  EXPECT_EQ(find_strategy("own-plan", "configs"), kept) << "from a relative folder";
  fs::current_path(before);
}

TEST(StrategyText, TheFolderOfTheSourcesIsFoundFromAnyFolder) {
  namespace fs = std::filesystem;
  const fs::path root = FAULTLINE_SOURCE_DIR;
  const fs::path build = FAULTLINE_BINARY_DIR;
  if (!build.string().starts_with(root.string() + "/")) GTEST_SKIP() << "built elsewhere";
  const test::TemporaryFolder folder;
  const auto before = fs::current_path();
  fs::current_path(folder.path());
  EXPECT_EQ(find_strategy("inferno-hold-back"), root / kStrategyFolder / "inferno-hold-back.toml");
  fs::current_path(before);
}

TEST(StrategyText, AMissingOneSaysWhereItWasLookedFor) {
  namespace fs = std::filesystem;
  const test::TemporaryFolder folder;
  fs::create_directories(folder.path() / kStrategyFolder);
  test::write_text(folder.path() / kStrategyFolder / "own-plan.toml", "");
  try {
    find_strategy("own-paln", folder.path() / "studies");
    ADD_FAILURE() << "found";
  } catch (const StrategyError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no strategy 'own-paln'"));
    EXPECT_THAT(error.what(), HasSubstr("own-paln.toml in configs/strategies of the current "
                                        "folder (" +
                                        fs::current_path().string() + ")"));
    EXPECT_THAT(error.what(), HasSubstr("the program's folder (" FAULTLINE_BINARY_DIR));
    EXPECT_THAT(error.what(), HasSubstr("in strategies or configs/strategies of " +
                                        (folder.path() / "studies").string()));
    EXPECT_THAT(error.what(), HasSubstr("configs/strategies has own-plan"));
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'own-plan'?"));
  }
}

}  // namespace
}  // namespace faultline
