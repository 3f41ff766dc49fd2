// Puzzles with their proofs, and the yardsticks as a whole.
#include "lab/yardsticks/yardsticks.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lab/yardsticks/mate_prover.h"
#include "lab/yardsticks/mate_puzzles.h"
#include "lab/yardsticks/only_moves.h"
#include "model/inference/backend_registry.h"
#include "rules/families/chess.h"
#include "rules/families/gardner.h"
#include "tests/search/mate_solver.h"

namespace faultline {
namespace {

ChessPosition chess(std::string_view fen) {
  return ChessPosition::from_fen(ChessPosition::variant(parse_variant_name("chess")), fen);
}

TEST(MatePuzzles, MorphysMateInTwoHasOneKey) {
  const ChessPosition position = chess("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
  const auto puzzle = puzzle_in(position, 2, 1'000'000);
  ASSERT_TRUE(puzzle);
  EXPECT_EQ(position.move_text(puzzle->key), "a1a6");
  EXPECT_FALSE(puzzle_in(position, 3, 1'000'000)) << "there is a shorter mate";
  EXPECT_FALSE(puzzle_in(position, 2, 10)) << "the proof takes more than 10 positions";
}

TEST(MatePuzzles, TwoKeysAreNoPuzzle) {
  const ChessPosition twice = chess("7k/8/6K1/8/8/8/R7/1R6 w - - 0 1");  // both mate at once
  EXPECT_EQ(MateProver<ChessPosition>(1'000'000).mating_moves(twice, 1).size(), 2U);
  EXPECT_FALSE(puzzle_in(twice, 1, 1'000'000));
}

TEST(MateProver, AgreesWithTheSolverInGames) {
  const auto& variant = GardnerPosition::variant(parse_variant_name("gardner"));
  int mates = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    PracticeGame<GardnerPosition> game(variant, seed, 200);
    for (; !game.is_over() && game.plies() < 60; game.play(game.search())) {
      MateProver<GardnerPosition> prover(1'000'000);
      const std::vector<Move> keys = prover.mating_moves(game.position(), 2);
      ASSERT_FALSE(prover.is_spent());
      test::MateSolver solver;
      EXPECT_EQ(!keys.empty(), solver.mates_within(game.position(), 3)) << game.position().fen();
      for (const Move key : keys) {
        GardnerPosition next = game.position();
        next.play(key);
        EXPECT_TRUE(solver.is_mated_within(next, 2));
      }
      mates += keys.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(mates, 5);
}

TEST(MatePuzzles, OfGamesAreSolvedByDeepSearches) {
  const auto& variant = GardnerPosition::variant(parse_variant_name("gardner"));
  int found = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    if (const auto puzzle = find_puzzle<GardnerPosition>(variant, seed, 2)) {
      ++found;
      test::MateSolver solver;
      EXPECT_FALSE(solver.mates_within(puzzle->position, 1));
      EXPECT_TRUE(solver.mates_within(puzzle->position, 3));
    }
  EXPECT_GT(found, 3);
}

TEST(OnlyMoves, AreThreePawnsBetterAndNotDecided) {
  const auto value = [](int score) { return evaluation_of_centipawns(score).value(); };
  for (int score = -1000; score <= 1000; ++score)
    ASSERT_EQ(centipawns_of_value(value(score)), score);
  EXPECT_TRUE(is_only_move(value(100), value(-200)));
  EXPECT_FALSE(is_only_move(value(100), value(-199)));
  EXPECT_TRUE(is_only_move(value(-1000), -1)) << "all others are mated";
  EXPECT_FALSE(is_only_move(1, value(0))) << "a mate";
  EXPECT_FALSE(is_only_move(value(1001), value(0)));
}

TEST(OnlyMoves, OfGamesAreNotSeenAtOnce) {
  const auto& variant = GardnerPosition::variant(parse_variant_name("gardner"));
  const auto search = [](const GardnerPosition& position, const SearchLimits& limits) {
    std::mt19937_64 unused;
    EvalBatch<GardnerPosition> batch;
    return run_search<GardnerPosition>(*make_alpha_beta_searcher<GardnerPosition>(), nullptr, batch,
                                       PositionHistory<GardnerPosition>(position), limits, unused);
  };
  int confirmed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto position = find_only_move<GardnerPosition>(variant, seed);
    if (!position) continue;
    const SearchResult best = search(*position, {.nodes = 20'000});
    const std::vector<Move> others = other_moves(*position, best.move);
    EXPECT_EQ(others.size() + 1, position->count_legal_moves());
    const SearchResult second = search(*position, {.nodes = 20'000, .search_moves = others});
    if (!is_only_move(best.value.value(), second.value.value())) continue;
    ++confirmed;
    EXPECT_NE(search(*position, {.depth = 1}).move, best.move) << position->fen();
  }
  EXPECT_GT(confirmed, 3);
}

YardstickResult small(int threads, const YardstickHooks& hooks = {},
                      const std::string& judge = "alphabeta") {
  PlayerResources resources(cpu_backends(), {.device = "cpu"});
  return run_yardsticks("gardner", {find_player("random"), find_player("alphabeta?depth=4")},
                        {.endgames = 42,
                         .pieces = {"KQK", "KPK"},
                         .puzzles = 8,
                         .only_moves = 10,
                         .regret = 6,
                         .judge = judge,
                         .judge_nodes = 2000},
                        threads, resources, hooks);
}

/// The result without times.
std::string text_of(YardstickResult result) {
  result.seconds = 0;
  result.threads = 1;
  for (PlayerYardsticks& player : result.players)
    player.seconds = 0;
  return to_json(yardstick_document(result)).dump();
}

TEST(Yardsticks, StrongerPlayersAreRightMoreOften) {
  const YardstickResult result = small(1);
  ASSERT_EQ(result.players.size(), 2U);
  EXPECT_EQ(result.sets.size(), 2U);
  const auto right = [&](std::size_t player) {
    RightAnswers sum;
    for (const auto& set : result.players[player].kept)
      for (const RightAnswers& one : set) {
        sum.right += one.right;
        sum.all += one.all;
      }
    return sum;
  };
  int asked = 0;
  for (const SolvedSet& set : result.sets)
    asked += set.asked[0] + set.asked[1];
  EXPECT_EQ(right(0).all, asked);
  EXPECT_EQ(right(1).all, asked);
  EXPECT_GT(asked, 30);
  EXPECT_GT(right(1).right, right(0).right);
  EXPECT_LE(result.random_keeps[0], 0.5);
  EXPECT_EQ(result.players[0].valued[0] + result.players[0].valued[1], 0) << "random has no values";
  const PlayerYardsticks& search = result.players[1];
  EXPECT_EQ(search.valued[0] + search.valued[1], asked);
  for (std::size_t kind = 0; kind < 2; ++kind) {
    const double error = search.value_errors.at(kind) / search.valued.at(kind);
    EXPECT_GT(error, 0);
    EXPECT_LT(error, 0.25) << "knowing nothing errs by half a point where a win is";
  }
  for (std::size_t i = 0; i < kMates.size(); ++i)
    EXPECT_EQ(result.players[0].solved.at(i).all, result.puzzles.at(i));
  EXPECT_GT(result.puzzles[3], 0) << "mates in 5";
  EXPECT_GT(result.only_moves, 2);
  EXPECT_EQ(search.only_moves.all, result.only_moves);
  EXPECT_GT(search.only_moves.right, result.players[0].only_moves.right);
  EXPECT_EQ(result.players[1].losses.size(), static_cast<std::size_t>(result.judged));
  for (const PlayerYardsticks& player : result.players)
    for (const double loss : player.losses) {
      EXPECT_GE(loss, 0);
      EXPECT_LE(loss, 1);
    }
  EXPECT_EQ(text_of(small(2)), text_of(result)) << "threads make no difference";
}

TEST(Yardsticks, EndWithWhatIsThereWhenStopped) {
  bool stop = false;
  const YardstickResult result =
      small(1, {.stop = [&] { return stop; },
                .on_progress = [&](const std::string& stage, int,
                                   int) { stop = stop || stage.starts_with("puzzles"); }});
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.sets.size(), 2U);
  EXPECT_EQ(result.judged, 0);
  EXPECT_FALSE(yardstick_document(result).notices.empty());
}

TEST(Yardsticks, AreJudgedByWhoeverIsNamed) {
  const YardstickResult result = small(2, {}, "material?visits=50");
  EXPECT_EQ(result.judge, "material?visits=50 with 50 visits");
  EXPECT_EQ(result.judged, 6);
  EXPECT_NE(result.players[1].losses, small(2).players[1].losses);
  for (const char* judge : {"random", "uniform", "nobody"})
    EXPECT_THROW(small(1, {}, judge), PlayerError) << judge;
}

TEST(Yardsticks, AskTheReadyNetworksUnlessPlayersAreNamed) {
  const std::vector<PlayerSpec> players = yardstick_players("gardner");
  ASSERT_EQ(players.size(), 8U);
  EXPECT_EQ(players[0].kind, PlayerKind::Policy);
  EXPECT_EQ(players[2].limits.visits, 800);
  EXPECT_EQ(players[2].net.filename(), "gardner.pt");
  EXPECT_EQ(players[3].evaluation.filename(), "gardner.pt");
  EXPECT_EQ(players[3].limits.time_ms, 1);
  EXPECT_EQ(players[7].name, "alphabeta?ms=10");
  EXPECT_EQ(judge_of({}, "gardner").evaluation, players[3].evaluation);
  EXPECT_EQ(judge_of({.judge = "alphabeta"}, "gardner").evaluation, "");

  EXPECT_EQ(yardstick_players("earthquake").size(), 3U) << "which has no ready networks";
  EXPECT_EQ(judge_of({}, "earthquake").name, "alphabeta");
}

TEST(Yardsticks, RefusePlayersThatCannotPlay) {
  PlayerResources resources(cpu_backends(), {.device = "cpu"});
  EXPECT_THROW(run_yardsticks("gardner", {find_player("alphabeta")}, {}, 1, resources),
               PlayerError);
  EXPECT_THROW(
      run_yardsticks("escher", {find_player("random")}, {.pieces = {"KRKRX"}}, 1, resources),
      OptionError);
}

}  // namespace
}  // namespace faultline
