// Dialogues with the engine: what it answers, and in which order.
#include "engine/uci_server.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/checkpoint_file.h"
#include "model/fast/fast_choice.h"
#include "model/fast/fast_encoder.h"
#include "model/fast/fast_file.h"
#include "rules/families/chess.h"
#include "tests/engine/scripted_analyser.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using test::Script;
using test::WrittenLines;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class Engine {
 public:
  explicit Engine(EngineEvaluator evaluator = EngineEvaluator::Uniform,
                  std::optional<std::string> ready = std::nullopt) {
    UciSetup setup;
    setup.find_ready_net = [ready](const std::string& variant) -> std::optional<UciNet> {
      if (!ready || variant != "chess") return std::nullopt;
      return UciNet{.file = *ready};
    };
    setup.settings.evaluator = evaluator;
    setup.backends = &cpu_backends();
    setup.find_net = [](const std::string& name) {
      UciNet net{.file = name};
      if (name.ends_with("inferno.pt")) net.search.params.policy_temperature = 3;
      return net;
    };
    setup.make_analyser = [this](const Game&, EngineEvaluator used, std::shared_ptr<Backend>,
                                 const AnalyserOptions& options) -> std::unique_ptr<Analyser> {
      evaluators.push_back(used);
      made.push_back(options);
      return std::make_unique<test::ScriptedAnalyser>(script);
    };
    server = std::make_unique<UciServer>(std::move(setup),
                                         [this](std::string_view text) { out.add(text); });
  }
  bool hear(std::string_view line) { return server->hear(line); }
  void end_input() { server.reset(); }
  std::vector<std::string> answers() { return out.answers(); }
  /// Searches until it is stopped from now on.
  void be_patient() {
    script.with_lock([](Script& s) { s.ends_by_itself = false; });
  }
  /// Waits until the search has begun.
  void begin(const std::string& go) {
    const std::size_t before = script.with_lock([](Script& s) { return s.searches.size(); });
    hear(go);
    script.wait_for_searches(before + 1);
  }
  SearchLimits limits() {
    return script.with_lock([](Script& s) { return s.searches.back(); });
  }

  Script script;
  WrittenLines out;
  std::vector<AnalyserOptions> made;
  std::vector<EngineEvaluator> evaluators;  // of these
  std::unique_ptr<UciServer> server;
};

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

TEST(UciServer, PlaysEveryAnnouncedVariant) {
  Engine engine;
  std::size_t count = 0;
  for (const std::string& name : announced_variants()) {
    engine.hear("setoption name UCI_Variant value " + name);
    engine.hear("go nodes 1");
    engine.out.wait_for("bestmove", ++count);
  }
  EXPECT_EQ(engine.out.count("info string"), 0U);
  EXPECT_EQ(engine.out.count("bestmove (none)"), 0U);
}

TEST(UciServer, AnUnknownVariantIsReported) {
  Engine engine;
  engine.hear("setoption name UCI_Variant value gardner");
  engine.hear("setoption name UCI_Variant value gardener");
  engine.hear("setoption name UCI_Variant value inferno:levels=9");
  EXPECT_THAT(engine.answers(), ElementsAre(StartsWith("info string setoption: unknown family"),
                                            StartsWith("info string setoption: ")));
}

TEST(UciServer, SettingTheVariantItAlreadyPlaysKeepsThePosition) {
  Engine engine;
  engine.hear("position startpos moves e2e4");
  engine.hear("setoption name UCI_Variant value chess");
  engine.hear("d");
  EXPECT_EQ(engine.out.count("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"), 1U);
}

TEST(UciServer, BadOptionsAreReportedAndTheOldValuesKept) {
  Engine engine;
  for (const char* line :
       {"setoption", "setoption name", "setoption name Hash", "setoption name Hash value -3",
        "setoption name Threads value many", "setoption name Nonsense value 1",
        "setoption name Backend value abacus", "setoption name Net value /nowhere/at/all.pt"})
    engine.hear(line);
  EXPECT_EQ(engine.out.count("info string setoption: "), 8U);
  engine.hear("go nodes 1");
  engine.out.wait_for("bestmove");
  ASSERT_THAT(engine.made, SizeIs(1));
  EXPECT_EQ(engine.made.front().threads, 1);
  EXPECT_EQ(engine.made.front().memory_bytes, std::size_t{256} << 20);
}

