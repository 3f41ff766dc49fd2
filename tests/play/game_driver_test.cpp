// One game between two players: moves, ends, resigning, observer calls.
#include "play/game_driver.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "search/hash_evaluator.h"
#include "tests/search/minimax_searcher.h"

namespace faultline {
namespace {

using Chess = ChessPosition;

/// Evaluates every position as lost for the given side.
class OneSidedEvaluator final : public Evaluator<Chess> {
 public:
  explicit OneSidedEvaluator(Colour loser) : loser_(loser) {}
  void submit(EvalBatch<Chess>& batch) override {
    UniformEvaluator<Chess> uniform;
    uniform.evaluate(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const bool loses = batch.position(i).side_to_move() == loser_;
      batch.evaluation(i) = {
          .win = loses ? 0.02F : 0.98F, .draw = 0, .loss = loses ? 0.98F : 0.02F, .moves_left = 10};
    }
  }
  void wait(EvalBatch<Chess>&) override {}

 private:
  Colour loser_;
};

/// Records all calls.
class Notes final : public GameObserver<Chess> {
 public:
  void on_ply(const PlayedPly<Chess>& ply) override {
    EXPECT_EQ(static_cast<std::size_t>(ply.history.plies()), moves.size() + first_ply);
    EXPECT_TRUE(ply.history.position().parse_move(ply.history.position().move_text(ply.move)));
    moves.push_back(ply.history.position().move_text(ply.move));
    full.push_back(ply.full_search);
    searched.push_back(ply.result != nullptr);
    if (ply.result == nullptr) return;
    visits.push_back(ply.result->visits);
    EXPECT_EQ(ply.result->policy.size(), ply.history.position().count_legal_moves());
  }
  void on_end(const PositionHistory<Chess>& history, const GameEnd& end) override {
    EXPECT_EQ(static_cast<std::size_t>(history.plies()), moves.size() + first_ply);
    ends.push_back(end);
  }

