// Strategies of one variant: what rules say of moves, and what is refused.
#include "strategy/strategy.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/families.h"
#include "strategy/arguments.h"
#include "tests/strategy/strategies.h"

namespace faultline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::string& when, const std::string& variant,
                    const std::string& forbid = "true") {
  try {
    check_strategy(
        parse_strategy("[[rules]]\nwhen = " + when + "\nforbid = " + forbid + "\n", "s.toml"),
        variant);
  } catch (const StrategyError& error) {
    return error.what();
  }
  return "";
}

PositionHistory<ChessPosition> chess_game(const std::vector<std::string>& moves) {
  PositionHistory<ChessPosition> history(ChessPosition::start({}));
  for (const std::string& move : moves)
    history.play(history.position().parse_move(move).value());
  return history;
}

/// The verdict on one move.
MoveVerdict verdict(const std::string& toml, const std::string& move,
                    const std::vector<std::string>& played = {}) {
  const auto history = chess_game(played);
  const auto strategy = test::strategy<ChessPosition>(toml, "chess");
  ChessPosition::MoveList legal;
  history.position().legal_moves(legal);
  const auto all = test::verdicts<ChessPosition>(*strategy, history);
  for (std::size_t i = 0; i < legal.size(); ++i)
    if (history.position().move_text(legal[i]) == move) return all[i];
  ADD_FAILURE() << move << " is not legal";
  return {};
}

TEST(Strategy, MultipliesTheWeightsAndAddsTheBonusesOfAllRulesThatMatch) {
  const std::string toml =
      "[[rules]]\nwhen = { piece = 'pawn' }\nprior = 2\nbonus = 0.25\n"
      "[[rules]]\nwhen = { to = '*4' }\nprior = 3\nbonus = -0.5\n";
  const MoveVerdict both = verdict(toml, "e2e4");
  EXPECT_EQ(both.weight, 6);
  EXPECT_EQ(both.bonus, -0.25F);
  EXPECT_FALSE(both.forbidden);
  EXPECT_EQ(verdict(toml, "e2e3").weight, 2);
  EXPECT_EQ(verdict(toml, "g1f3").weight, 1);
  EXPECT_EQ(verdict(toml, "g1f3").bonus, 0);
}

TEST(Strategy, NeedsAllConditionsOfARule) {
  EXPECT_THAT(test::moves_where<ChessPosition>("{ piece = 'pawn', to = ['a4', 'b*'] }", "chess"),
              ElementsAre("a2a4", "b2b3", "b2b4"));
  EXPECT_THAT(
      test::moves_where<ChessPosition>("{ piece = 'knight', not = { to = 'f3' } }", "chess"),
      ElementsAre("b1a3", "b1c3", "g1h3"));
  EXPECT_THAT(test::moves_where<ChessPosition>(
                  "{ piece = 'knight', not = { to = 'f3', from = 'b1' } }", "chess"),
              ElementsAre("g1h3"))
      << "not: none of them";
}

TEST(Strategy, EndsLimitsAtAPlyOrWhenACondition) {
  const std::string until_ply =
      "[[rules]]\nwhen = { piece = 'pawn' }\nforbid = { until_ply = 2 }\n";
  EXPECT_TRUE(verdict(until_ply, "e2e4").forbidden);
  EXPECT_TRUE(verdict(until_ply, "e7e5", {"g1f3"}).forbidden);
  EXPECT_FALSE(verdict(until_ply, "e2e4", {"g1f3", "g8f6"}).forbidden);
  const std::string until =
      "[[rules]]\nwhen = { piece = 'pawn' }\nforbid = { until = { pieces_left = { at_most = 31 } } "
      "}\n";
  EXPECT_TRUE(verdict(until, "a2a3", {"e2e4", "d7d5"}).forbidden);
  EXPECT_FALSE(verdict(until, "a2a3", {"e2e4", "d7d5", "e4d5", "a7a6"}).forbidden);
}

