// Surveys: their files, and interruptions.
#include "survey/survey.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "survey/survey_document.h"
#include "survey/survey_games.h"
#include "survey/survey_results.h"
#include "tests/document_parts.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

SurveySettings two_variants() {
  SurveySettings settings;
  settings.variants = {{"gardner", "uniform"}, {"inferno:levels=2", "material"}};
  settings.visits = {2, 4};
  settings.games = 4;
  settings.max_plies = 30;
  settings.perft_nodes = 100;
  settings.playouts = 4;
  return settings;
}

void play(Survey& survey, int threads = 1, const ExperimentHooks& hooks = {}) {
  PlayerResources resources(cpu_backends(), {.device = "cpu"});
  survey.play(resources, threads, hooks);
}

std::string results_in(const SurveySettings& settings, const std::filesystem::path& folder,
                       int threads) {
  return to_json(survey_document(survey_results(settings, folder, {.threads = threads}))).dump(1);
}

TEST(Survey, PlaysEveryGameOnce) {
  const test::TemporaryFolder folder;
  Survey survey(two_variants(), folder.path() / "s");
  std::atomic<int> reported{0}, finished{0};
  play(survey, 2,
       {.on_game = [&] { ++reported; },
        .on_finished = [&](double, const std::string&) { ++finished; }});
  EXPECT_EQ(reported, 16);
  EXPECT_EQ(finished, 16);
  EXPECT_TRUE(survey.complete());
  for (std::size_t variant = 0; variant < 2; ++variant)
    for (std::size_t visits = 0; visits < 2; ++visits)
      EXPECT_EQ(survey.finished_games(variant, visits), 4);
  const SurveyResults results = survey_results(two_variants(), folder.path() / "s", {.threads = 1});
  EXPECT_TRUE(results.complete());
  for (const VariantResult& variant : results.variants)
    for (const VisitResult& at : variant.visits) {
      EXPECT_EQ(at.games, 4);
      EXPECT_EQ(at.openings.games, 4);
      EXPECT_GT(at.branching.value, 1);
    }
  EXPECT_EQ(results.variants[0].complexity->perft.front(), 7U);
  const Document document = survey_document(results);
  EXPECT_EQ(test::fact_in(document, "Figures", "Games"),
            "16 (of 16 planned games; one player has both sides)");
  EXPECT_EQ(test::rows_in(document, "Players")[1],
            (std::vector<std::string>{"inferno:levels=2", "white", "material"}));
  EXPECT_EQ(test::rows_in(document, "First move and decided games").size(), 6U)
      << "random games, and two numbers of visits";
  EXPECT_THAT(test::rows_in(document, "Size")[0][1], testing::StartsWith("7 · "));
  EXPECT_THAT(document.notices, Contains(HasSubstr("a quiet position; 20 are needed")));
}

TEST(Survey, AnInterruptedOneEndsWithTheSameResultsAsAnUninterruptedOne) {
  const test::TemporaryFolder folder;
  SurveySettings settings = two_variants();
  settings.openings = "random:2";
  Survey whole(settings, folder.path() / "whole");
  play(whole);
  int attempts = 0;
  for (; attempts < 100; ++attempts) {
    Survey part(settings, folder.path() / "part");
    if (part.complete()) break;
    std::atomic<int> games{0};
    play(part, 2, {.on_game = [&] { ++games; }, .stop = [&] { return games >= 3; }});
  }
  EXPECT_GT(attempts, 1) << "it was not interrupted";
  EXPECT_EQ(results_in(settings, folder.path() / "part", 2),
            results_in(settings, folder.path() / "whole", 1));
}