  std::size_t first_ply = 0;
  std::vector<std::string> moves;
  std::vector<bool> full;
  std::vector<bool> searched;
  std::vector<std::uint32_t> visits;
  std::vector<GameEnd> ends;
};

Player<Chess> puct(Evaluator<Chess>& evaluator, std::uint32_t visits) {
  return {.searcher = make_puct_searcher<Chess>(SearchParams{}),
          .evaluator = &evaluator,
          .budget = {.full = {.visits = visits}}};
}
Player<Chess> random_mover() {
  return {.searcher = make_random_searcher<Chess>()};
}

PositionHistory<Chess> start() {
  return PositionHistory<Chess>(Chess::start({}));
}

/// Plays until the game is over or waits for a move from outside.
void run(GameDriver<Chess>& game) {
  EvalBatch<Chess> batch;
  while (!game.is_over() && !game.awaits_move()) {
    // The leaves belong to this evaluator, whoever moves next.
    auto* evaluator = const_cast<Evaluator<Chess>*>(game.evaluator());
    while (game.gather(batch)) {
    }
    if (batch.empty()) continue;
    evaluator->evaluate(batch);
    game.apply(batch);
    batch.clear();
  }
}

TEST(GameDriver, PlaysAGameToItsEndAndReportsEveryPly) {
  HashEvaluator<Chess> evaluator;
  Notes notes;
  GameDriver<Chess> game(start(), {puct(evaluator, 20), random_mover()}, {.max_plies = 60},
                         std::mt19937_64(3), &notes);
  run(game);
  ASSERT_EQ(notes.ends.size(), 1U);
  EXPECT_EQ(notes.ends[0].outcome, game.end().outcome);
  EXPECT_EQ(notes.moves.size(), static_cast<std::size_t>(game.history().plies()));
  EXPECT_LE(notes.moves.size(), 60U);
  PositionHistory<Chess> again = start();
  for (const std::string& text : notes.moves)
    again.play(again.position().parse_move(text).value());
  EXPECT_EQ(again.position().fen(), game.history().position().fen());
}

TEST(GameDriver, StartsFromAGivenPositionAndCountsPliesFromThere) {
  HashEvaluator<Chess> evaluator;
  PositionHistory<Chess> opening = start();
  for (const char* text : {"e2e4", "e7e5", "g1f3"})
    opening.play(opening.position().parse_move(text).value());
  Notes notes;
  notes.first_ply = 3;
  GameDriver<Chess> game(opening, {random_mover(), puct(evaluator, 10)}, {.max_plies = 5},
                         std::mt19937_64(3), &notes);
  run(game);
  EXPECT_EQ(notes.moves.size(), 2U);
  EXPECT_EQ(game.end().outcome, Outcome::Adjudicated);
}

TEST(GameDriver, TheSameSeedPlaysTheSameGame) {
  const auto moves = [](std::uint64_t seed) {
    HashEvaluator<Chess> evaluator;
    Notes notes;
    Player<Chess> player = puct(evaluator, 16);
    player.budget.full.root_noise = true;
    player.choice = {.temperature = 1, .temperature_plies = 20};
    GameDriver<Chess> game(start(), {player, player}, {.max_plies = 40}, std::mt19937_64(seed),
                           &notes);
    run(game);
    return notes.moves;
  };
  EXPECT_EQ(moves(1), moves(1));
  EXPECT_NE(moves(1), moves(2));
}

TEST(GameDriver, ReducedSearchesHaveTheConfiguredFrequency) {
  HashEvaluator<Chess> evaluator;
  Notes notes;
  Player<Chess> player = puct(evaluator, 8);
  player.budget.reduced = {.visits = 2};
  player.budget.full_probability = 0.3;
  GameDriver<Chess> game(start(), {player, player}, {.max_plies = 400}, std::mt19937_64(1), &notes);
  run(game);
  const auto full = static_cast<double>(std::ranges::count(notes.full, true));
  EXPECT_NEAR(full / static_cast<double>(notes.full.size()), 0.3, 0.1);
}

TEST(GameDriver, AForcedMoveIsNotSearchedInFullWhereThatIsAsked) {
  // Black's king has one square, then White has a choice.
  const PositionHistory<Chess> forced(Chess::from_fen({}, "k7/8/1K6/8/8/8/8/7R b - - 0 1"));
  ASSERT_EQ(forced.position().count_legal_moves(), 1U);
  for (const bool reduced : {true, false}) {
    HashEvaluator<Chess> evaluator;
    Notes notes;
    Player<Chess> player = puct(evaluator, 64);
    player.budget.reduced = {.visits = 2};
    player.budget.full_probability = 1;
    player.budget.forced_reduced = reduced;
    GameDriver<Chess> game(forced, {player, player}, {.max_plies = 2}, std::mt19937_64(1), &notes);
    run(game);
    EXPECT_EQ(notes.full, (std::vector<bool>{true, true})) << "both are targets";
    EXPECT_EQ(notes.visits, (std::vector<std::uint32_t>{reduced ? 2U : 64U, 64}));
  }
}

TEST(GameDriver, WaitsForMovesFromOutside) {
  HashEvaluator<Chess> evaluator;
  Notes notes;
  GameDriver<Chess> game(start(), {Player<Chess>{}, puct(evaluator, 10)}, {}, std::mt19937_64(1),
                         &notes);
  run(game);
  ASSERT_TRUE(game.awaits_move());
  game.play(game.history().position().parse_move("e2e4").value());
  run(game);
  EXPECT_EQ(game.history().plies(), 2);
  EXPECT_EQ(notes.searched, (std::vector<bool>{false, true}));
  game.resign(Colour::White);
  EXPECT_EQ(game.end().outcome, Outcome::BlackWins);
  EXPECT_TRUE(game.end().resigned);
}

/// Moves at random for a number of searches, then fails.
class BreakingSearcher final : public Searcher<Chess> {
 public:
  explicit BreakingSearcher(int searches) : left_(searches) {}
  void start(const PositionHistory<Chess>& history, const SearchLimits& limits,
             std::mt19937_64& rng) override {
    if (left_-- == 0) throw SearcherFailure("the engine is silent");
    random_->start(history, limits, rng);
  }
  bool gather(EvalBatch<Chess>& batch) override { return random_->gather(batch); }
  void apply(const EvalBatch<Chess>& batch) override { random_->apply(batch); }
  bool done() override { return random_->done(); }
  SearchResult decide() const override { return random_->decide(); }
  std::size_t waiting() const override { return 0; }