TEST(UciServer, TheAnalyserIsMadeFromTheOptionsWhenTheyHaveChanged) {
  Engine engine;
  engine.hear("setoption name Hash value 16");
  engine.hear("setoption name Threads value 3");
  engine.hear("isready");
  engine.hear("go nodes 1");
  engine.hear("setoption name MultiPV value 4");
  engine.hear("go nodes 1");
  engine.hear("setoption name Hash value 32");
  engine.hear("go nodes 1");
  engine.end_input();
  ASSERT_THAT(engine.made, SizeIs(2));
  EXPECT_EQ(engine.made[0].threads, 3);
  EXPECT_EQ(engine.made[0].memory_bytes, std::size_t{16} << 20);
  EXPECT_EQ(engine.made[1].memory_bytes, std::size_t{32} << 20);
  EXPECT_THAT(engine.script.lines, ElementsAre(1, 4, 4));
}

TEST(UciServer, NamesOfOptionsMayBeWrittenInAnyCaseAndWithoutBlanks) {
  Engine engine;
  engine.hear("setoption name clear hash");
  engine.hear("setoption name ClearHash");
  engine.hear("setoption name multi pv value 2");
  engine.hear("go nodes 1");
  engine.end_input();
  EXPECT_EQ(engine.out.count("info string"), 0U);
  EXPECT_THAT(engine.script.lines, ElementsAre(2));
}

TEST(UciServer, MultiPvReportsThatManyLines) {
  Engine engine;
  engine.hear("setoption name MultiPV value 3");
  engine.hear("go nodes 1");
  engine.out.wait_for("bestmove");
  EXPECT_EQ(engine.out.count("info depth 1 seldepth 1 multipv 3"),
            engine.out.count("info depth 1 seldepth 1 multipv 1"));
  EXPECT_EQ(engine.out.count("info depth 1 seldepth 1 multipv 4"), 0U);
}

TEST(UciServer, ANewGameForgetsTheOld) {
  Engine engine;
  engine.hear("go nodes 1");
  engine.hear("ucinewgame");
  engine.hear("setoption name Clear Hash");
  engine.end_input();
  EXPECT_EQ(engine.script.cleared, 2);
}

TEST(UciServer, WithoutANetItSearchesUniformlyAndSaysSo) {
  Engine engine(EngineEvaluator::Net);
  engine.hear("isready");
  engine.hear("go nodes 1");
  engine.out.wait_for("bestmove");
  EXPECT_EQ(engine.out.count("info string no net is set; the uniform evaluator is used instead"),
            2U);
}

