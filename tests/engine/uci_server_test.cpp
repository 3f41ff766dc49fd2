// Dialogues with the engine: what it answers, and in which order.
#include "engine/uci_server.h"

#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/scripted_engine.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using test::Engine;
using test::Script;
using test::WrittenLines;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

TEST(UciServer, IntroducesItselfAndIsReady) {
  Engine engine;
  engine.hear("uci");
  engine.hear("isready");
  const auto lines = engine.answers();
  EXPECT_THAT(lines.front(), StartsWith("id name"));
  ASSERT_GE(lines.size(), 3U);
  EXPECT_EQ(lines[lines.size() - 2], "uciok");
  EXPECT_EQ(lines.back(), "readyok");
}

TEST(UciServer, EveryGoGetsOneBestmove) {
  Engine engine;
  for (int i = 0; i < 20; ++i)
    engine.hear("go nodes 5");
  engine.end_input();
  EXPECT_EQ(engine.out.count("bestmove "), 20U);
}

TEST(UciServer, ABestmoveIsTheLastWordOfItsSearch) {
  Engine engine;
  engine.hear("go nodes 5");
  engine.out.wait_for("bestmove");
  const auto lines = engine.out.all();
  EXPECT_THAT(lines.front(), StartsWith("info depth 1"));
  EXPECT_THAT(lines.back(), StartsWith("bestmove "));
}

TEST(UciServer, StopEndsASearchAndIsIgnoredWithoutOne) {
  Engine engine;
  engine.be_patient();
  engine.hear("stop");
  engine.begin("go infinite");
  EXPECT_EQ(engine.out.count("bestmove"), 0U);
  engine.hear("stop");
  engine.out.wait_for("bestmove");
  engine.hear("stop");
  engine.end_input();
  EXPECT_EQ(engine.out.count("bestmove"), 1U);
}

TEST(UciServer, InfiniteHoldsItsBestmoveThoughTheSearchHasEnded) {
  for (const char* go : {"go infinite", "go", "go infinite nodes 5", "go infinite depth 1"}) {
    Engine engine;
    engine.begin(go);
    engine.hear("isready");
    engine.hear("d");
    EXPECT_EQ(engine.out.count("bestmove"), 0U) << go;
    engine.hear("stop");
    engine.out.wait_for("bestmove");
  }
}

TEST(UciServer, IsReadyWhileItSearches) {
  Engine engine;
  engine.be_patient();
  engine.begin("go infinite");
  engine.hear("isready");
  EXPECT_EQ(engine.out.count("readyok"), 1U);
  EXPECT_EQ(engine.out.count("bestmove"), 0U);
  engine.hear("stop");
  engine.end_input();
  EXPECT_THAT(engine.answers(), ElementsAre("readyok", StartsWith("bestmove")));
}

TEST(UciServer, AGoDuringASearchStopsThatOneFirst) {
  Engine engine;
  engine.be_patient();
  engine.begin("go infinite");
  engine.begin("go infinite searchmoves e2e4");
  EXPECT_EQ(engine.out.count("bestmove"), 1U);
  engine.hear("stop");
  engine.end_input();
  EXPECT_EQ(engine.out.count("bestmove"), 2U);
  EXPECT_EQ(engine.out.all().back(), "bestmove e2e4");
}

TEST(UciServer, APositionDuringASearchStopsItFirst) {
  Engine engine;
  engine.be_patient();
  engine.begin("go infinite searchmoves e2e4");
  engine.hear("position startpos moves e2e4");
  EXPECT_EQ(engine.answers(), std::vector<std::string>{"bestmove e2e4"});
  engine.hear("go infinite searchmoves e7e5");
  engine.hear("stop");
  engine.out.wait_for("bestmove e7e5");
}

TEST(UciServer, QuitAndTheEndOfTheInputEndASearchWithItsBestmove) {
  for (const bool quits : {true, false}) {
    Engine engine;
    engine.be_patient();
    engine.hear("go infinite");
    if (quits) {
      EXPECT_FALSE(engine.hear("quit"));
      EXPECT_EQ(engine.out.count("bestmove"), 1U);
    }
    engine.end_input();
    EXPECT_EQ(engine.out.count("bestmove"), 1U);
  }
}

TEST(UciServer, PonderingHoldsItsBestmoveUntilPonderhit) {
  Engine engine;
  engine.hear("position startpos moves e2e4");
  engine.begin("go ponder wtime 1000 btime 1000");
  EXPECT_FALSE(engine.limits().time) << "the opponent's time is not ours";
  engine.hear("isready");
  EXPECT_EQ(engine.out.count("bestmove"), 0U);
  engine.hear("ponderhit");
  engine.out.wait_for("bestmove");
}

