// Lines of UCI engines.
#include "engine/uci_engine_output.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

using Strings = std::vector<std::string>;

TEST(UciOption, ReadsASpinWithANameOfSeveralWords) {
  const auto option =
      parse_uci_option("option name Skill Level type spin default 20 min -20 max 20");
  ASSERT_TRUE(option);
  EXPECT_EQ(option->name, "Skill Level");
  EXPECT_EQ(option->type, UciOption::Type::Spin);
  EXPECT_EQ(option->default_value, "20");
  EXPECT_EQ(option->min, -20);
  EXPECT_EQ(option->max, 20);
}

TEST(UciOption, ReadsAComboWithValuesOfSeveralWords) {
  const auto option =
      parse_uci_option("option name Style type combo default Solid var Solid var Very Risky");
  ASSERT_TRUE(option);
  EXPECT_EQ(option->values, (Strings{"Solid", "Very Risky"}));
}

TEST(UciOption, IgnoresLinesThatAreNone) {
  EXPECT_FALSE(parse_uci_option("id name option"));
  EXPECT_FALSE(parse_uci_option("option"));
  EXPECT_FALSE(parse_uci_option("option name Hash"));
  EXPECT_FALSE(parse_uci_option("option name Hash type number"));
  EXPECT_FALSE(parse_uci_option("option name type spin"));
}

TEST(UciOption, SaysWhatItTakes) {
  const auto refused = [](const std::string& line, std::string_view value) {
    return why_refused(parse_uci_option("option name X type " + line).value(), value);
  };
  EXPECT_EQ(refused("spin default 1 min 0 max 20", "20"), "");
  EXPECT_EQ(refused("spin default 1 min 0 max 20", "21"), "a whole number from 0 to 20");
  EXPECT_EQ(refused("spin default 1", "many"), "a whole number");
  EXPECT_EQ(refused("check default true", "false"), "");
  EXPECT_EQ(refused("check default true", "on"), "true or false");
  EXPECT_EQ(refused("combo default a var a var b", "b"), "");
  EXPECT_EQ(refused("combo default a var a var b", "c"), "one of a, b");
  EXPECT_EQ(refused("button", "1"), "no value, it is a button");
  EXPECT_EQ(refused("string default", "anything"), "");
}

TEST(UciInfo, ReadsWhatStockfishPrints) {
  UciInfo info;
  EXPECT_TRUE(
      read_uci_info("info depth 5 seldepth 7 multipv 1 score cp -58 wdl 140 859 1 nodes 174 "
                    "nps 174000 hashfull 0 tbhits 0 time 1 pv d2d4 a7a6",
                    info));
  EXPECT_EQ(info.depth, 5);
  EXPECT_EQ(info.selective_depth, 7);
  EXPECT_EQ(info.centipawns, -58);
  EXPECT_FALSE(info.mate);
  EXPECT_EQ(info.wdl, (std::array{140, 859, 1}));
  EXPECT_EQ(info.nodes, 174U);
  EXPECT_EQ(info.nodes_per_second, 174000U);
  EXPECT_EQ(info.variation, (Strings{"d2d4", "a7a6"}));
}

TEST(UciInfo, ReplacesCentipawnsByAMate) {
  UciInfo info;
  read_uci_info("info depth 1 score cp 900 wdl 900 90 10 pv e2e4", info);
  read_uci_info("info depth 2 score mate -3 pv e2e4", info);
  EXPECT_EQ(info.mate, -3);
  EXPECT_FALSE(info.centipawns);
  EXPECT_FALSE(info.wdl);
}

TEST(UciInfo, PrefersExactScoresToBounds) {
  UciInfo info;
  read_uci_info("info depth 1 score cp 7 lowerbound nodes 10 pv a2a3", info);
  EXPECT_EQ(info.centipawns, 7) << "better than none";
  EXPECT_EQ(info.depth, 0) << "the iteration is not complete";
  read_uci_info("info depth 5 score cp 36 nodes 285 pv e2e3", info);
  read_uci_info("info depth 6 score cp 21 upperbound nodes 1001 pv e2e3 d4e3", info);
  EXPECT_EQ(info.depth, 5);
  EXPECT_EQ(info.centipawns, 36);
  EXPECT_EQ(info.nodes, 1001U);
}

TEST(UciInfo, FollowsTheFirstOfSeveralVariations) {
  UciInfo info;
  read_uci_info("info depth 3 multipv 1 score cp 50 nodes 100 pv e2e4", info);
  read_uci_info("info depth 3 multipv 2 score cp 20 nodes 120 pv d2d4", info);
  EXPECT_EQ(info.centipawns, 50);
  EXPECT_EQ(info.variation, Strings{"e2e4"});
  EXPECT_EQ(info.nodes, 120U);
}

TEST(UciInfo, SkipsWhatItDoesNotUnderstand) {
  UciInfo info;
  EXPECT_TRUE(
      read_uci_info("info colour blue depth x score cp 1e5 nodes -7 wdl 1 2 3000 nps", info));
  EXPECT_TRUE(read_uci_info("info string depth 9 score cp 100 nodes 5", info));
  EXPECT_EQ(info.depth, 0);
  EXPECT_EQ(info.nodes, 0U);
  EXPECT_FALSE(info.centipawns);
  EXPECT_FALSE(read_uci_info("information depth 9 nodes 5", info));
  EXPECT_FALSE(read_uci_info("", info));
  EXPECT_EQ(info.nodes, 0U);
}

}  // namespace
}  // namespace faultline
