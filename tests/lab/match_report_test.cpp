// Results as text and JSON, and the player names of the command line.
#include "lab/match_report.h"

#include <filesystem>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lab/players.h"
#include "tests/selfplay/games.h"

namespace faultline {
namespace {

/// A match of games with the given results for the first player, in the order of play.
MatchResult match_of(const std::string& results, int planned = 0) {
  MatchCounter counter(std::max(planned, static_cast<int>(results.size())), 1);
  for (std::size_t i = 0; i < results.size(); ++i) {
    MatchGame game;
    game.number = static_cast<int>(i);
    game.first_colour = i % 2 == 0 ? Colour::White : Colour::Black;
    game.opening = {"e2e4", "e7e5"};
    game.moves = {"g1f3"};
    game.outcome = results[i] == 'w'   ? win_for(game.first_colour)
                   : results[i] == 'l' ? win_for(~game.first_colour)
                   : results[i] == 'r' ? Outcome::Repetition
                                       : Outcome::Adjudicated;
    counter.add(game);
  }
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

std::string refusal(const std::string& player) {
  try {
    find_player(player);
  } catch (const PlayerError& error) {
    return error.what();
  }
  return "";
}

TEST(Players, AreANetARunItsUntrainedNetOrNone) {
  const test::TemporaryFolder folder;
  const auto nets = folder.path() / "nets";
  std::filesystem::create_directories(nets);
  for (const char* name : {"000000.pt", "000900.pt", "001000000.pt", "best.pt", "002000000.pt.tmp"})
    test::write_text(nets / name, "");
  const std::string run = folder.path().string();
  EXPECT_EQ(find_player("random").kind, PlayerKind::Random);
  EXPECT_EQ(find_player("uniform").kind, PlayerKind::Uniform);
  EXPECT_EQ(find_player(run).net, nets / "001000000.pt");
  EXPECT_EQ(find_player("untrained:" + run).net, nets / "000000.pt");
  const std::string one = (nets / "000900.pt").string();
  EXPECT_EQ(find_player(one).kind, PlayerKind::Net);
  EXPECT_EQ(find_player(one).name, one);
}

TEST(Players, AreRefusedWithTheValidForms) {
  const test::TemporaryFolder folder;
  const std::string run = folder.path().string();
  EXPECT_NE(refusal("unifrom").find("did you mean 'uniform'?"), std::string::npos);
  EXPECT_NE(refusal(run + "/no.pt").find("there is no such file or folder"), std::string::npos);
  EXPECT_NE(refusal(run).find("contains no nets"), std::string::npos);
  std::filesystem::create_directories(folder.path() / "nets");
  test::write_text(folder.path() / "nets" / "000500.pt", "");
  EXPECT_NE(refusal("untrained:" + run).find("has no net of step 0"), std::string::npos);
  EXPECT_NE(refusal("untrained:").find("there is no such run"), std::string::npos);
}

}  // namespace
}  // namespace faultline
