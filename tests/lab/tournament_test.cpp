// Tournaments: schedules, files, interruptions.
#include "lab/tournament.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/lab/tournaments.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::message_of;
using test::settings_of;
using test::three_players;
using test::with_carriage_returns;

void play(Tournament& tournament, int threads = 1, const ExperimentHooks& hooks = {}) {
  PlayerResources resources(cpu_backends(), {.device = "cpu"});
  tournament.play(resources, threads, hooks);
}

/// The games of a tournament's folder by their Round, as text.
std::map<std::string, std::string> games_in(const std::filesystem::path& folder) {
  std::map<std::string, std::string> games;
  std::ifstream in(folder / "games.pgn");
  GameReader reader(in, "games.pgn");
  while (const auto game = reader.next()) {
    std::string round;
    for (const auto& [name, value] : game->tags)
      if (name == "Round") round = value;
    std::ostringstream text;
    write_game(text, *game);
    EXPECT_TRUE(games.emplace(round, text.str()).second) << "two games " << round;
  }
  return games;
}

TEST(Tournament, PlaysEveryGameOfTheScheduleOnce) {
  const test::TemporaryFolder folder;
  Tournament tournament(three_players(), folder.path() / "t");
  EXPECT_EQ(tournament.planned_games(), 12);
  int reported = 0;
  play(tournament, 2, {.on_game = [&] { ++reported; }});
  EXPECT_EQ(reported, 12);
  EXPECT_TRUE(tournament.complete());
  const auto games = games_in(folder.path() / "t");
  EXPECT_EQ(games.size(), 12U);
  for (int bout = 1; bout <= 3; ++bout)
    for (int pair = 1; pair <= 2; ++pair)
      for (int game = 1; game <= 2; ++game)
        EXPECT_TRUE(games.contains(GamePlace{bout - 1, pair - 1, game - 1}.round()));
  EXPECT_EQ(tournament.results().players(), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Tournament, SaysWhatHasEndedBeforeItIsRecorded) {
  const test::TemporaryFolder folder;
  TournamentSettings settings = settings_of({"a=material?visits=6", "b=uniform?visits=4"});
  settings.games = 20;
  settings.max_plies = 200;
  Tournament tournament(settings, folder.path() / "t");
  int recorded = 0, finished = 0;
  bool is_ahead = false;
  std::string last;
  play(tournament, 1,
       {.on_game = [&] { ++recorded; },
        .on_finished =
            [&](double, const std::string& playing) {
              ++finished;
              is_ahead = is_ahead || finished > recorded;
              last = playing;
            }});
  EXPECT_EQ(finished, 20);
  EXPECT_EQ(recorded, 20);
  EXPECT_TRUE(is_ahead) << "the games ended in their order";
  EXPECT_TRUE(last.starts_with("a - b +")) << last;
  EXPECT_EQ(bout_text({"a", "b"}, {.wins = 3, .draws = 2, .losses = 1}), "a - b +3 =2 -1");
}

TEST(Tournament, AnInterruptedOneEndsWithTheSameGamesAsAnUninterruptedOne) {
  for (const Schedule schedule :
       {Schedule::RoundRobin, Schedule::Gauntlet, Schedule::Information}) {
    TournamentSettings settings = three_players();
    settings.schedule = schedule;
    settings.rounds = 2;
    const test::TemporaryFolder folder;
    Tournament whole(settings, folder.path() / "whole");
    play(whole);

    for (int attempt = 0; attempt < 100; ++attempt) {
      Tournament part(settings, folder.path() / "part");
      if (part.complete()) break;
      std::atomic<int> games{0};
      play(part, 2, {.on_game = [&] { ++games; }, .stop = [&] { return games >= 3; }});
    }
    const auto expected = games_in(folder.path() / "whole");
    EXPECT_EQ(static_cast<int>(expected.size()), whole.planned_games()) << schedule_text(settings);
    EXPECT_EQ(games_in(folder.path() / "part"), expected) << schedule_text(settings);
  }
}

TEST(Tournament, SequentialPairingsEndWhenTheyAreDecided) {
  TournamentSettings settings =
      settings_of({"strong=alphabeta?depth=2", "weak=random", "as-weak=random"});
  settings.schedule = Schedule::Sequential;
  settings.rounds = 8;
  settings.games = 10;
  settings.max_plies = 80;
  settings.cut = CutGames::Draws;
  const test::TemporaryFolder folder;
  Tournament whole(settings, folder.path() / "whole");
  EXPECT_EQ(whole.planned_games(), 240);
  play(whole);
  EXPECT_TRUE(whole.complete());
  EXPECT_EQ(whole.planned_games(), whole.finished_games());
  const RatingGames results = whole.results();
  std::map<std::pair<std::string, std::string>, int> games;
  for (const RatingGames::Count& count : results.counts())
    games[std::minmax(results.players()[static_cast<std::size_t>(count.white)],
                      results.players()[static_cast<std::size_t>(count.black)])] += count.games();
  EXPECT_LT((games[{"strong", "weak"}]), 80) << "decided";
  EXPECT_GE((games[{"strong", "weak"}]), 20) << "not by one round of five pairs";
  EXPECT_EQ((games[{"as-weak", "weak"}]), 80) << "never decided";
  EXPECT_EQ(whole.played_stages(), 8);
  EXPECT_EQ(whole.decided_pairings(), 2);
  {
    const Tournament again(settings, folder.path() / "whole");
    EXPECT_EQ(again.played_stages(), 8);
    EXPECT_EQ(again.decided_pairings(), 2);
    EXPECT_EQ(again.planned_games(), whole.planned_games());
    EXPECT_TRUE(again.complete());
  }

  for (int attempt = 0; attempt < 200; ++attempt) {
    Tournament part(settings, folder.path() / "part");
    if (part.complete()) break;
    std::atomic<int> played{0};
    play(part, 2, {.on_game = [&] { ++played; }, .stop = [&] { return played >= 7; }});
  }
  EXPECT_EQ(games_in(folder.path() / "part"), games_in(folder.path() / "whole"));
}

TEST(Tournament, AStageThatIsNotCompleteDecidesNothing) {
  TournamentSettings settings = settings_of({"strong=alphabeta?depth=2", "weak=random"});
  settings.schedule = Schedule::Sequential;
  settings.rounds = 4;
  settings.games = 20;
  settings.max_plies = 80;
  settings.cut = CutGames::Draws;
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "t" / "games.pgn";
  {
    Tournament tournament(settings, folder.path() / "t");
    EXPECT_EQ(tournament.planned_games(), 80);
    play(tournament);
    ASSERT_EQ(tournament.decided_pairings(), 1);
    ASSERT_LT(tournament.finished_games(), 80);
    ASSERT_EQ(tournament.played_stages(), 4) << "nothing is left of the others";
  }
  std::string text;
  const auto games = games_in(folder.path() / "t");
  const int stages = static_cast<int>(games.size()) / 20;
  const std::string lost = GamePlace{stages - 1, 4, 1}.round();
  for (const auto& [round, game] : games)
    if (round != lost) text += game;
  test::write_text(file, text);
  Tournament tournament(settings, folder.path() / "t");
  EXPECT_EQ(tournament.played_stages(), stages - 1);
  EXPECT_EQ(tournament.decided_pairings(), 0);
  EXPECT_EQ(tournament.planned_games(), 80);
  play(tournament);
  EXPECT_EQ(tournament.decided_pairings(), 1);
  EXPECT_EQ(games_in(folder.path() / "t"), games);
}

TEST(Tournament, DropsAGameThatWasWrittenInPart) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "t" / "games.pgn";
  {
    Tournament tournament(three_players(), folder.path() / "t");
    play(tournament);
  }
  const auto expected = games_in(folder.path() / "t");
  const std::string text = test::read_text(file);
  const std::size_t last = text.rfind("[Event ");
  // Cut at every place from the last game's first byte to its last.
  for (std::size_t size = last + 1; size < text.size(); size += 1 + (text.size() - last) / 40) {
    test::write_text(file, text.substr(0, size));
    Tournament tournament(three_players(), folder.path() / "t");
    EXPECT_FALSE(tournament.repaired().empty()) << size - last;
    EXPECT_EQ(tournament.finished_games(), 11);
    play(tournament);
    EXPECT_EQ(games_in(folder.path() / "t"), expected);
  }
  Tournament tournament(three_players(), folder.path() / "t");
  EXPECT_TRUE(tournament.repaired().empty());
}

