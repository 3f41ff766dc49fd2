// The settings of surveys: what is refused, and their file.
#include "survey/survey_settings.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

SurveySettings gardner() {
  SurveySettings settings;
  settings.variants = {{"gardner", "uniform"}};
  settings.visits = {4, 8};
  settings.games = 8;
  return settings;
}

TEST(SurveySettings, AreTheSameAfterTheirFile) {
  SurveySettings settings = gardner();
  settings.temperature = 0.5;
  settings.playouts = 7;
  const SurveySettings read = SurveySettings::from_json(to_json(settings), "survey.json");
  EXPECT_EQ(to_json(read), to_json(settings));
  EXPECT_NO_THROW(check(read));
  EXPECT_EQ(read.planned_games(), 16);
}

TEST(SurveySettings, RefuseWhatIsNotValid) {
  const auto message = [](const std::function<void(SurveySettings&)>& change) {
    SurveySettings settings = gardner();
    change(settings);
    return message_of([&] { check(settings); });
  };
  EXPECT_EQ(message([](SurveySettings&) {}), "");
  EXPECT_THAT(message([](auto& s) { s.games = 5; }), HasSubstr("'games' is 5, but must be"));
  EXPECT_THAT(message([](auto& s) { s.visits = {8, 4}; }), HasSubstr("visits = 8,4: must be"));
  EXPECT_THAT(message([](auto& s) { s.visits = {4, 4}; }), HasSubstr("different numbers"));
  EXPECT_THAT(message([](auto& s) { s.visits = {}; }), HasSubstr("visits"));
  EXPECT_THAT(message([](auto& s) { s.temperature = 0; }), HasSubstr("would repeat its games"));
  EXPECT_THAT(message([](auto& s) { s.variants.clear(); }), HasSubstr("variants = 0"));
  EXPECT_THAT(message([](auto& s) { s.variants.push_back(s.variants[0]); }),
              HasSubstr("gardner is given twice"));
  EXPECT_THAT(message([](auto& s) { s.variants[0].player = "random"; }),
              HasSubstr("which has no visits"));
  EXPECT_THAT(message([](auto& s) { s.variants[0].player = "uniform?visits=9"; }),
              HasSubstr("its own limits"));
  EXPECT_THAT(message([](auto& s) { s.openings = "randm:3"; }), HasSubstr("--openings"));
  const test::TemporaryFolder folder;
  const std::string positions =
      folder.write("positions.txt", "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1\n");
  EXPECT_THAT(message([&](auto& s) { s.openings = positions; }), HasSubstr("a file of moves"));
  const std::string moves = folder.write("moves.txt", "a2a3\nb2b3\n");
  EXPECT_EQ(message([&](auto& s) { s.openings = moves; }), "");
  EXPECT_THAT(message([](auto& s) { s.search_settings = {"search.cpuckt=2"}; }),
              HasSubstr("cpuckt"));
}

SurveySettings alphabeta() {
  SurveySettings settings = gardner();
  settings.variants = assign_players({"gardner"}, {}, "alphabeta");
  settings.openings = "random:4";
  settings.temperature = 0;
  return settings;
}

TEST(SurveySettings, OfAlphaBetaAreInNodes) {
  const SurveySettings settings = alphabeta();
  EXPECT_NO_THROW(check(settings));
  const MatchSetup setup = match_setup(settings, 0, 1);
  EXPECT_EQ(setup.limits[0], MoveLimits{.nodes = 8});
  EXPECT_TRUE(setup.config.own_openings);
  EXPECT_FALSE(match_setup(gardner(), 0, 1).config.own_openings);
  EXPECT_FALSE(counts_visits(settings));
  const SurveySettings read = SurveySettings::from_json(to_json(settings), "survey.json");
  EXPECT_EQ(read.variants, settings.variants);
  EXPECT_EQ(to_json(gardner())["variants"][0].size(), 2U) << "as earlier versions read it";
}

TEST(SurveySettings, RefuseGamesThatAlphaBetaWouldRepeat) {
  const auto message = [](const std::function<void(SurveySettings&)>& change) {
    SurveySettings settings = alphabeta();
    change(settings);
    return message_of([&] { check(settings); });
  };
  EXPECT_THAT(message([](auto& s) { s.openings = "random:0"; }),
              HasSubstr("two plies or more: with fewer, games are repeated"));
  const test::TemporaryFolder folder;
  const std::string file = folder.write("openings.txt", "a2a3\nb2b3\nc2c3\nd2d3\n");
  EXPECT_THAT(message([&](auto& s) { s.openings = file; }),
              HasSubstr("at least 8 openings for 8 games, and it has 4"));
  EXPECT_EQ(message([&](auto& s) {
              s.openings = file;
              s.games = 4;
            }),
            "");
  EXPECT_THAT(message([](auto& s) { s.temperature = 0.5; }),
              HasSubstr("temperature = 0.5: must be 0: alphabeta always plays the best move"));
  EXPECT_THAT(message([](auto& s) { s.variants[0].player = "alphabeta?depth=2"; }),
              HasSubstr("its own limits"));
  EXPECT_THAT(message([](auto& s) { s.variants[0].player = "alphabeta?threads=2"; }),
              HasSubstr("several threads"));
  // Others beside it have a temperature.
  const auto mixed = [](SurveySettings& s) { s.variants.push_back({"chess", "uniform"}); };
  EXPECT_THAT(message(mixed), HasSubstr("would repeat its games"));
  EXPECT_EQ(message([&](auto& s) {
              mixed(s);
              s.temperature = 0.5;
            }),
            "");
}

