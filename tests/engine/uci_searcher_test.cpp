// External engines as searchers: results, failures, and games that go on after them.
#include "engine/uci_searcher.h"

#include <algorithm>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "play/game_driver.h"
#include "tests/engine/fake_engine_spec.h"
#include "tests/families.h"
#include "tests/family_traits.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using Chess = ChessPosition;
using test::fake_engine;
using test::impatient;
using testing::HasSubstr;
using testing::StartsWith;

std::shared_ptr<UciEnginePool> pool(UciEngineSpec spec, std::string variant = "chess") {
  return std::make_shared<UciEnginePool>(std::move(spec), std::move(variant));
}

PositionHistory<Chess> game(const std::vector<const char*>& moves = {}) {
  PositionHistory<Chess> history(Chess::start({}));
  for (const char* move : moves)
    history.play(history.position().parse_move(move).value());
  return history;
}
PositionHistory<Chess> game_from(const std::string& fen) {
  return PositionHistory<Chess>(Chess::from_fen({}, fen));
}

template <Position P>
SearchResult search(Searcher<P>& searcher, const PositionHistory<P>& history,
                    const SearchLimits& limits = {}) {
  EvalBatch<P> batch;
  UniformEvaluator<P> unused;
  std::mt19937_64 rng(1);
  return run_search<P>(searcher, &unused, batch, history, limits, rng);
}

SearchResult result_reporting(const std::string& report, const PositionHistory<Chess>& history) {
  const auto searcher = make_uci_searcher<Chess>(pool(fake_engine("'report=" + report + "'")));
  return search(*searcher, history);
}

template <Position P>
GameEnd play(std::array<Player<P>, 2> players, const PositionHistory<P>& start, int max_plies) {
  GameDriver<P> driver(start, std::move(players), {.max_plies = max_plies}, std::mt19937_64(2),
                       nullptr);
  EvalBatch<P> batch;
  while (!driver.is_over())
    driver.gather(batch);
  return driver.end();
}

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  std::istringstream text(test::read_text(file));
  for (std::string line; std::getline(text, line);)
    lines.push_back(line);
  return lines;
}

TEST(UciSearcher, ReturnsAResultThatPlayersCanUse) {
  const PositionHistory<Chess> history = game({"e2e4"});
  const SearchResult result =
      result_reporting("depth 7 seldepth 9 score cp 400 nodes 1234 pv zzzz", history);
  EXPECT_TRUE(history.position().parse_move(history.position().move_text(result.move)));
  EXPECT_EQ(result.variation, std::vector{result.move});
  EXPECT_EQ(result.depth, 7);
  EXPECT_EQ(result.selective_depth, 9);
  EXPECT_EQ(result.nodes, 1234U);
  EXPECT_FALSE(result.mate_plies);
  ASSERT_EQ(result.policy.size(), history.position().count_legal_moves());
  ASSERT_EQ(result.root_moves.size(), result.policy.size());
  std::mt19937_64 rng(1);
  for (const float temperature : {0.0F, 1.0F})
    EXPECT_EQ(pick_move(result, temperature, rng), result.move);
  for (std::size_t i = 0; i < result.policy.size(); ++i)
    EXPECT_EQ(result.policy[i] > 0, result.root_moves[i].move == result.move);
}

TEST(UciSearcher, TakesTheVariationAsFarAsItIsLegal) {
  const PositionHistory<Chess> history = game_from("7k/8/8/8/8/8/8/K7 w - - 0 1");
  const Move first = result_reporting("depth 1", history).move;
  const std::string text = history.position().move_text(first);
  const SearchResult result =
      result_reporting("depth 3 score cp 0 pv " + text + " h8g8 h1h8 a1a2", history);
  ASSERT_EQ(result.variation.size(), 2U);
  EXPECT_EQ(result.variation[0], first);
  EXPECT_EQ(result_reporting("depth 3 score cp 0 pv h8g8", history).variation, std::vector{first});
}