 private:
  std::unique_ptr<Searcher<Chess>> random_ = make_random_searcher<Chess>();
  int left_;
};

TEST(GameDriver, ASearcherThatFailsLosesTheGame) {
  Notes notes;
  GameDriver<Chess> game(start(),
                         {random_mover(), {.searcher = std::make_shared<BreakingSearcher>(2)}}, {},
                         std::mt19937_64(1), &notes);
  run(game);
  EXPECT_EQ(notes.moves.size(), 5U) << "White fails to get an answer to its third move";
  ASSERT_EQ(notes.ends.size(), 1U);
  EXPECT_EQ(notes.ends[0].outcome, Outcome::WhiteWins);
  EXPECT_EQ(notes.ends[0].failure, "the engine is silent");
  EXPECT_FALSE(notes.ends[0].resigned);
}

GameEnd end_of_hopeless_game(const Resignation& resignation, bool may_resign, std::size_t* plies) {
  OneSidedEvaluator evaluator(Colour::Black);
  Notes notes;
  Player<Chess> player = puct(evaluator, 4);
  player.resignation = resignation;
  GameDriver<Chess> game(start(), {player, player}, {.max_plies = 30, .may_resign = may_resign},
                         std::mt19937_64(1), &notes);
  run(game);
  *plies = notes.moves.size();
  return notes.ends.at(0);
}

TEST(GameDriver, ResignsAfterEnoughBadMovesInARow) {
  std::size_t plies = 0;
  const GameEnd end = end_of_hopeless_game({.below = -0.9, .moves = 3}, true, &plies);
  EXPECT_TRUE(end.resigned);
  EXPECT_EQ(end.outcome, Outcome::WhiteWins) << "Black is the losing side";
  EXPECT_EQ(plies, 5U) << "two moves each and one more of White's; Black's third is not made";
}

TEST(GameDriver, NobodyResignsUnlessEnabled) {
  std::size_t plies = 0;
  const GameEnd end = end_of_hopeless_game({}, true, &plies);
  EXPECT_FALSE(end.resigned);
  EXPECT_EQ(plies, 30U);
}

TEST(GameDriver, RecordsWhoWouldHaveResignedIfDisabled) {
  std::size_t plies = 0;
  const GameEnd end = end_of_hopeless_game({.below = -0.9, .moves = 3}, false, &plies);
  EXPECT_FALSE(end.resigned);
  EXPECT_EQ(end.would_have_resigned, Colour::Black);
  EXPECT_EQ(end.outcome, Outcome::Adjudicated);
}

TEST(GameDriver, PlaysASelfEvaluatingSearchAgainstTheNetworksPolicy) {
  HashEvaluator<Chess> evaluator;
  Notes notes;
  GameDriver<Chess> game(
      start(),
      {Player<Chess>{.searcher = std::make_shared<test::MinimaxSearcher<Chess>>(2)},
       Player<Chess>{.searcher = make_policy_searcher<Chess>(), .evaluator = &evaluator}},
      {.max_plies = 40}, std::mt19937_64(1), &notes);
  run(game);
  EXPECT_TRUE(game.is_over());
  EXPECT_GT(notes.moves.size(), 5U);
}

}  // namespace
}  // namespace faultline