TEST(SurveySettings, MayBeReadWithoutPlayersAndOpenings) {
  SurveySettings settings = gardner();
  settings.openings = "gone.txt?order=random";
  settings.variants[0].player = "gone.pt";
  settings.variants[0].weights = "0123456789abcdef";
  EXPECT_NO_THROW(check_recorded(settings));
  EXPECT_THROW(check(settings), std::exception);
  settings.games = 5;
  EXPECT_THAT(message_of([&] { check_recorded(settings); }), HasSubstr("'games' is 5"));
  settings.games = 8;
  settings.variants.push_back(settings.variants[0]);
  EXPECT_THAT(message_of([&] { check_recorded(settings); }), HasSubstr("gardner is given twice"));
}

TEST(SurveySettings, NameTheFaultOfAPlayer) {
  const auto json = nlohmann::ordered_json::parse(R"({"variants": [{"variant": "chess"}]})");
  EXPECT_THAT(message_of([&] { SurveySettings::from_json(json, "survey.json"); }),
              HasSubstr("survey.json: variants: key 'player' is missing"));
}

TEST(SurveySettings, MayBeContinuedWithMoreGames) {
  SurveySettings more = gardner();
  more.games = 10;
  EXPECT_NO_THROW(check_same(gardner(), more, "survey.json"));
  EXPECT_THAT(message_of([&] { check_same(more, gardner(), "survey.json"); }),
              HasSubstr("has games = 10, not 8"));
}

TEST(AssignPlayers, GivesTheEvaluatorWhereThereIsNoNet) {
  const auto players = assign_players({"gardner", "inferno:levels=2"}, {}, "material");
  ASSERT_EQ(players.size(), 2U);
  EXPECT_EQ(players[1], (SurveyedVariant{"inferno:levels=2", "material"}));
  EXPECT_THAT(message_of([] { assign_players({"gardner"}, {"random"}, "uniform"); }),
              HasSubstr("is not a net"));
  EXPECT_THAT(message_of([] {
                assign_players({"chess", "chess"}, {}, "uniform");
              }),
              HasSubstr("given twice"));
}

TEST(AssignPlayers, RefusesTwoNetsOfOneVariant) {
  const test::TemporaryFolder folder;
  const std::string net = FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt";
  const std::string other = (folder.path() / "other.pt").string();
  std::filesystem::copy_file(net, other);
  for (const std::vector<std::string>& variants : {std::vector<std::string>{"chess"}, {}})
    EXPECT_THAT(message_of([&] {
                  assign_players(variants, {net, other}, "uniform");
                }),
                AllOf(HasSubstr("other.pt"), HasSubstr("golden/chess.pt already"),
                      HasSubstr("leave one of them out")));
}

TEST(AssignPlayers, TakesTheVariantOfANet) {
  const std::string net = FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt";
  SurveySettings settings = gardner();
  settings.variants = assign_players({}, {net}, "uniform");
  ASSERT_EQ(settings.variants.size(), 1U);
  EXPECT_EQ(settings.variants[0].variant, "chess");
  const test::TemporaryFolder folder;
  enter_folder(settings, folder.path());
  EXPECT_THAT(settings.variants[0].weights, MatchesRegex("[0-9a-f]{16}"));
  EXPECT_EQ(read_survey(folder.path() / "survey.json").variants, settings.variants);
}

TEST(AssignPlayers, TakesTheVariantOfAFastNetwork) {
  const std::string net = FAULTLINE_SOURCE_DIR "/nets/escher.pt";
  const auto players = assign_players({"gardner", "escher"}, {"alphabeta?eval=" + net}, "uniform");
  ASSERT_EQ(players.size(), 2U);
  EXPECT_TRUE(players[0].counts_visits);
  EXPECT_EQ(players[1].player, "alphabeta?eval=" + net);
  EXPECT_FALSE(players[1].counts_visits);
  EXPECT_EQ(assign_players({}, {"alphabeta:eval=" + net}, "uniform")[0], players[1]);
  EXPECT_THAT(message_of([] { assign_players({"gardner"}, {"alphabeta"}, "uniform"); }),
              HasSubstr("--evaluator chooses uniform, material or alphabeta"));
  EXPECT_THAT(
      message_of([&] { assign_players({"gardner"}, {"alphabeta?eval=" + net}, "uniform"); }),
      HasSubstr("is a net of escher, which is not surveyed"));
}

TEST(MatchSetup, HasGamesOfItsOwnForEachVariantAndNumberOfVisits) {
  SurveySettings settings = gardner();
  settings.variants.push_back({"chess", "uniform"});
  const std::uint64_t seed = match_setup(settings, 0, 0).config.seed;
  EXPECT_NE(match_setup(settings, 0, 1).config.seed, seed);
  EXPECT_NE(match_setup(settings, 1, 0).config.seed, seed);
  std::swap(settings.variants[0], settings.variants[1]);
  EXPECT_EQ(match_setup(settings, 1, 0).config.seed, seed) << "whatever else is surveyed beside it";
}

}  // namespace
}  // namespace faultline