TEST(UciSearcher, ReadsValuesAsTheMoverSeesThem) {
  const PositionHistory<Chess> history = game({"e2e4"});
  const SearchResult wdl = result_reporting("depth 1 score cp 30 wdl 200 700 100 pv", history);
  EXPECT_FLOAT_EQ(wdl.value.win, 0.2F);
  EXPECT_FLOAT_EQ(wdl.value.draw, 0.7F);
  EXPECT_FLOAT_EQ(wdl.value.loss, 0.1F);
  // 400 centipawns are odds of ten to one.
  const SearchResult behind = result_reporting("depth 1 score cp -400", history);
  EXPECT_FLOAT_EQ(behind.value.win, 1.0F / 11);
  EXPECT_FLOAT_EQ(behind.value.loss, 10.0F / 11);
  EXPECT_FLOAT_EQ(behind.value.draw, 0);
  const SearchResult mates = result_reporting("depth 1 score mate 3", history);
  EXPECT_FLOAT_EQ(mates.value.value(), 1);
  EXPECT_EQ(mates.mate_plies, 5);
  const SearchResult mated = result_reporting("depth 1 score mate -2", history);
  EXPECT_FLOAT_EQ(mated.value.value(), -1);
  EXPECT_EQ(mated.mate_plies, -4);
  const SearchResult nothing = result_reporting("string hello", history);
  EXPECT_FLOAT_EQ(nothing.value.draw, 1);
}

TEST(UciSearcher, SendsTheWholeGameAndItsLimits) {
  const test::TemporaryFolder folder;
  const std::string log = (folder.path() / "log").string();
  {
    UciEngineSpec spec = fake_engine("log=" + log);
    spec.nodes = 0;
    const auto searcher = make_uci_searcher<Chess>(pool(spec));
    search(*searcher, game(), {.nodes = 10});
    search(*searcher, game({"e2e4", "e7e5"}), {.depth = 3});
    search(*searcher, game_from("4k3/P7/8/8/8/8/8/R3K3 w Q - 3 20"),
           {.time = std::chrono::microseconds(1500)});
    PositionHistory<Chess> castles = game_from("4k3/P7/8/8/8/8/8/R3K3 w Q - 3 20");
    for (const char* move : {"a7a8q", "e8e7", "e1c1"})
      castles.play(castles.position().parse_move(move).value());
    const Move only = castles.position().parse_move("e7f6").value();
    EXPECT_EQ(search(*searcher, game({"d2d4"}), {.nodes = 10, .depth = 3}).visits, 0U);
    EXPECT_THROW(search(*searcher, castles, {.nodes = 10, .search_moves = {only}}), SearcherFailure)
        << "the fake engine does not heed searchmoves";
  }
  EXPECT_THAT(
      lines_of(log),
      testing::ElementsAre("uci", "setoption name UCI_ShowWDL value true", "isready",  //
                           "ucinewgame", "isready", "position startpos", "isready", "go nodes 10",
                           "position startpos moves e2e4 e7e5", "isready", "go depth 3",  //
                           "ucinewgame", "isready", "position fen 4k3/P7/8/8/8/8/8/R3K3 w Q - 3 20",
                           "isready", "go movetime 1",  //
                           "ucinewgame", "isready", "position startpos moves d2d4", "isready",
                           "go nodes 10 depth 3",  //
                           "ucinewgame", "isready",
                           "position fen 4k3/P7/8/8/8/8/8/R3K3 w Q - 3 20 moves a7a8q e8e7 e1c1",
                           "isready", "go nodes 10 searchmoves e7f6"));
}

TEST(UciSearcher, PrefersTheLimitsOfItsSpecification) {
  const test::TemporaryFolder folder;
  const std::string log = (folder.path() / "log").string();
  UciEngineSpec spec = fake_engine("log=" + log);
  spec.nodes = 5;
  spec.depth = 6;
  spec.movetime = std::chrono::milliseconds(7);
  const auto searcher = make_uci_searcher<Chess>(pool(spec));
  search(*searcher, game(), {.nodes = 10, .depth = 10, .time = std::chrono::seconds(10)});
  EXPECT_EQ(lines_of(log).back(), "go nodes 5 depth 6 movetime 7");
}

TEST(UciSearcher, RefusesASearchWithoutLimit) {
  UciEngineSpec spec = fake_engine();
  spec.nodes = 0;
  const auto searcher = make_uci_searcher<Chess>(pool(spec));
  EXPECT_THROW(search(*searcher, game()), std::invalid_argument);
}

TEST(UciSearcher, ReportsAnIllegalMoveWithItsPosition) {
  const auto searcher = make_uci_searcher<Chess>(pool(fake_engine("move=illegal stderr=oops")));
  try {
    search(*searcher, game({"e2e4"}));
    FAIL();
  } catch (const SearcherFailure& failure) {
    EXPECT_STREQ(
        failure.what(),
        "Fake Engine answered with the illegal move 'a1h8' in "
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1; the last lines of its "
        "stderr: oops");
  }
}

