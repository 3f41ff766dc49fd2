// Searches that go on in slices.
#include "web/sliced_searches.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "play/game.h"
#include "report/report_json.h"

namespace faultline {
namespace {

/// Messages of searches by alpha-beta and material, as they come.
struct Sliced {
  std::vector<ReportJson> messages;
  web::SlicedSearches searches{
      [](const std::string& name, const Game& game) {
        web::SlicedPlayer player;
        player.name = name;
        player.alpha_beta = name == "alphabeta";
        if (!player.alpha_beta) player.evaluator = game.material_evaluator();
        return player;
      },
      [this](ReportJson message) { messages.push_back(std::move(message)); },
      {.search = 4U << 20U, .analysis = 4U << 20U, .review = 4U << 20U}};

  int finish() {
    int slices = 0;
    for (; searches.is_busy(); ++slices)
      searches.advance(std::chrono::milliseconds(5));
    return slices;
  }
};

TEST(SlicedSearches, FindMovesInSlices) {
  for (const std::string player : {"alphabeta", "material"}) {
    Sliced sliced;
    const int limit = player == "alphabeta" ? 30'000 : 500;
    sliced.searches.search({{"game", "gardner"},
                            {"moves", ReportJson::array()},
                            {"player", player},
                            {"visits", limit}},
                           7);
    EXPECT_TRUE(sliced.messages.empty());
    sliced.finish();
    ASSERT_EQ(sliced.messages.size(), 1U) << player;
    const ReportJson& reply = sliced.messages[0];
    EXPECT_EQ(reply["id"], 7);
    EXPECT_GE(reply["ok"]["line"].size(), 1U) << reply;
    EXPECT_GE(reply["ok"][player == "alphabeta" ? "nodes" : "visits"].get<int>(), limit) << reply;
  }
}

TEST(SlicedSearches, AStoppedSearchSaysSoAndAnAnalysisTellsItsLastReport) {
  Sliced sliced;
  const ReportJson place = {{"game", "escher"},
                            {"moves", ReportJson::array()},
                            {"player", "material"},
                            {"key", "k"},
                            {"lines", 2}};
  sliced.searches.search(place, 1);
  sliced.searches.stop({{"what", "search"}});
  ASSERT_EQ(sliced.messages.size(), 1U);
  EXPECT_EQ(sliced.messages[0]["error"], "stopped");
  sliced.messages.clear();
  sliced.searches.analyse(place);
  for (int i = 0; i < 3; ++i)
    sliced.searches.advance(std::chrono::milliseconds(10));
  EXPECT_TRUE(sliced.searches.is_busy());
  sliced.searches.stop({{"what", "analyse"}});
  EXPECT_FALSE(sliced.searches.is_busy());
  const ReportJson& last = sliced.messages.back()["report"];
  EXPECT_EQ(last["done"], true);
  EXPECT_EQ(last["lines"].size(), 2U) << last;
  EXPECT_GT(last["nodes"], 0);
}

TEST(SlicedSearches, AnAnalysisOfAWonPositionEnds) {
  Sliced sliced;  // black's king is alone in the corner: mate in one
  sliced.searches.analyse({{"game", "chess"},
                           {"fen", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"},
                           {"moves", ReportJson::array()},
                           {"player", "alphabeta"},
                           {"key", "k"},
                           {"lines", 1}});
  EXPECT_LT(sliced.finish(), 200);
  EXPECT_EQ(sliced.messages.back()["report"]["lines"][0]["mate"], 1) << sliced.messages.back();
}

TEST(SlicedSearches, ReviewAGame) {
  Sliced sliced;
  sliced.searches.review({{"game", "chess"},
                          {"moves", {"f2f3", "e7e5", "g2g4"}},
                          {"player", "alphabeta"},
                          {"key", "k"},
                          {"visits", 5000}});
  sliced.finish();
  const ReportJson& report = sliced.messages.back()["report"];
  ASSERT_EQ(report["plies"].size(), 3U) << report;
  EXPECT_EQ(report["plies"][2]["mark"], "??") << report;
}

}  // namespace
}  // namespace faultline