TEST(UciServer, AfterPonderhitTheSearchGoesOnAgainstTheClock) {
  Engine engine;
  engine.be_patient();
  engine.begin("go ponder wtime 10000000 btime 10000000");
  engine.hear("ponderhit");
  engine.script.wait_for_searches(2);
  ASSERT_TRUE(engine.limits().time);
  EXPECT_LT(*engine.limits().time, 10000s);
  EXPECT_EQ(engine.out.count("bestmove"), 0U);
  engine.hear("stop");
  engine.end_input();
  EXPECT_EQ(engine.out.count("bestmove"), 1U);
}

TEST(UciServer, PonderingHoldsItsBestmoveThoughADepthOrAMateIsReached) {
  for (const char* go : {"go ponder depth 1", "go ponder mate 1", "go ponder mate 3 wtime 5",
                         "go ponder depth 1 movetime 1", "go ponder nodes 1"})
    for (const char* answer : {"ponderhit", "stop"}) {
      Engine engine;
      engine.script.with_lock([](Script& s) { s.mate_plies = 1; });
      engine.begin(go);
      engine.hear("isready");
      engine.hear("d");
      std::this_thread::sleep_for(20ms);  // the search has ended long since
      EXPECT_EQ(engine.out.count("bestmove"), 0U) << go;
      engine.hear(answer);
      engine.out.wait_for("bestmove");
      engine.end_input();
      EXPECT_EQ(engine.out.count("bestmove"), 1U) << go << ", " << answer;
    }
}

TEST(UciServer, AStopWhilePonderingIsAnsweredAtOnce) {
  Engine engine;
  engine.be_patient();
  engine.begin("go ponder movetime 1000000");
  engine.hear("stop");
  engine.out.wait_for("bestmove");
  engine.hear("ponderhit");
  engine.end_input();
  EXPECT_EQ(engine.out.count("bestmove"), 1U);
}

TEST(UciServer, PassesTheLimitsOn) {
  Engine engine;
  engine.begin("go nodes 1234 depth 7");
  EXPECT_EQ(engine.limits().nodes, 1234U);
  EXPECT_EQ(engine.limits().new_visits, 1234U);
  EXPECT_EQ(engine.limits().depth, 7);
  EXPECT_FALSE(engine.limits().time);
  engine.begin("go movetime 500");
  ASSERT_TRUE(engine.limits().time);
  EXPECT_LE(*engine.limits().time, 470ms);
  engine.begin("go nodes 0 depth 0");
  EXPECT_GE(engine.limits().nodes, 1U);
  EXPECT_GE(engine.limits().depth, 1);
}

TEST(UciServer, AFallenFlagGetsAMoveAtOnce) {
  Engine engine;
  engine.hear("go wtime -100 btime 5000");
  engine.out.wait_for("bestmove");
  EXPECT_EQ(*engine.limits().time, 0ms);
}

TEST(UciServer, TheOnlyMoveIsPlayedAfterOneVisitUnderAClock) {
  Engine engine;
  engine.hear("position fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1");  // a1b2 alone
  engine.hear("go wtime 100000 btime 100000");
  engine.out.wait_for("bestmove a1b2");
  EXPECT_EQ(engine.limits().new_visits, 1U);
}

TEST(UciServer, AMateInTimeEndsGoMate) {
  Engine engine;
  engine.be_patient();
  engine.script.with_lock([](Script& s) { s.mate_plies = 5; });
  engine.hear("go mate 3");
  engine.out.wait_for("bestmove");
  engine.begin("go mate 2");
  engine.hear("stop");
  engine.end_input();
  EXPECT_EQ(engine.out.count("bestmove"), 2U);
}