TEST(UciSearcher, ReportsThatThereIsNoMove) {
  const auto searcher = make_uci_searcher<Chess>(pool(fake_engine("move=none")));
  try {
    search(*searcher, game());
    FAIL();
  } catch (const SearcherFailure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("'(none)'"));
  }
}

TEST(UciSearcher, LosesTheGameInWhichItsEngineFailsAndPlaysTheNext) {
  for (const std::string how : {"crash", "illegal", "none", "silent"}) {
    const UciEngineSpec spec = fake_engine("after=2 stderr=dying move=" + how);
    const auto engine = pool(how == "silent" ? impatient(spec) : spec);
    for (int number = 0; number < 3; ++number) {
      const Player<Chess> fake{.searcher = make_uci_searcher<Chess>(engine)};
      const Player<Chess> random{.searcher = make_random_searcher<Chess>()};
      const bool is_white = number % 2 == 0;
      const GameEnd end = is_white ? play<Chess>({fake, random}, game(), 20)
                                   : play<Chess>({random, fake}, game(), 20);
      EXPECT_EQ(end.outcome, win_for(is_white ? Colour::Black : Colour::White)) << how;
      EXPECT_THAT(end.failure, StartsWith("Fake Engine ")) << how;
      EXPECT_THAT(end.failure, HasSubstr("dying")) << how;
    }
  }
}

TEST(UciSearcher, CanSearchAgainAfterAFailure) {
  const auto searcher = make_uci_searcher<Chess>(pool(fake_engine("after=1 move=crash")));
  EXPECT_NO_THROW(search(*searcher, game()));
  EXPECT_THROW(search(*searcher, game({"e2e4", "e7e5"})), SearcherFailure);
  EXPECT_NO_THROW(search(*searcher, game({"e2e4", "e7e5"})));
}

TEST(UciEnginePool, UsesAProcessForGameAfterGame) {
  const test::TemporaryFolder folder;
  const std::string log = (folder.path() / "log").string();
  {
    const auto engine = pool(fake_engine("log=" + log));
    for (int i = 0; i < 3; ++i)
      search(*make_uci_searcher<Chess>(engine), game());
  }
  const std::vector<std::string> lines = lines_of(log);
  EXPECT_EQ(std::ranges::count(lines, "uci"), 1);
  EXPECT_EQ(std::ranges::count(lines, "ucinewgame"), 3);
  EXPECT_EQ(std::ranges::count(lines, "quit"), 1);
}

TEST(UciEnginePool, ReportsMistakesBeforeAnyGame) {
  UciEngineSpec spec = fake_engine();
  spec.options.emplace_back("Hash", "1");
  EXPECT_THROW(UciEnginePool(spec, "chess"), UciSpecError);
  EXPECT_THROW(UciEnginePool(fake_engine(), "gardner"), UciSpecError);
  EXPECT_THROW(UciEnginePool(fake_engine("start=exit"), "chess"), SearcherFailure);
}

TEST(UciEnginePool, ReplacesAProcessThatEndedBetweenGames) {
  const auto engine = pool(fake_engine());
  auto client = engine->take();
  EXPECT_THROW(client->fail("is stopped by the test"), SearcherFailure);
  EXPECT_EQ(engine->name(), "Fake Engine");
  EXPECT_NO_THROW(search(*make_uci_searcher<Chess>(engine), game()));
}

template <class P>
class UciSearcherOf : public testing::Test {};
TYPED_TEST_SUITE(UciSearcherOf, test::EveryFamily);

// Both sides know the family by its own notation, as two of our own engines do.
TYPED_TEST(UciSearcherOf, PlaysEveryVariant) {
  using P = TypeParam;
  for (const std::string& name : test::option_sets<P>()) {
    const auto& variant = test::variant<P>(name);
    const std::string canonical = variant.canonical_name();
    if (canonical.find(',') != std::string::npos) continue;  // separates the fake engine's variants
    const auto engine = pool(fake_engine("'variants=" + canonical + "'"), canonical);
    const Player<P> fake{.searcher = make_uci_searcher<P>(engine)};
    const Player<P> random{.searcher = make_random_searcher<P>()};
    const GameEnd end = play<P>({random, fake}, PositionHistory<P>(P::start(variant)), 20);
    EXPECT_EQ(end.failure, "") << name;
  }
}

}  // namespace
}  // namespace faultline