TEST(Survey, CanBeContinuedWithMoreGamesWhichKeepTheOldOnes) {
  const test::TemporaryFolder folder;
  SurveySettings settings = two_variants();
  Survey(settings, folder.path() / "more");
  {
    Survey survey(settings, folder.path() / "more");
    play(survey);
  }
  settings.games = 6;
  Survey more(settings, folder.path() / "more");
  EXPECT_EQ(more.finished_games(), 16);
  play(more);
  EXPECT_TRUE(more.complete());
  Survey whole(settings, folder.path() / "whole");
  play(whole);
  EXPECT_EQ(results_in(settings, folder.path() / "more", 1),
            results_in(settings, folder.path() / "whole", 1));
}

TEST(Survey, OfAlphaBetaCountsNodesAndEveryGameAlone) {
  const test::TemporaryFolder folder;
  SurveySettings settings = two_variants();
  settings.variants =
      assign_players({"gardner", "escher"},
                     {"alphabeta?eval=" FAULTLINE_SOURCE_DIR "/nets/escher.pt"}, "alphabeta");
  settings.visits = {50, 400};
  settings.games = 12;
  settings.openings = "random:4";
  settings.temperature = 0;
  const auto place = folder.path() / "s";
  {
    Survey survey(settings, place);
    EXPECT_THAT(survey.settings().variants[1].weights, testing::SizeIs(16));
    std::atomic<int> games{0};
    play(survey, 2, {.on_game = [&] { ++games; }, .stop = [&] { return games >= 5; }});
    EXPECT_FALSE(survey.complete());
  }
  Survey survey(settings, place);
  play(survey);
  EXPECT_TRUE(survey.complete());
  constexpr std::uint64_t kMore = 200;  // that a search may need to end
  std::uint64_t most = 0;
  for (const auto& [game_place, game] : read_survey_games(settings, place).games) {
    const std::uint64_t limit = game_place.bout % 2 == 0 ? 50 : 400;
    EXPECT_EQ(game.opening_plies, 4);
    for (const MoveComment& comment : game.comments) {
      EXPECT_LE(comment.nodes, limit + kMore);
      most = std::max(most, comment.nodes);
    }
  }
  EXPECT_GT(most, 300U);
  for (const std::vector<int>& pairs : replay_games(settings, place, 1).pairs)
    EXPECT_EQ(std::set<int>(pairs.begin(), pairs.end()).size(), 12U) << "no pairs";
  const SurveyResults results = survey_results(settings, place, {.threads = 1});
  for (const VariantResult& variant : results.variants)
    for (const VisitResult& at : variant.visits)
      EXPECT_EQ(at.distinct, 12) << variant.variant;
  const Document document = survey_document(results);
  EXPECT_EQ(test::rows_in(document, "First move and decided games")[1][1], "50");
  EXPECT_EQ(test::fact_in(document, "Figures", "Temperature"), "0 (alphabeta plays the best move)");
  EXPECT_THAT(to_json(document).dump(), HasSubstr("At the most nodes"));
  Survey whole(settings, folder.path() / "whole");
  play(whole);
  EXPECT_EQ(results_in(settings, place, 2), results_in(settings, folder.path() / "whole", 1));
}

TEST(Survey, DropsAGameThatWasWrittenInPart) {
  const test::TemporaryFolder folder;
  const auto file = survey_games_file(folder.path() / "s");
  {
    Survey survey(two_variants(), folder.path() / "s");
    play(survey);
  }
  const std::string expected = results_in(two_variants(), folder.path() / "s", 1);
  const std::string text = test::read_text(file);
  test::write_text(file, text.substr(0, text.size() - 10));
  // Results may be wanted while a game is being written. The other one of its pair has to wait.
  const SurveyResults part = survey_results(two_variants(), folder.path() / "s", {.threads = 1});
  EXPECT_EQ(part.games, 14);
  EXPECT_EQ(part.waiting, 1);
  Survey survey(two_variants(), folder.path() / "s");
  EXPECT_FALSE(survey.repaired().empty());
  EXPECT_EQ(survey.finished_games(), 15);
  play(survey);
  EXPECT_EQ(results_in(two_variants(), folder.path() / "s", 1), expected);
}