TEST(Tournament, DropsNothingFromAFileThatWasChanged) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "t" / "games.pgn";
  {
    Tournament tournament(three_players(), folder.path() / "t");
    play(tournament);
  }
  const std::string text = test::read_text(file);
  std::string no_empty_lines = text;
  for (std::size_t at = 0; (at = no_empty_lines.find("\n\n")) != std::string::npos;)
    no_empty_lines.erase(at, 1);
  for (const std::string& changed :
       {with_carriage_returns(text), text + with_carriage_returns(text), no_empty_lines}) {
    test::write_text(file, changed);
    const std::string message =
        message_of([&] { const Tournament tournament(three_players(), folder.path() / "t"); });
    EXPECT_NE(message.find("games.pgn: is not as this program writes it"), std::string::npos)
        << message;
    EXPECT_NE(message.find("Nothing was dropped"), std::string::npos) << message;
    EXPECT_EQ(test::read_text(file), changed);
  }
}

TEST(Tournament, ScatteredGamesThatAreMissingArePlayedAsTheyWere) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "t" / "games.pgn";
  TournamentSettings settings = three_players();
  settings.games = 12;
  settings.rounds = 2;
  {
    Tournament tournament(settings, folder.path() / "t");
    play(tournament, 2);
  }
  const auto expected = games_in(folder.path() / "t");
  const std::set<std::string> lost = {"1.2.1", "1.2.2", "1.4.2", "1.6.1", "4.1.1", "4.5.2"};
  std::string text;
  for (const auto& [round, game] : expected)
    if (!lost.contains(round)) text += game;
  test::write_text(file, text);
  Tournament tournament(settings, folder.path() / "t");
  std::atomic<std::size_t> played{0}, finished{0};
  play(tournament, 2,
       {.on_game = [&] { ++played; },
        .on_finished = [&](double, const std::string&) { ++finished; }});
  EXPECT_EQ(played, lost.size()) << "without those that are played again and are there";
  EXPECT_EQ(finished, lost.size());
  EXPECT_EQ(games_in(folder.path() / "t"), expected);
}

