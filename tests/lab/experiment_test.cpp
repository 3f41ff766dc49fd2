// What all experiments share: their table of settings, and the folder that is continued.
#include "lab/experiment.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lab/tournaments.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using test::message_of;
using testing::AllOf;
using testing::HasSubstr;

/// The settings of an experiment in a folder, entered as often as wanted.
class ExperimentTest : public testing::Test {
 protected:
  std::string refusal() {
    TournamentSettings given = settings_;
    return message_of([&] { enter_folder(given, place_); });
  }
  nlohmann::ordered_json stored() const { return read_json_file(place_ / "tournament.json"); }
  /// As older programs wrote the settings, without the key.
  void forget(const std::string& key) {
    nlohmann::ordered_json json = stored();
    EXPECT_EQ(json.erase(key), 1U);
    test::write_text(place_ / "tournament.json", json.dump());
  }

  test::TemporaryFolder folder_;
  fs::path place_ = folder_.path() / "t";
  TournamentSettings settings_ = test::three_players();
};

TEST_F(ExperimentTest, IsContinuedWithTheSameSettings) {
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(stored(), to_json(settings_));
  settings_.rounds = 2;
  EXPECT_EQ(refusal(), "") << "more are possible";
  settings_.rounds = 1;
  EXPECT_THAT(refusal(), AllOf(HasSubstr(
                             "tournament.json has rounds = 2, not 1: continue the tournament as it "
                             "was begun (more rounds are possible)")));
  settings_.rounds = 2;
  settings_.openings = "random:4";
  EXPECT_THAT(refusal(), HasSubstr("has openings = \"random:6\", not \"random:4\""));
  settings_.openings = "random:6";
  settings_.players.pop_back();
  EXPECT_THAT(refusal(), HasSubstr("has players = "));
}

TEST_F(ExperimentTest, KeysThatOlderProgramsDidNotWriteHaveTheirDefaults) {
  ASSERT_EQ(refusal(), "");
  forget("search_settings");
  EXPECT_EQ(refusal(), "");
  forget("search_settings");
  settings_.search_settings = {"search.cpuct=2"};
  EXPECT_THAT(refusal(), HasSubstr("has search_settings = "));
}

TEST_F(ExperimentTest, IsNotBegunAmongAnothersFiles) {
  fs::create_directories(place_);
  test::write_text(place_ / "games.pgn", "");
  EXPECT_THAT(refusal(), HasSubstr("games.pgn exists without tournament.json"));
  fs::remove(place_ / "games.pgn");
  test::write_text(place_ / "state.json", "{}");
  EXPECT_THAT(refusal(), HasSubstr("contains a run (state.json)"));
  place_ = place_ / "state.json";
  EXPECT_THAT(refusal(), HasSubstr("state.json: cannot be created"));
}

TEST_F(ExperimentTest, IsNotContinuedWithAnotherFileOfOpenings) {
  settings_.openings = folder_.write("book.txt", "a2a3\nb2b3\n");
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(refusal(), "");
  folder_.write("book.txt", "e2e3\nd2d3\n");
  EXPECT_THAT(refusal(), HasSubstr("book.txt has other contents"));
  forget("openings_from");
  EXPECT_EQ(refusal(), "") << "older programs did not keep the hash";
  EXPECT_FALSE(stored().contains("openings_from"));
}

TEST_F(ExperimentTest, IsNotContinuedWithOtherWeights) {
  const fs::path golden = FAULTLINE_SOURCE_DIR "/tests/model/golden";
  const fs::path net = folder_.path() / "net.pt";
  fs::copy_file(golden / "chess.pt", net);
  settings_ = test::settings_of(
      {"a=" + net.string() + "?visits=2", "b=random", "c=policy:" + net.string()});
  settings_.variant = "chess";
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(refusal(), "");
  nlohmann::ordered_json json = stored();
  const std::string weights = json["players"][0]["weights"];
  EXPECT_EQ(weights.size(), 16U);
  EXPECT_FALSE(json["players"][1].contains("weights"));
  EXPECT_EQ(json["players"][2]["weights"], weights);

  fs::copy_file(golden / "inferno.pt", net, fs::copy_options::overwrite_existing);
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr(net.string() + " has other weights"), HasSubstr("not " + weights)));
  for (auto& player : json["players"])
    player.erase("weights");
  test::write_text(place_ / "tournament.json", json.dump());
  EXPECT_EQ(refusal(), "") << "older programs did not keep the weights";
}

