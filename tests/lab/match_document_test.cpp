// Results of matches as documents.
#include "lab/match_document.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lab/match_json.h"
#include "tests/document_parts.h"

namespace faultline {
namespace {

/// A game that ended for the first player with a win, a loss, a repetition, or that was cut.
MatchGame game_of(int number, char result) {
  MatchGame game;
  game.number = number;
  game.first_colour = number % 2 == 0 ? Colour::White : Colour::Black;
  game.opening = {"e2e4", "e7e5"};
  game.moves = {"g1f3"};
  game.outcome = result == 'w'   ? win_for(game.first_colour)
                 : result == 'l' ? win_for(~game.first_colour)
                 : result == 'r' ? Outcome::Repetition
                                 : Outcome::Adjudicated;
  if (result == 'c') game.ending = MatchEnding::Cut;
  return game;
}

/// A match of games with the given results for the first player, in the order of play.
MatchResult match_of(const std::string& results, int planned = 0, CutGames cut = CutGames::Draws) {
  MatchCounter counter({.games = std::max(planned, static_cast<int>(results.size())), .cut = cut});
  for (std::size_t i = 0; i < results.size(); ++i)
    counter.add(game_of(static_cast<int>(i), results[i]));
  return counter.result();
}

/// The text of a figure, with its remark.
std::string figure(const MatchResult& result, const std::string& name,
                   const MatchConfig& config = {}) {
  MatchSetup setup{.variant = "chess", .players = {}, .config = config};
  return test::fact_in(match_document(setup, result, "", 1), "Result", name);
}

TEST(MatchDocument, CountsPairsByTheirPoints) {
  const MatchResult result = match_of("wwwllrccwlw", 12);
  EXPECT_EQ(result.tally.pairs, (std::array<int, 5>{0, 1, 3, 0, 1}));
  EXPECT_EQ(result.tally.singles, (std::array<int, 3>{0, 0, 1}));
  EXPECT_FALSE(result.complete());
  EXPECT_EQ(result.by_colour[0], (Score{.wins = 4, .draws = 1, .losses = 1}));
  EXPECT_EQ(result.by_colour[1], (Score{.wins = 1, .draws = 2, .losses = 2}));
}

TEST(MatchDocument, CountsCutGamesApart) {
  const MatchResult result = match_of("wwwllrccwlwc", 12, CutGames::Apart);
  EXPECT_EQ(result.cut, 3);
  EXPECT_EQ(result.finished, 12);
  EXPECT_TRUE(result.complete());
  EXPECT_EQ(result.score().games(), 9);
  EXPECT_EQ(result.tally.pairs, (std::array<int, 5>{0, 1, 2, 0, 1}));
  EXPECT_EQ(result.tally.singles, (std::array<int, 3>{0, 0, 1}));
  EXPECT_EQ(result_text(match_of("cc", 2, CutGames::Apart)),
            "no game had a result: all were cut at the ply limit");
}

TEST(MatchDocument, PrintsTheScoreItsIntervalAndElo) {
  const std::string text = result_text(match_of("wwwwwlwrwwwl"));
  EXPECT_TRUE(text.starts_with("9 wins, 1 draw, 2 losses: 79.2 % (")) << text;
  EXPECT_NE(text.find("Elo +232 ("), std::string::npos) << text;
}

TEST(MatchDocument, DoesNotPrintInfiniteElo) {
  EXPECT_NE(result_text(match_of("wwwwwwww")).find("Elo at least +"), std::string::npos);
  EXPECT_NE(result_text(match_of("llllllll")).find("Elo at most -"), std::string::npos);
  const auto json = to_json(match_of("wwww"));
  EXPECT_TRUE(json["elo"].is_null());
  EXPECT_TRUE(json["elo_95"][0].is_number());
  EXPECT_TRUE(json["elo_95"][1].is_null());
  EXPECT_EQ(result_text(match_of("")), "no game was finished");
}

TEST(MatchDocument, NamesTheEndingsThatHappened) {
  EXPECT_EQ(figure(match_of("wlrrc"), "Endings"),
            "2 mates, 2 by repetition, 1 cut at the ply limit and counted as a draw");
  EXPECT_EQ(figure(match_of("wlrrc", 0, CutGames::Apart), "Endings"),
            "2 mates, 2 by repetition, 1 cut at the ply limit and not counted");
}

TEST(MatchDocument, WritesAGameWithPlayersAndMoves) {
  MatchGame game;
  game.number = 3;
  game.first_colour = Colour::Black;
  game.opening = {"e2e4"};
  game.moves = {"e7e5", "g1f3"};
  game.outcome = Outcome::BlackWins;
  const auto json = to_json(game, "new", "old");
  EXPECT_EQ(json["white"], "old");
  EXPECT_EQ(json["black"], "new");
  EXPECT_EQ(json["opening_number"], 1);
  EXPECT_EQ(json["moves"].size(), 2U);
  EXPECT_EQ(json["plies"], 3);
  EXPECT_EQ(json["outcome"], "black");
  EXPECT_EQ(json["first_player_points"], 1.0);
}

TEST(MatchDocument, SaysHowOftenTheLimitsOfAStrategyWereLifted) {
  EXPECT_EQ(figure(match_of("wl"), "B's strategy"), "");
  MatchCounter counter({.games = 2});
  for (const int number : {0, 1}) {
    MatchGame game = game_of(number, 'w');
    game.strategies[1] = {.follows = true, .moves = 40, .lifted = 3 * number, .lifted_below = 5};
    counter.add(game);
  }
  EXPECT_EQ(figure(counter.result(), "A's strategy"), "");
  EXPECT_EQ(figure(counter.result(), "B's strategy"),
            "limits lifted on 3 of 80 moves (in 1 of 2 games; they forbade every move. At "
            "positions below: 10)");
}

TEST(MatchDocument, ListsForfeitsWithTheirReasons) {
  MatchCounter counter({.games = 2});
  MatchGame game = game_of(0, 'l');
  game.ending = MatchEnding::Forfeit;
  game.failure = "engine crashed";
  counter.add(game);
  counter.add(game_of(1, 'w'));
  const MatchResult& result = counter.result();
  EXPECT_EQ(result.forfeits_of(0), 1);
  EXPECT_EQ(result.forfeits_of(1), 0);
  EXPECT_EQ(result.score(), (Score{.wins = 1, .draws = 0, .losses = 1}));
  EXPECT_EQ(figure(result, "Endings"), "1 mate, 1 forfeit");
  EXPECT_EQ(test::rows_in(
                match_document({.variant = "chess", .players = {}, .config = {}}, result, "", 1),
                "Forfeits"),
            (std::vector<std::vector<std::string>>{{"1", "A", "engine crashed"}}));
}

TEST(MatchDocument, StatesTheTestItsBoundsAndItsDecision) {
  const SprtConfig config{.elo0 = 0, .elo1 = 10};
  MatchResult result = match_of("wl");
  result.sprt = sprt_state(config, {10, 100, 200, 150, 20});
  EXPECT_EQ(figure(result, "SPRT", {.sprt = config}),
            "elo1 is accepted (elo0=0,elo1=10,alpha=0.05,beta=0.05,model=logistic)");
  EXPECT_EQ(figure(result, "LLR", {.sprt = config}),
            "+4.21 (between -2.94 and +2.94) (after 480 pairs)");
}

}  // namespace
}  // namespace faultline