TEST(UciServer, AutoPlaysWhatIsStrongerOfItsNetOrOfTheReadyOne) {
  const test::TemporaryFolder folder;
  const std::string net = (folder.path() / "chess.pt").string();
  std::filesystem::copy_file(FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt", net);
  const auto evaluator_of = [&](Engine& engine) {
    engine.hear("isready");
    return engine.evaluators.back();
  };
  const std::string says = "info string Evaluator auto: ";
  Engine bare(EngineEvaluator::Auto);
  EXPECT_EQ(evaluator_of(bare), EngineEvaluator::AlphaBeta);
  EXPECT_EQ(bare.out.count(says + "alphabeta, as there is no net of this variant"), 1U);

  Engine ready(EngineEvaluator::Auto, net);
  EXPECT_EQ(evaluator_of(ready), EngineEvaluator::Net);
  evaluator_of(ready);  // says it once
  EXPECT_EQ(ready.out.count(says + "net of " + net), 1U);
  ready.hear("setoption name UCI_Variant value gardner");
  EXPECT_EQ(evaluator_of(ready), EngineEvaluator::AlphaBeta);

  const auto layout = FastEncoder<ChessPosition>::layout(ChessPosition::variant({"chess", {}}));
  CheckpointFile both = CheckpointFile::read(net);
  write_fast_weights(both, FastTrainer(layout, 1));
  both.write(net);
  for (const auto& [score, expected] :
       {std::pair{0.45, EngineEvaluator::Net}, std::pair{0.775, EngineEvaluator::Fast}}) {
    store_fast_match(net, {.milliseconds = 20, .games = 40, .score = score});
    Engine engine(EngineEvaluator::Uniform);
    engine.hear("setoption name Net value " + net);
    EXPECT_EQ(evaluator_of(engine), expected);
  }
  Engine engine(EngineEvaluator::Auto, net);
  evaluator_of(engine);
  EXPECT_EQ(engine.out.count(says + "fast of " + net +
                             "; the fast network scores 77.5 % against the other one at 20 ms per "
                             "move (40 games)"),
            1U);
}

TEST(UciServer, ASearchThatFailsStillAnswersWithALegalMove) {
  Engine engine;
  engine.script.with_lock([](Script& s) { s.fails = true; });
  engine.hear("go nodes 1 searchmoves g1f3");
  engine.out.wait_for("bestmove g1f3");
  EXPECT_EQ(engine.out.count("info string the search failed: out of order"), 1U);
  engine.script.with_lock([](Script& s) { s.fails = false, s.finds_nothing = true; });
  engine.hear("go nodes 1 searchmoves b1c3");
  engine.out.wait_for("bestmove b1c3");
}

TEST(UciServer, IllegalSearchmovesAreReported) {
  Engine engine;
  engine.hear("go nodes 1 searchmoves e2e5 e2e4 e2e4");
  engine.out.wait_for("bestmove e2e4");
  EXPECT_EQ(engine.out.count("info string go searchmoves: 'e2e5'"), 1U);
  EXPECT_THAT(engine.limits().search_moves, SizeIs(1));
  engine.hear("go nodes 1 searchmoves z9");
  engine.out.wait_for("bestmove", 2);
  EXPECT_THAT(engine.limits().search_moves, IsEmpty());
}

TEST(UciServer, ATemperatureVariesTheMoves) {
  Engine engine;
  engine.hear("setoption name Temperature value 1");
  for (int i = 0; i < 40; ++i)
    engine.hear("go nodes 1");
  engine.end_input();
  std::vector<std::string> moves = engine.answers();
  std::ranges::sort(moves);
  moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
  EXPECT_GT(moves.size(), 5U);
}

TEST(UciServer, ThePolicyTemperatureIsTheNetsUnlessItIsSet) {
  Engine engine;
  const std::string folder =
      "setoption name Net value " FAULTLINE_SOURCE_DIR "/tests/model/golden/";
  const auto temperature = [&](const std::string& option) {
    engine.hear(option);
    engine.hear("isready");
    return engine.made.back().search.params.policy_temperature;
  };
  EXPECT_EQ(temperature("setoption name Threads value 1"), 1.0F);
  EXPECT_EQ(temperature(folder + "chess.pt"), 1.0F);
  EXPECT_EQ(temperature(folder + "inferno.pt"), 3.0F);
  EXPECT_EQ(temperature("setoption name PolicyTemperature value 1.5"), 1.5F);
  EXPECT_EQ(temperature("setoption name PolicyTemperature value 0"), 3.0F);
  EXPECT_EQ(temperature("setoption name Net value <empty>"), 1.0F);
}

TEST(UciServer, LimitedStrengthLimitsTheVisits) {
  Engine engine;
  engine.hear("setoption name UCI_LimitStrength value true");
  engine.hear("setoption name UCI_Elo value 600");
  engine.hear("go movetime 100000");
  engine.out.wait_for("bestmove");
  EXPECT_EQ(engine.limits().visits, 1U);
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
