// Matches: pairing, batching, reproducibility, adding up, and early ends.
#include "lab/match.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/selfplay/games.h"

namespace faultline {
namespace {

using test::chess;
using test::escher;

template <Position P>
MatchPlayer<P> uniform(int visits) {
  return puct_player<P>(std::make_shared<UniformEvaluator<P>>(), visits);
}

/// A match and its games by number.
struct Played {
  MatchResult result;
  std::map<int, MatchGame> games;
};
template <Position P>
Played play(const typename P::Variant& variant, const MatchConfig& config,
            const std::array<MatchPlayer<P>, 2>& players) {
  Played played;
  played.result = play_match<P>(variant, config, players,
                                {.on_game = [&](const MatchGame& game, const MatchResult&) {
                                  played.games[game.number] = game;
                                }});
  return played;
}

bool same_moves(const Played& a, const Played& b) {
  return std::ranges::equal(a.games, b.games, [](const auto& x, const auto& y) {
    return x.second.opening == y.second.opening && x.second.moves == y.second.moves &&
           x.second.outcome == y.second.outcome;
  });
}

TEST(Arena, EveryGameIsLegalAndEndsAsRecorded) {
  const MatchConfig config{.games = 40, .threads = 2, .max_plies = 150};
  const Played played = play<EscherPosition>(
      escher(), config, {uniform<EscherPosition>(16), random_player<EscherPosition>()});
  ASSERT_EQ(played.games.size(), 40U);
  std::int64_t plies = 0;
  for (const auto& [number, game] : played.games) {
    PositionHistory<EscherPosition> history(EscherPosition::start(escher()));
    for (const auto* part : {&game.opening, &game.moves})
      for (const std::string& text : *part) {
        ASSERT_EQ(history.outcome(), Outcome::Ongoing) << "game " << number;
        const auto move = history.position().parse_move(text);
        ASSERT_TRUE(move) << text;
        history.play(*move);
      }
    if (game.outcome == Outcome::Adjudicated) {
      EXPECT_EQ(history.outcome(), Outcome::Ongoing);
      EXPECT_EQ(history.plies(), config.max_plies);
    } else {
      EXPECT_EQ(history.outcome(), game.outcome);
    }
    plies += history.plies();
  }
  EXPECT_EQ(played.result.plies, plies);
  EXPECT_TRUE(played.result.complete());
}

TEST(Arena, BothGamesOfAPairShareAnOpeningAndSwapColours) {
  const Played played =
      play<ChessPosition>(chess(), {.games = 20, .opening_plies = 5},
                          {random_player<ChessPosition>(), random_player<ChessPosition>()});
  std::set<std::vector<std::string>> openings;
  for (int i = 0; i < 20; i += 2) {
    const MatchGame& first = played.games.at(i);
    const MatchGame& second = played.games.at(i + 1);
    EXPECT_EQ(first.opening.size(), 5U);
    EXPECT_EQ(first.opening, second.opening);
    EXPECT_EQ(first.first_colour, Colour::White);
    EXPECT_EQ(second.first_colour, Colour::Black);
    openings.insert(first.opening);
  }
  EXPECT_EQ(openings.size(), 10U);
  EXPECT_EQ(played.result.openings, 10);
}

TEST(Arena, TheCountsAddUp) {
  const Played played =
      play<EscherPosition>(escher(), {.games = 30, .max_plies = 120},
                           {uniform<EscherPosition>(60), random_player<EscherPosition>()});
  const MatchResult& result = played.result;
  EXPECT_EQ(result.by_colour[0].games(), 15);
  EXPECT_EQ(result.by_colour[1].games(), 15);
  EXPECT_EQ(result.score().games(), 30);
  EXPECT_EQ(result.tally.games(), 30);
  EXPECT_EQ(result.tally.singles, (std::array<int, 3>{}));
  EXPECT_DOUBLE_EQ(result.tally.points(), result.score().points());
  int wins = 0, cuts = 0, twice = 0;
  std::array<int, 5> pairs{};
  for (const auto& [number, game] : played.games) {
    wins += game.first_score() > 0 ? 1 : 0;
    cuts += game.outcome == Outcome::Adjudicated ? 1 : 0;
    twice = (number % 2 == 0 ? 0 : twice) + game.first_score() + 1;
    if (number % 2 == 1) ++pairs.at(static_cast<std::size_t>(twice));
  }
  EXPECT_EQ(result.score().wins, wins);
  EXPECT_EQ(result.ended(Outcome::Adjudicated), cuts);
  EXPECT_EQ(result.tally.pairs, pairs);
  EXPECT_EQ(result.mates(), result.score().wins + result.score().losses);
}

TEST(Arena, SearchBeatsRandomMoves) {
  // Without a network it can only find mates.
  const Played played =
      play<EscherPosition>(escher(), {.games = 60, .threads = 2},
                           {uniform<EscherPosition>(200), random_player<EscherPosition>()});
  EXPECT_GT(estimate(played.result.tally).score_95.low, 0.55);
}

TEST(Arena, TheSameSeedGivesTheSameGamesHoweverTheyAreSplit) {
  const std::array<MatchPlayer<EscherPosition>, 2> players = {uniform<EscherPosition>(20),
                                                              uniform<EscherPosition>(40)};
  const MatchConfig config{.games = 24, .max_plies = 60, .temperature = 1, .temperature_plies = 20};
  const Played base = play<EscherPosition>(escher(), config, players);
  for (const auto& [threads, at_once] : {std::pair(1, 256), std::pair(1, 3), std::pair(5, 2)}) {
    MatchConfig other = config;
    other.threads = threads;
    other.games_at_once = at_once;
    EXPECT_TRUE(same_moves(base, play<EscherPosition>(escher(), other, players)))
        << threads << " threads, " << at_once << " games at once";
  }
  MatchConfig reseeded = config;
  reseeded.seed = 2;
  EXPECT_FALSE(same_moves(base, play<EscherPosition>(escher(), reseeded, players)));
}

TEST(Arena, SwappingThePlayersMirrorsTheMatch) {
  const MatchConfig config{.games = 16, .max_plies = 120};
  const auto weak = uniform<EscherPosition>(4);
  const auto strong = uniform<EscherPosition>(80);
  const Played there = play<EscherPosition>(escher(), config, {weak, strong});
  const Played back = play<EscherPosition>(escher(), config, {strong, weak});
  for (const auto& [number, game] : there.games)
    EXPECT_EQ(game.moves, back.games.at(number ^ 1).moves);
  const Score a = there.result.score(), b = back.result.score();
  EXPECT_EQ(a, (Score{b.losses, b.draws, b.wins}));
}

/// A UniformEvaluator that records its batch sizes.
class CountingEvaluator final : public Evaluator<EscherPosition> {
 public:
  void submit(EvalBatch<EscherPosition>& batch) override {
    sizes.push_back(batch.size());
    uniform_.submit(batch);
  }
  void wait(EvalBatch<EscherPosition>&) override {}
  std::vector<std::size_t> sizes;