TEST(UciServer, WithoutALegalMoveThereIsNoBestmoveAndWinnerAndReasonAreSaid) {
  for (const auto& [fen, why] : std::vector<std::pair<std::string, std::string>>{
           {"7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "White wins by checkmate"},
           {"7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", "a draw by stalemate"}}) {
    Engine engine;
    engine.hear("position fen " + fen);
    engine.hear("go nodes 10");
    engine.out.wait_for("bestmove");
    EXPECT_THAT(engine.answers(),
                ElementsAre("info string the game is over: " + why, "bestmove (none)"));
    engine.hear("go infinite");
    engine.hear("isready");
    EXPECT_EQ(engine.out.count("bestmove"), 1U);
    engine.hear("stop");
    engine.out.wait_for("bestmove", 2);
    engine.hear("go ponder");
    engine.hear("isready");
    EXPECT_EQ(engine.out.count("bestmove"), 2U);
    engine.hear("ponderhit");
    engine.out.wait_for("bestmove", 3);
  }
}

TEST(UciServer, SearchesWhereADrawCouldBeClaimed) {
  for (const char* position :
       {"fen 7k/5K2/8/8/8/8/8/8 w - - 0 1", "fen 7k/5K2/8/8/8/8/Q7/8 w - - 100 80",
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"})
    for (const EngineEvaluator evaluator : {EngineEvaluator::Uniform, EngineEvaluator::AlphaBeta}) {
      WrittenLines out;
      UciSetup setup;
      setup.settings.evaluator = evaluator;
      setup.backends = &cpu_backends();
      UciServer server(std::move(setup), [&](std::string_view text) { out.add(text); });
      server.hear(std::string("position ") + position);
      server.hear("go nodes 200");
      out.wait_for("bestmove");
      EXPECT_THAT(out.answers(), ElementsAre(testing::Not(HasSubstr("(none)")))) << position;
    }
}

/// What is refused leaves nothing behind that could be searched in its place.
TEST(UciServer, AfterARefusedPositionOrVariantThereIsNone) {
  for (const char* refused :
       {"position fen ", "position fen 8", "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position start", "position startpos moves e2e4 e2e4 e7e5",
        "setoption name UCI_Variant value gardener"}) {
    Engine engine;
    engine.hear("position startpos moves e2e4");
    engine.hear(refused);
    EXPECT_EQ(engine.out.count("info string "), 1U) << refused;
    engine.hear("go nodes 5");
    engine.out.wait_for("bestmove");
    engine.hear("go perft 2");
    engine.out.wait_for("info string go: ", 2);  // isready is answered while it goes on
    engine.hear("d");
    engine.hear("isready");
    EXPECT_THAT(
        engine.answers(),
        ElementsAre(StartsWith("info string "), StartsWith("info string go: "), "bestmove (none)",
                    StartsWith("info string go: "), StartsWith("info string d: "), "readyok"))
        << refused;
    engine.hear("setoption name UCI_Variant value chess");
    engine.hear("position startpos moves e2e4");
    engine.hear("go nodes 5");
    engine.out.wait_for("bestmove", 2);
    EXPECT_EQ(engine.out.count("bestmove (none)"), 1U);
  }
  Engine engine;
  engine.hear("position startpos moves e2e4 e2e4 e7e5");
  EXPECT_THAT(engine.answers().front(),
              AllOf(StartsWith("info string position"), HasSubstr("move 2, 'e2e4'")));
}

TEST(UciServer, ThePositionIsShownWithTheLastMoveAndTheLevelsThatFell) {
  Engine engine;
  engine.hear("setoption name UCI_Variant value inferno:levels=2");
  engine.hear("position fen 7k/1n6/8/8/8/8/8/7K|k7/8/2K5/8/8/8/1Q6/8 w -|- - 3 7 moves 2b2-2b7");
  engine.hear("d");
  EXPECT_EQ(engine.out.count("Last move: Q2b7(2)"), 1U);
  EXPECT_EQ(engine.out.count("Event: Q2b7(2): White wins level 2: "), 1U);
  engine.hear("setoption name UCI_Variant value chess");
  engine.hear("d");
  EXPECT_EQ(engine.out.count("Last move: "), 1U) << "another game has no moves yet";
}

TEST(UciServer, PerftCountsEveryMoveAndHasNoBestmove) {
  Engine engine;
  engine.hear("go perft 3");
  engine.out.wait_for("Nodes searched: 8902");
  EXPECT_EQ(engine.out.count("e2e4: 600"), 1U);
  engine.hear("go perft 50");
  engine.hear("isready");
  engine.hear("stop");
  engine.out.wait_for("info string perft was stopped");
  EXPECT_EQ(engine.out.count("bestmove"), 0U);
}

TEST(UciServer, BenchPrintsItsSignatureOrIsStopped) {
  Engine engine;
  engine.hear("bench");
  engine.hear("stop");
  engine.out.wait_for("info string bench was stopped");
  engine.hear("bench");
  EXPECT_FALSE(engine.hear("quit"));
  engine.end_input();
  EXPECT_EQ(engine.out.count("Signature: "), 0U);
  EXPECT_EQ(engine.out.count("bestmove"), 0U);
}

TEST(UciServer, GarbageIsReportedPrintablyAndDoesNoHarm) {
  Engine engine;
  EXPECT_TRUE(engine.hear(""));
  EXPECT_TRUE(engine.hear(std::string_view("\0\0", 2)));
  EXPECT_TRUE(engine.hear("\x1b[2J\xff\xfe"));
  EXPECT_TRUE(engine.hear(std::string(100'000, 'x')));
  EXPECT_TRUE(engine.hear("isready\r"));
  const auto lines = engine.answers();
  EXPECT_THAT(lines, SizeIs(3));
  for (const std::string& line : lines) {
    EXPECT_LT(line.size(), 200U);
    for (const char c : line)
      EXPECT_TRUE(c >= ' ' && c <= '~');
  }
  EXPECT_EQ(lines.back(), "readyok");
}

}  // namespace
}  // namespace faultline