/// Makes the first move of a game illegal.
void damage_game(const std::filesystem::path& file, const std::string& round) {
  std::string text = test::read_text(file);
  const std::size_t game = text.find("[Round \"" + round + "\"]");
  ASSERT_NE(game, std::string::npos);
  text.insert(text.find("\n\n", game) + 2, "e99 ");
  test::write_text(file, text);
}

TEST(Survey, LeavesOutAGameThatCannotBeRead) {
  const test::TemporaryFolder folder;
  const auto place = folder.path() / "s";
  SurveySettings settings = two_variants();
  {
    Survey survey(settings, place);
    play(survey);
  }
  damage_game(survey_games_file(place), "1.1.2");
  const SurveyResults results = survey_results(settings, place, {.threads = 1});
  EXPECT_EQ(results.games, 15);
  EXPECT_EQ(results.variants[0].visits[0].games, 3) << "the games after it count";
  EXPECT_EQ(results.waiting, 0);
  EXPECT_EQ(results.unreadable, 1);
  EXPECT_THAT(results.notices, testing::ElementsAre(AllOf(HasSubstr("games.pgn:"),
                                                          HasSubstr("'e99' is not a legal move in"),
                                                          HasSubstr("game 1.1.2 is left out"))));
  settings.games = 6;
  Survey more(settings, place);
  EXPECT_EQ(more.finished_games(), 16);
  play(more);
  EXPECT_TRUE(more.complete());
  EXPECT_EQ(survey_results(settings, place, {.threads = 1}).games, 23);
}

TEST(Survey, LeavesOutAGameThatIsFollowedByWhatIsNone) {
  const test::TemporaryFolder folder;
  const auto place = folder.path() / "s";
  const SurveySettings settings = two_variants();
  {
    Survey survey(settings, place);
    play(survey);
  }
  const auto file = survey_games_file(place);
  std::string text = test::read_text(file);
  const std::size_t moves = text.find("\n\n", text.find("[Round \"1.1.2\"]")) + 2;
  text.insert(text.find("\n\n", moves), " e99 e98\n\ne97");  // two faults in one game
  test::write_text(file, text);
  const SurveyGames read = read_survey_games(settings, place);
  EXPECT_EQ(read.games.size(), 15U);
  EXPECT_EQ(read.unreadable.size(), 1U);
  EXPECT_TRUE(read.unreadable.contains({0, 0, 1}));
  EXPECT_THAT(read.notices, testing::ElementsAre(HasSubstr("game 1.1.2 is left out")));
}

TEST(Survey, CountsPairsUpToTheFirstThatIsNotComplete) {
  const std::set<GamePlace> played = {{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {0, 3, 0}, {0, 3, 1}};
  EXPECT_TRUE(places_that_count(played).empty());
  const std::set<GamePlace> counting = places_that_count(played, {GamePlace{0, 0, 1}});
  EXPECT_EQ(counting.size(), 3U);
  EXPECT_TRUE(counting.contains({0, 0, 0}));
  EXPECT_FALSE(counting.contains({0, 0, 1})) << "it cannot be read";
  EXPECT_FALSE(counting.contains({0, 3, 0})) << "the pair before it is missing";
}

TEST(Survey, HasResultsBeforeItHasGames) {
  const test::TemporaryFolder folder;
  Survey(two_variants(), folder.path() / "s");
  const SurveyResults results = survey_results(two_variants(), folder.path() / "s", {.threads = 1});
  EXPECT_EQ(results.games, 0);
  EXPECT_THAT(survey_document(results).notices, Contains("There are no games yet."));
  EXPECT_THROW(survey_results(two_variants(), folder.path(), {.threads = 1}), ExperimentError);
  const auto file = survey_games_file(folder.path() / "s");
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_THROW(survey_results(two_variants(), folder.path() / "s", {.threads = 1}), ExperimentError)
      << "a file that cannot be read is not one without games";
}

}  // namespace
}  // namespace faultline