TEST(ExperimentFiles, AreRefusedByTheFileAndKey) {
  const test::TemporaryFolder folder;
  const auto refusal = [&](const std::string& text) {
    const std::string file = folder.write("t.json", text);
    return message_of([&] { read_tournament(file); });
  };
  const std::string players = R"("variant": "gardner", "players": ["a=uniform", "random"])";
  EXPECT_EQ(refusal("{" + players + "}"), "");
  EXPECT_THAT(refusal("{"), HasSubstr("t.json: is not JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("t.json: expected a JSON object"));
  EXPECT_THAT(refusal("{" + players + R"(, "game": 4})"),
              HasSubstr("t.json: there is no key 'game'; did you mean 'games'?"));
  EXPECT_THAT(refusal("{" + players + R"(, "nodes": -7})"),
              HasSubstr("t.json: key 'nodes' is '-7', but must be a whole number, at least 0"));
  EXPECT_THAT(refusal(R"({"variant": "gardner"})"), HasSubstr("key 'players' is missing"));
  EXPECT_THAT(refusal(R"({"players": []})"), HasSubstr("key 'variant' is missing"));
  EXPECT_THAT(refusal(R"({"variant": "gardner", "players": [3]})"), HasSubstr("3 is no player"));
  EXPECT_THAT(message_of([] { read_tournament("/none/t.json"); }), HasSubstr("cannot be opened"));
}

TEST(GameSettings, EachLimitIsARow) {
  const auto refusal = [](const std::string& key, const OptionValue& value) {
    GameSettings settings;
    const std::vector<Option> all = options(settings);
    return message_of([&] { assign_given(all, {{key, value}}); });
  };
  constexpr std::int64_t kMillion = 1'000'000;
  for (const char* key :
       {"visits", "nodes", "evaluations", "time_ms", "max_plies", "temperature_plies", "seed"}) {
    EXPECT_EQ(refusal(key, std::int64_t{0}), "") << key;
    EXPECT_THAT(refusal(key, std::int64_t{-1}), HasSubstr(key)) << key;
  }
  EXPECT_EQ(refusal("visits", 10 * kMillion), "");
  EXPECT_THAT(refusal("visits", 10 * kMillion + 1), HasSubstr("0 to 10000000"));
  EXPECT_THAT(refusal("evaluations", 10 * kMillion + 1), HasSubstr("0 to 10000000"));
  EXPECT_THAT(refusal("time_ms", std::int64_t{3'600'001}), HasSubstr("0 to 3600000"));
  EXPECT_THAT(refusal("max_plies", std::int64_t{100'001}), HasSubstr("0 to 100000"));
  EXPECT_THAT(refusal("temperature", 100.5), HasSubstr("0 to 100"));
  EXPECT_THAT(refusal("cut", std::string("lost")), HasSubstr("apart, draws"));
  EXPECT_EQ(refusal("nodes", std::int64_t{1} << 60), "");
}

TEST(GameSettings, GivenLimitsReplaceAll) {
  GameSettings settings;
  assign_given(settings, options(settings), {{"time_ms", std::int64_t{20}}});
  EXPECT_EQ(settings.limits, (MoveLimits{.time_ms = 20}));
  assign_given(settings, options(settings), {{"openings", std::string("4")}});
  EXPECT_EQ(settings.openings, "random:4") << "as others write it";
  EXPECT_EQ(settings.limits.time_ms, 20);
}

TEST(GameSettings, DescribeAMatch) {
  GameSettings settings;
  settings.limits = {.nodes = 7};
  settings.openings = "balanced:8";
  settings.adjudicate_draw = "score=0.25";
  settings.cut = CutGames::Draws;
  settings.max_plies = 90;
  settings.temperature = 0.5;
  settings.temperature_plies = 12;
  settings.search_settings = {"search.cpuct=2"};
  settings.seed = 5;
  const PlayerSpec player = find_player("uniform");
  const MatchSetup setup = match_setup(settings, "gardner", {player, player});
  EXPECT_EQ(setup.variant, "gardner");
  EXPECT_EQ(setup.limits[1].nodes, 7);
  EXPECT_EQ(text(setup.config.openings), text(parse_opening_source("balanced:8")));
  EXPECT_EQ(setup.config.adjudication.draw_score, 0.25);
  EXPECT_EQ(setup.config.cut, CutGames::Draws);
  EXPECT_EQ(setup.config.max_plies, 90);
  EXPECT_EQ(setup.config.temperature, 0.5F);
  EXPECT_EQ(setup.config.temperature_plies, 12);
  EXPECT_EQ(setup.config.seed, 5U);
  EXPECT_EQ(setup.search_settings, settings.search_settings);
}

}  // namespace
}  // namespace faultline
