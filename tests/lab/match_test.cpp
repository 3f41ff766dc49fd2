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

#include "tests/record/games.h"

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
      play<ChessPosition>(chess(), {.games = 20, .openings = {.plies = 5}},
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
      play<EscherPosition>(escher(), {.games = 30, .max_plies = 120, .cut = CutGames::Draws},
                           {uniform<EscherPosition>(60), random_player<EscherPosition>()});
  const MatchResult& result = played.result;
  EXPECT_EQ(result.by_colour[0].games(), 15);
  EXPECT_EQ(result.by_colour[1].games(), 15);
  EXPECT_EQ(result.score().games(), 30);
  EXPECT_EQ(result.finished, 30);
  EXPECT_EQ(result.tally.games(), 30);
  EXPECT_EQ(result.tally.singles, (std::array<int, 3>{}));
  EXPECT_DOUBLE_EQ(result.tally.points(), result.score().points());
  int wins = 0, cuts = 0, twice = 0;
  std::array<int, 5> pairs{};
  for (const auto& [number, game] : played.games) {
    wins += game.first_score() > 0 ? 1 : 0;
    cuts += game.ending == MatchEnding::Cut ? 1 : 0;
    twice = (number % 2 == 0 ? 0 : twice) + game.first_score() + 1;
    if (number % 2 == 1) ++pairs.at(static_cast<std::size_t>(twice));
  }
  EXPECT_EQ(result.score().wins, wins);
  EXPECT_EQ(result.cut, cuts);
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

TEST(Arena, GamesMayHaveOpeningsOfTheirOwn) {
  const std::array<MatchPlayer<EscherPosition>, 2> players = {uniform<EscherPosition>(4),
                                                              uniform<EscherPosition>(4)};
  MatchConfig config{.games = 8, .own_openings = true, .max_plies = 20};
  const Played played = play<EscherPosition>(escher(), config, players);
  std::set<std::vector<std::string>> openings;
  for (const auto& [number, game] : played.games)
    openings.insert(game.opening);
  EXPECT_EQ(openings.size(), 8U);
  config.pairs = {1, 3};
  config.games = 4;
  const Played part = play<EscherPosition>(escher(), config, players);
  for (const int number : {2, 3, 6, 7})
    EXPECT_EQ(part.games.at(number).opening, played.games.at(number).opening) << number;
}

TEST(Arena, PairsAreTheSameWhicheverOthersArePlayed) {
  const std::array<MatchPlayer<EscherPosition>, 2> players = {uniform<EscherPosition>(20),
                                                              uniform<EscherPosition>(40)};
  const MatchConfig config{.games = 24,
                           .max_plies = 60,
                           .cut = CutGames::Draws,
                           .temperature = 1,
                           .temperature_plies = 20};
  const Played whole = play<EscherPosition>(escher(), config, players);
  for (const std::vector<int>& pairs : {std::vector{0}, {11}, {2, 3}, {1, 4, 5, 9, 11}})
    for (const int threads : {1, 3}) {
      MatchConfig part = config;
      part.pairs = pairs;
      part.games = 2 * static_cast<int>(pairs.size());
      part.threads = threads;
      Played expected;
      for (const int pair : pairs)
        for (const int game : {2 * pair, 2 * pair + 1})
          expected.games[game] = whole.games.at(game);
      const Played played = play<EscherPosition>(escher(), part, players);
      EXPECT_TRUE(same_moves(played, expected)) << pairs.front();
      EXPECT_EQ(played.games.begin()->first, 2 * pairs.front());
      EXPECT_TRUE(played.result.complete());
      int points = 0;
      for (const auto& [number, game] : expected.games)
        points += game.first_score() + 1;
      EXPECT_DOUBLE_EQ(played.result.tally.points(), points / 2.0);
      EXPECT_EQ(played.result.tally.singles, (std::array<int, 3>{}));
    }
}

TEST(Arena, ASequentialTestTakesTheGivenPairsInTheirOrder) {
  MatchConfig config{.games = 6,
                     .max_plies = 60,
                     .cut = CutGames::Draws,
                     .sprt = SprtConfig{.elo0 = 0, .elo1 = 60}};
  config.pairs = {1, 7, 8};
  const Played played = play<EscherPosition>(
      escher(), config, {uniform<EscherPosition>(60), random_player<EscherPosition>()});
  ASSERT_TRUE(played.result.sprt);
  EXPECT_EQ(played.result.sprt->pairs, 3);
  EXPECT_EQ(played.result.sprt_pairs, played.result.tally.pairs);
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

TEST(Arena, PairsThatAreFarApartArePlayedAtTheSameTime) {
  MatchConfig config{.games = 8, .games_at_once = 8, .max_plies = 40};
  config.pairs = {3, 50, 97, 200};
  const auto counting = std::make_shared<CountingEvaluator>();
  const auto player = puct_player<EscherPosition>(counting, 4);
  EXPECT_EQ(play_match<EscherPosition>(escher(), config, {player, player}).finished, 8);
  EXPECT_EQ(std::ranges::max(counting->sizes), 8U);
}

TEST(Arena, AllGamesOfAPlayerShareItsBatches) {
  const auto counting = std::make_shared<CountingEvaluator>();
  // After an even opening it is White's turn, the counted player's in half of the games.
  play<EscherPosition>(escher(), {.games = 64, .openings = {.plies = 4}, .max_plies = 30},
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
      escher(), {.games = 8, .openings = {.plies = 4}, .max_plies = 6},
      {puct_player<EscherPosition>(counting, 37), random_player<EscherPosition>()});
  std::size_t sum = 0;
  for (const std::size_t size : counting->sizes)
    sum += size;
  // Descents to terminal positions need no evaluation; in undecided openings there are few.
  EXPECT_LE(sum, 8U * 37U);
  EXPECT_GE(sum, 8U * 34U);
}

TEST(Arena, LongGamesAreCutAndCountedApartOrAsDraws) {
  MatchConfig config{.games = 10, .max_plies = 12};
  const std::array<MatchPlayer<ChessPosition>, 2> players = {random_player<ChessPosition>(),
                                                             random_player<ChessPosition>()};
  const MatchResult apart = play<ChessPosition>(chess(), config, players).result;
  EXPECT_EQ(apart.cut, 10);
  EXPECT_EQ(apart.score().games(), 0);
  EXPECT_TRUE(apart.complete());
  EXPECT_DOUBLE_EQ(apart.mean_plies(), 12);
  config.cut = CutGames::Draws;
  const MatchResult draws = play<ChessPosition>(chess(), config, players).result;
  EXPECT_EQ(draws.cut, 10);
  EXPECT_EQ(draws.score().draws, 10);
}

TEST(Arena, GamesThatBothPlayersGiveUpAreAdjudicated) {
  MatchConfig config{.games = 16, .threads = 2, .adjudication = {.win_score = 0.8, .win_moves = 2}};
  const MatchPlayer<ChessPosition> player = {
      .make_searcher = [] { return make_alpha_beta_searcher<ChessPosition>({}); },
      .limits = {.depth = 2}};
  const Played played = play<ChessPosition>(chess(), config, {player, player});
  EXPECT_GT(played.result.adjudicated_wins, 0);
  EXPECT_EQ(played.result.mates(), 0);
  int adjudicated = 0;
  for (const auto& [number, game] : played.games) {
    if (game.ending != MatchEnding::Adjudicated) continue;
    ++adjudicated;
    ASSERT_GE(game.comments.size(), 4U);
    // The last four values, from the winner's side.
    for (std::size_t i = game.comments.size() - 4; i < game.comments.size(); ++i) {
      const bool white_moved = (game.opening.size() + i) % 2 == 0;
      const Evaluation& value = *game.comments[i].value;
      const double own = value.win + 0.5 * value.draw;
      EXPECT_GE((game.outcome == Outcome::WhiteWins) == white_moved ? own : 1 - own, 0.8 - 1e-6);
    }
  }
  EXPECT_EQ(adjudicated, played.result.adjudicated_wins + played.result.adjudicated_draws);
}

/// A random mover that fails at its n-th move of each game.
class FailingSearcher final : public Searcher<EscherPosition> {
 public:
  explicit FailingSearcher(int moves) : moves_(moves) {}
  void start(const PositionHistory<EscherPosition>& history, const SearchLimits& limits,
             std::mt19937_64& rng) override {
    if (--moves_ < 0) throw SearcherFailure("the engine is gone");
    random_->start(history, limits, rng);
  }
  bool gather(EvalBatch<EscherPosition>& batch) override { return random_->gather(batch); }
  void apply(const EvalBatch<EscherPosition>& batch) override { random_->apply(batch); }
  bool done() override { return random_->done(); }
  SearchResult decide() const override { return random_->decide(); }
  std::size_t waiting() const override { return random_->waiting(); }

 private:
  int moves_;
  std::unique_ptr<Searcher<EscherPosition>> random_ = make_random_searcher<EscherPosition>();
};

TEST(Arena, APlayerThatFailsLosesItsGameAndTheMatchGoesOn) {
  const MatchPlayer<EscherPosition> failing = {
      .make_searcher = [] { return std::make_unique<FailingSearcher>(3); }};
  const Played played = play<EscherPosition>(escher(), {.games = 12, .threads = 2},
                                             {failing, uniform<EscherPosition>(8)});
  const MatchResult& result = played.result;
  EXPECT_EQ(result.finished, 12);
  EXPECT_GT(result.forfeits_of(0), 6);
  EXPECT_EQ(result.forfeits_of(1), 0);
  EXPECT_EQ(result.forfeits.front().reason, "the engine is gone");
  EXPECT_GE(result.score().losses, result.forfeits_of(0));
  int number = -1;
  for (const Forfeit& forfeit : result.forfeits) {
    EXPECT_GT(forfeit.game, number);
    number = forfeit.game;
    EXPECT_EQ(played.games.at(number).ending, MatchEnding::Forfeit);
    EXPECT_EQ(played.games.at(number).first_score(), -1);
  }
}

TEST(Arena, PassesGamesOnInTheOrderOfTheirNumbers) {
  std::vector<int> order;
  std::vector<int> finished;
  play_match<EscherPosition>(
      escher(), {.games = 40, .threads = 3, .max_plies = 200},
      {uniform<EscherPosition>(10), random_player<EscherPosition>()},
      {.on_game =
           [&](const MatchGame& game, const MatchResult& result) {
             order.push_back(game.number);
             EXPECT_EQ(result.finished, static_cast<int>(order.size()));
           },
       .on_progress = [&](const MatchResult& result) { finished.push_back(result.finished); }});
  ASSERT_EQ(order.size(), 40U);
  EXPECT_TRUE(std::ranges::is_sorted(order));
  EXPECT_EQ(finished.size(), 40U);
  EXPECT_TRUE(std::ranges::is_sorted(finished));
}

TEST(Arena, ASequentialTestEndsTheMatchWithTheSameGamesAtAnyNumberOfThreads) {
  const std::array<MatchPlayer<EscherPosition>, 2> players = {uniform<EscherPosition>(60),
                                                              random_player<EscherPosition>()};
  MatchConfig config{.games = 2000,
                     .games_at_once = 8,
                     .max_plies = 200,
                     .cut = CutGames::Draws,
                     .sprt = SprtConfig{.elo0 = 0, .elo1 = 60}};
  const Played base = play<EscherPosition>(escher(), config, players);
  ASSERT_TRUE(base.result.sprt);
  EXPECT_EQ(base.result.sprt->decision, SprtDecision::AcceptElo1);
  EXPECT_TRUE(base.result.complete());
  EXPECT_LT(base.result.finished, 2000);
  EXPECT_EQ(base.result.finished % 2, 0);
  EXPECT_EQ(base.result.finished, 2 * base.result.sprt->pairs);
  EXPECT_EQ(base.games.rbegin()->first, base.result.finished - 1);
  config.threads = 3;
  const Played other = play<EscherPosition>(escher(), config, players);
  EXPECT_TRUE(same_moves(base, other));
  EXPECT_EQ(base.result.sprt->llr, other.result.sprt->llr);
}

TEST(Arena, AStoppedMatchKeepsItsFinishedGames) {
  std::atomic<int> finished{0};
  const MatchResult result =
      play_match<EscherPosition>(escher(), {.games = 100, .games_at_once = 4},
                                 {uniform<EscherPosition>(10), random_player<EscherPosition>()},
                                 {.on_progress = [&](const MatchResult&) { ++finished; },
                                  .stop = [&] { return finished >= 5; }});
  EXPECT_EQ(result.finished, finished);
  EXPECT_GE(finished, 5);
  EXPECT_LT(finished, 20);
  EXPECT_FALSE(result.complete());
  EXPECT_EQ(result.tally.games(), result.score().games());
}

TEST(Arena, StopsInTheMiddleOfASearchThatNoBatchInterrupts) {
  const MatchPlayer<EscherPosition> endless = {
      .make_searcher = [] { return make_alpha_beta_searcher<EscherPosition>(); },
      .limits = {.nodes = std::uint64_t{1} << 60U}};
  std::atomic<int> looks{0};
  const MatchResult result = play_match<EscherPosition>(escher(), {.games = 2}, {endless, endless},
                                                        {.stop = [&] { return ++looks > 3; }});
  EXPECT_EQ(result.finished, 0);
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

TEST(Arena, RefusesOpeningsAsLongAsGamesMayBe) {
  EXPECT_NO_THROW(check(MatchConfig{.games = 4, .pairs = {3, 5}}));
  EXPECT_THROW(check(MatchConfig{.openings = {.plies = 6}, .max_plies = 6}), std::invalid_argument);
}

}  // namespace
}  // namespace faultline