TEST(Strategy, CountsPliesByThePositionsOwnCounter) {
  EXPECT_TRUE(test::holds<ChessPosition>("ply = 0", "chess"));
  EXPECT_TRUE(test::holds<ChessPosition>("ply = 19", "chess", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 10"));
  // Black begins.
  EXPECT_TRUE(test::holds<SlantedPosition>("ply = 0", "slanted:board=mini"));
}

TEST(Strategy, RefusesByFileLineAndNameWhatDoesNotExist) {
  EXPECT_THAT(refusal("{ capture = true }", "chess"),
              StartsWith("s.toml:2: there is no predicate 'capture'; did you mean 'captures'?"));
  EXPECT_THAT(refusal("{ shifts = true }", "inferno"),
              HasSubstr("'shifts' is a predicate of shifting, not of inferno"));
  EXPECT_THAT(refusal("{ descends = { lest = 3 } }", "inferno"),
              HasSubstr("'descends' has no parameter 'lest'; parameters are at_least, at_most"));
  EXPECT_THAT(refusal("{ checks = 3 }", "chess"),
              HasSubstr("'checks' is 3, but has no parameters"));
  EXPECT_THAT(refusal("{ piece = 'rok' }", "chess"), HasSubstr("did you mean 'rook'?"));
  EXPECT_THAT(refusal("{ piece = 'ultra' }", "chess"), HasSubstr("there is no 'ultra' in chess"));
  EXPECT_THAT(refusal("{ piece = true }", "chess"), HasSubstr("'piece' needs a value"));
  EXPECT_THAT(refusal("{ to = 'z9' }", "escher"), HasSubstr("no square of escher is called 'z9'"));
  EXPECT_THAT(refusal("{ to = 4 }", "escher"), HasSubstr("must be squares"));
  EXPECT_THAT(refusal("{ captures = true, lead = { at_least = 3, at_most = 1 } }", "chess"),
              HasSubstr("'lead.at_least' is 3, but must not exceed 'lead.at_most', which is 1"));
}

TEST(Strategy, RefusesWhatIsImpossibleInTheVariant) {
  EXPECT_THAT(refusal("{ castles = true }", "escher"),
              HasSubstr("s.toml:2: 'castles' is impossible in escher: there is no castling"));
  EXPECT_THAT(refusal("{ descends = true }", "inferno:levels=1"),
              HasSubstr("impossible in inferno:levels=1"));
  EXPECT_THAT(refusal("{ descends = 3 }", "inferno:levels=3"),
              HasSubstr("'descends' is 3, but must be a whole number, 1 to 2 in inferno:levels=3"));
  EXPECT_EQ(refusal("{ descends = 3 }", "inferno:levels=4"), "");
  EXPECT_THAT(refusal("{ aftershock = true }", "earthquake"),
              HasSubstr("there are no aftershocks"));
  EXPECT_EQ(refusal("{ aftershock = true }", "earthquake:aftershock=2"), "");
  EXPECT_EQ(refusal("{ aftershock = true }", "earthquake:every=2"), "");
  EXPECT_THAT(refusal("{ aftershock = true, aftershocks_left = 1 }", "earthquake:every=2"),
              HasSubstr("aftershocks are not limited by number (every=2)"));
  EXPECT_THAT(refusal("{ ultra_jump = true }", "slanted:board=mini"),
              HasSubstr("only board=ultra has ultras"));
}

TEST(Strategy, RefusesRulesAboutThePositionAlone) {
  EXPECT_THAT(refusal("{ in_check = true }", "chess"), HasSubstr("about all moves alike"));
  EXPECT_THAT(refusal("{ captures = true }", "chess", "{ until = { checks = true } }"),
              HasSubstr("'forbid.until' is about the position, and 'checks' about a move"));
}

TEST(Strategy, SquaresMatchPatterns) {
  const std::vector<std::string> squares = {"a1", "b1", "ab4", "1d3", "2d3"};
  const auto names = [&](const std::string& pattern) {
    std::vector<std::string> found;
    for (std::size_t s = 0; s < squares.size(); ++s)
      if (matching_squares(pattern, squares)[s]) found.push_back(squares[s]);
    return found;
  };
  EXPECT_THAT(names("a1"), ElementsAre("a1"));
  EXPECT_THAT(names("*1"), ElementsAre("a1", "b1"));
  EXPECT_THAT(names("2*"), ElementsAre("2d3"));
  EXPECT_THAT(names("*d*"), ElementsAre("1d3", "2d3"));
  EXPECT_THAT(names("a*"), ElementsAre("a1", "ab4"));
  EXPECT_THAT(names("*").size(), squares.size());
  EXPECT_TRUE(names("").empty());
}

TEST(Strategy, EveryPredicateOfEveryFamilyIsExplained) {
  for (const FamilyInfo* family : all_families()) {
    std::vector<std::string> names;
    for (const auto& infos :
         {general_predicate_infos(family->name), own_predicate_infos(family->name)})
      for (const PredicateInfo& info : infos) {
        EXPECT_GT(info.help.size(), 10U) << info.name;
        EXPECT_EQ(info.help.find('\n'), std::string::npos) << info.name;
        EXPECT_NE(info.help.back(), '.') << info.name;
        EXPECT_NE(info.name, "not");
        names.push_back(info.name);
      }
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << family->name;
  }
}

}  // namespace
}  // namespace faultline
