// The engine's options: variants, nets, what plays, and how strongly.
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/checkpoint_file.h"
#include "model/fast/fast_choice.h"
#include "model/fast/fast_encoder.h"
#include "model/fast/fast_file.h"
#include "rules/families/chess.h"
#include "tests/engine/scripted_engine.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::Engine;
using test::Script;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

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

}  // namespace
}  // namespace faultline
