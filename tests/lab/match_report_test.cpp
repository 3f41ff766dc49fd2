// Results as text and JSON.
#include "lab/match_report.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

TEST(MatchReport, CountsPairsByTheirPoints) {
  const MatchResult result = match_of("wwwllrccwlw", 12);
  EXPECT_EQ(result.tally.pairs, (std::array<int, 5>{0, 1, 3, 0, 1}));
  EXPECT_EQ(result.tally.singles, (std::array<int, 3>{0, 0, 1}));
  EXPECT_FALSE(result.complete());
  EXPECT_EQ(result.by_colour[0], (Score{.wins = 4, .draws = 1, .losses = 1}));
  EXPECT_EQ(result.by_colour[1], (Score{.wins = 1, .draws = 2, .losses = 2}));
}

TEST(MatchReport, CountsCutGamesApart) {
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

TEST(MatchReport, PrintsTheScoreItsIntervalAndElo) {
  const std::string text = result_text(match_of("wwwwwlwrwwwl"));
  EXPECT_TRUE(text.starts_with("9 wins, 1 draw, 2 losses: 79.2 % (95 % interval ")) << text;
  EXPECT_NE(text.find("Elo +232 ["), std::string::npos) << text;
}

TEST(MatchReport, DoesNotPrintInfiniteElo) {
  EXPECT_NE(result_text(match_of("wwwwwwww")).find("Elo at least +"), std::string::npos);
  EXPECT_NE(result_text(match_of("llllllll")).find("Elo at most -"), std::string::npos);
  const auto json = to_json(match_of("wwww"));
  EXPECT_TRUE(json["elo"].is_null());
  EXPECT_TRUE(json["elo_95"][0].is_number());
  EXPECT_TRUE(json["elo_95"][1].is_null());
  EXPECT_EQ(result_text(match_of("")), "no game was finished");
}

TEST(MatchReport, NamesTheEndingsThatHappened) {
  EXPECT_EQ(endings_text(match_of("wlrrc")),
            "2 mates, 2 by repetition, 1 cut at the ply limit and counted as a draw");
  EXPECT_EQ(endings_text(match_of("wlrrc", 0, CutGames::Apart)),
            "2 mates, 2 by repetition, 1 cut at the ply limit and not counted");
  const auto json = to_json(match_of("wlrrc"));
  EXPECT_EQ(json["endings"]["mate"], 2);
  EXPECT_EQ(json["endings"]["cut"], 1);
  EXPECT_EQ(json["games"], 5);
  EXPECT_EQ(json["as_white"]["wins"], 1);
}

TEST(MatchReport, WritesAGameWithPlayersAndMoves) {
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

TEST(MatchReport, SaysHowOftenTheLimitsOfAStrategyWereLifted) {
  EXPECT_EQ(details_text(match_of("wl")).find("strategy"), std::string::npos);
  MatchCounter counter({.games = 2});
  for (const int number : {0, 1}) {
    MatchGame game = game_of(number, 'w');
    game.strategies[1] = {.follows = true, .moves = 40, .lifted = 3 * number, .lifted_below = 5};
    counter.add(game);
  }
  EXPECT_NE(
      details_text(counter.result())
          .find("B's strategy: its limits forbade every move, and were lifted, on 3 of 80 moves "
                "(in 1 of 2 games), and at 10 searched positions below.\n"),
      std::string::npos)
      << details_text(counter.result());
  EXPECT_EQ(to_json(counter.result())["strategies"],
            nlohmann::ordered_json::parse(R"([null, {"moves": 80,
      "lifted_moves": 3, "lifted_positions_below": 10, "games_with_lifted_moves": 1}])"));
}

TEST(MatchReport, ListsForfeitsWithTheirReasons) {
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
  EXPECT_EQ(endings_text(result), "1 mate, 1 forfeit");
  EXPECT_NE(details_text(result).find("Game 1: A forfeits: engine crashed\n"), std::string::npos);
  EXPECT_EQ(to_json(result)["forfeits"][0]["reason"], "engine crashed");
}

TEST(MatchReport, StatesTheTestItsBoundsAndItsDecision) {
  const SprtConfig config{.elo0 = 0, .elo1 = 10};
  const std::string text = sprt_text(config, sprt_state(config, {10, 100, 200, 150, 20}));
  EXPECT_EQ(text,
            "LLR +4.21 (-2.94 to +2.94) after 480 pairs for "
            "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=logistic: elo1 is accepted");
  EXPECT_EQ(to_json(config, sprt_state(config, {}))["accepted"], "none");
}

}  // namespace
}  // namespace faultline