 private:
  UniformEvaluator<EscherPosition> uniform_;
};

TEST(Arena, AllGamesOfAPlayerShareItsBatches) {
  const auto counting = std::make_shared<CountingEvaluator>();
  // After an even opening it is White's turn, the counted player's in half of the games.
  play<EscherPosition>(escher(), {.games = 64, .opening_plies = 4, .max_plies = 30},
                       {puct_player<EscherPosition>(counting, 50), uniform<EscherPosition>(50)});
  ASSERT_FALSE(counting->sizes.empty());
  EXPECT_EQ(counting->sizes.front(), 32U);
  EXPECT_LE(*std::ranges::max_element(counting->sizes), 64U);
  std::size_t sum = 0;
  for (const std::size_t size : counting->sizes)
    sum += size;
  EXPECT_GT(sum / counting->sizes.size(), 16U);
}

TEST(Arena, APlayerSearchesTheConfiguredNumberOfVisits) {
  const auto counting = std::make_shared<CountingEvaluator>();
  // Two plies from the end by adjudication, so that each player moves once in each game.
  play<EscherPosition>(
      escher(), {.games = 8, .opening_plies = 4, .max_plies = 6},
      {puct_player<EscherPosition>(counting, 37), random_player<EscherPosition>()});
  std::size_t sum = 0;
  for (const std::size_t size : counting->sizes)
    sum += size;
  // Descents to terminal positions need no evaluation; in undecided openings there are few.
  EXPECT_LE(sum, 8U * 37U);
  EXPECT_GE(sum, 8U * 34U);
}

TEST(Arena, SeveralLeavesOfATreeCanShareABatch) {
  const auto counting = std::make_shared<CountingEvaluator>();
  play<EscherPosition>(
      escher(), {.games = 2, .opening_plies = 4, .leaves_per_tree = 8, .max_plies = 20},
      {puct_player<EscherPosition>(counting, 100), random_player<EscherPosition>()});
  EXPECT_GT(*std::ranges::max_element(counting->sizes), 6U);
}

TEST(Arena, LongGamesAreAdjudicatedAndReportedSo) {
  const Played played =
      play<ChessPosition>(chess(), {.games = 10, .max_plies = 12},
                          {random_player<ChessPosition>(), random_player<ChessPosition>()});
  EXPECT_EQ(played.result.ended(Outcome::Adjudicated), 10);
  EXPECT_EQ(played.result.score().draws, 10);
  EXPECT_DOUBLE_EQ(played.result.mean_plies(), 12);
}

TEST(Arena, AStoppedMatchKeepsItsFinishedGames) {
  std::atomic<int> finished{0};
  const MatchResult result = play_match<EscherPosition>(
      escher(), {.games = 100, .games_at_once = 4},
      {uniform<EscherPosition>(10), random_player<EscherPosition>()},
      {.on_game = [&](const MatchGame&, const MatchResult&) { ++finished; },
       .stop = [&] { return finished >= 5; }});
  EXPECT_EQ(result.score().games(), finished);
  EXPECT_GE(finished, 5);
  EXPECT_LT(finished, 20);
  EXPECT_FALSE(result.complete());
  EXPECT_EQ(result.tally.games(), finished);
}

class FailingEvaluator final : public Evaluator<EscherPosition> {
 public:
  void submit(EvalBatch<EscherPosition>&) override { throw std::runtime_error("device lost"); }
  void wait(EvalBatch<EscherPosition>&) override {}
};

TEST(Arena, AnEvaluatorsErrorEndsTheMatchAndReachesTheCaller) {
  const auto failing = puct_player<EscherPosition>(std::make_shared<FailingEvaluator>(), 100);
  const std::array<MatchPlayer<EscherPosition>, 2> players = {uniform<EscherPosition>(10), failing};
  try {
    play_match<EscherPosition>(escher(), {.games = 20, .threads = 3}, players);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "device lost");
  }
}

TEST(Arena, RefusesInvalidConfigurations) {
  const auto refusal = [](const MatchConfig& config) -> std::string {
    try {
      check(config);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_NE(refusal({.games = 7}).find("games = 7: must be even"), std::string::npos);
  EXPECT_NE(refusal({.opening_plies = -1}).find("opening_plies"), std::string::npos);
  EXPECT_NE(refusal({.opening_plies = 6, .max_plies = 6}).find("max_plies"), std::string::npos);
  EXPECT_NE(refusal({.threads = 0}).find("threads"), std::string::npos);
}

TEST(Openings, AreDifferentIfThereAreEnough) {
  const auto openings = random_openings<ChessPosition>(chess(), 20, 1, 5);
  std::set<std::string> firsts;
  for (const auto& opening : openings)
    firsts.insert(opening.moves.at(0));
  EXPECT_EQ(firsts.size(), 20U);
  EXPECT_EQ(random_openings<ChessPosition>(chess(), 3, 0, 5).size(), 3U);
}

TEST(Openings, NeverLeaveAWinOnTheBoard) {
  // After 1. f3 e5 2. g4 Black mates.
  EXPECT_TRUE(wins_at_once(ChessPosition::from_fen(
      chess(), "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2")));
  // White is to move and is mated by Rb1 whatever it plays.
  EXPECT_TRUE(is_decided(ChessPosition::from_fen(chess(), "k7/8/8/8/8/1r6/2r5/7K w - - 0 1")));
  EXPECT_FALSE(is_decided(ChessPosition::start(chess())));
  for (const auto& opening : random_openings<ChessPosition>(chess(), 200, 12, 3))
    EXPECT_FALSE(is_decided(opening.history.position())) << opening.history.position().fen();
}

}  // namespace
}  // namespace faultline