TEST(Tournament, PairingsHaveOpeningsOfTheirOwn) {
  const test::TemporaryFolder folder;
  Tournament tournament(three_players(), folder.path() / "t");
  play(tournament);
  std::map<std::string, std::vector<std::string>> openings;
  std::ifstream in(folder.path() / "t" / "games.pgn");
  GameReader reader(in, "games.pgn");
  while (const auto game = reader.next())
    for (const auto& [name, value] : game->tags)
      if (name == "Round")
        openings[value] = {game->moves.begin(), game->moves.begin() + game->opening_plies};
  EXPECT_EQ(openings.at("1.1.1"), openings.at("1.1.2"));
  EXPECT_NE(openings.at("1.1.1"), openings.at("1.2.1"));
  EXPECT_NE(openings.at("1.1.1"), openings.at("2.1.1"));
}

TEST(Tournament, MoreRoundsContinueAndKeepTheGames) {
  const test::TemporaryFolder folder;
  TournamentSettings settings = three_players();
  {
    Tournament tournament(settings, folder.path() / "t");
    play(tournament);
  }
  const auto before = games_in(folder.path() / "t");
  settings.rounds = 2;
  {
    Tournament tournament(settings, folder.path() / "t");
    EXPECT_EQ(tournament.finished_games(), 12);
    EXPECT_EQ(tournament.planned_games(), 24);
    play(tournament);
  }
  const auto after = games_in(folder.path() / "t");
  EXPECT_EQ(after.size(), 24U);
  for (const auto& [round, game] : before)
    EXPECT_EQ(after.at(round), game);
  EXPECT_NE(after.at("1.1.1"), after.at("4.1.1"));  // new openings
}

TEST(Tournament, GamesOfOthersAreRefused) {
  const test::TemporaryFolder folder;
  {
    Tournament tournament(three_players(), folder.path() / "t");
    play(tournament);
  }
  const auto file = folder.path() / "t" / "games.pgn";
  const std::string text = test::read_text(file);
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    test::write_text(file, changed);
    return message_of([&] { Tournament other(three_players(), folder.path() / "t"); });
  };
  EXPECT_NE(refusal("[White \"a\"]", "[White \"x\"]").find("but the schedule has"),
            std::string::npos);
  EXPECT_NE(refusal("[Round \"1.", "[Round \"9.").find("does not have yet"), std::string::npos);
  EXPECT_NE(refusal("[Round \"1.1.1\"]", "[Round \"7\"]")
                .find("has a game with the Round '7'; those written here have the Round BOUT.PAIR"),
            std::string::npos);
  EXPECT_NE(refusal("[Round \"1.1.1\"]\n", "").find("has a game without a Round; those written"),
            std::string::npos);
  EXPECT_NE(
      refusal("[Event \"faultline tournament, seed 1\"]", "[Event \"x\"]")
          .find("has a game with the Event 'x'; those written here have the Event 'faultline"),
      std::string::npos);
  test::write_text(file, "no games\n");
  EXPECT_NE(message_of([&] {
              Tournament other(three_players(), folder.path() / "t");
            }).find("is not a file of games"),
            std::string::npos);
  EXPECT_EQ(test::read_text(file), "no games\n");
}

TEST(Tournament, InformationGivesEveryPlayerGames) {
  const test::TemporaryFolder folder;
  TournamentSettings settings =
      settings_of({"a=material?visits=6", "b=alphabeta?depth=1", "c=uniform?visits=4", "random"});
  settings.schedule = Schedule::Information;
  settings.games = 2;
  settings.rounds = 4;
  Tournament tournament(settings, folder.path() / "t");
  EXPECT_EQ(tournament.planned_games(), 4 * 2 * 2);
  play(tournament, 2);
  std::map<int, int> games;
  const RatingGames results = tournament.results();
  for (const auto& game : results.games()) {
    ++games[game.white];
    ++games[game.black];
  }
  EXPECT_EQ(games.size(), 4U);
}

}  // namespace
}  // namespace faultline
