// Actors with the uniform evaluator: games finish, batches are full, randomness depends on the
// seed.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/encoders.h"
#include "model/inference/batch_service.h"
#include "model/inference/folded_network.h"
#include "model/inference/simulated_device.h"
#include "record/tree_memory.h"
#include "rules/families/inferno.h"
#include "search/material.h"
#include "selfplay/actor_of.h"
#include "selfplay/game_numbers.h"
#include "selfplay/game_samples.h"
#include "selfplay/local_links.h"
#include "tests/record/games.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::chess;
using test::escher;

/// The uniform evaluator, which also records the batch sizes and checks that no batch is lost.
template <Position P>
class WatchingEvaluator final : public Evaluator<P> {
 public:
  void submit(EvalBatch<P>& batch) override {
    uniform_.submit(batch);
    const std::scoped_lock lock(mutex_);
    sizes_.push_back(batch.size());
    most_in_flight_ = std::max(most_in_flight_, ++in_flight_);
  }
  void wait(EvalBatch<P>& batch) override {
    uniform_.wait(batch);
    const std::scoped_lock lock(mutex_);
    --in_flight_;
  }
  std::vector<std::size_t> sizes() const { return sizes_; }
  int in_flight() const { return in_flight_; }
  int most_in_flight() const { return most_in_flight_; }

 private:
  UniformEvaluator<P> uniform_;
  std::mutex mutex_;
  std::vector<std::size_t> sizes_;
  int in_flight_ = 0;
  int most_in_flight_ = 0;
};

Config small_config() {
  Config config;
  config.search.visits = 24;
  config.search.reduced_visits = 8;
  config.search.full_search_probability = 0.5;
  config.selfplay.games_per_thread = 16;
  config.selfplay.batch = 16;
  config.selfplay.max_plies = 60;
  return config;
}

template <Position P>
struct Played {
  std::map<std::uint64_t, GameRecord> games;
  std::vector<std::size_t> batches;
  std::shared_ptr<ActorCounts> counts = std::make_shared<ActorCounts>();
  int left_in_flight = 0;
  int most_in_flight = 0;
};

/// Plays `games` games on `threads` threads, each with `groups` batches in flight.
template <Position P>
Played<P> play(const typename P::Variant& variant, const Config& config, std::uint64_t games,
               int threads = 1, std::size_t groups = 1, NumberSet finished = {}) {
  Played<P> played;
  WatchingEvaluator<P> evaluator;
  GameNumbers numbers(std::move(finished), games);
  std::mutex mutex;
  FunctionSink collector([&](GameRecord&& game) {
    const std::scoped_lock lock(mutex);
    const std::uint64_t number = game.number;
    EXPECT_TRUE(played.games.emplace(number, std::move(game)).second) << number;
  });
  NetBoard nets;
  nets.replace({.identity = {7, 77}, .backend = nullptr});
  OrderBoard orders;
  orders.replace({.net = {7, 77}});
  const auto text = followed_strategy(config, {});
  const auto strategy = text ? make_strategy<P>(variant, *text) : nullptr;
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([&] {
      ActorOf<P>(variant, config, strategy,
                 {.orders = &orders, .numbers = &numbers, .nets = &nets, .games = &collector},
                 *played.counts, &evaluator, groups)
          .run();
    });
  for (std::thread& thread : running)
    thread.join();
  played.batches = evaluator.sizes();
  played.left_in_flight = evaluator.in_flight();
  played.most_in_flight = evaluator.most_in_flight();
  return played;
}

template <Position P>
void expect_sound(const typename P::Variant& variant, const Config& config, const Played<P>& played,
                  std::uint64_t games) {
  ASSERT_EQ(played.games.size(), games);
  EXPECT_EQ(played.games.rbegin()->first, games - 1);
  std::uint64_t plies = 0;
  std::uint64_t targets = 0;
  for (const auto& [number, game] : played.games) {
    EXPECT_TRUE(is_over(game.outcome));
    EXPECT_LE(static_cast<int>(game.plies.size()), config.selfplay.max_plies);
    EXPECT_EQ(game.net, (NetworkIdentity{7, 77}));
    EXPECT_NO_THROW(replay_game<P>(variant, game, [](auto&&...) {}));
    plies += game.plies.size();
    for (const PlyRecord& ply : game.plies) {
      if (!ply.target) continue;
      ++targets;
      if (ply.policy.size() == 1) continue;  // forced moves are not searched in full
      // The root's own visit aside, all visits of a full search went to its moves.
      const std::uint64_t visits =
          std::accumulate(ply.policy.begin(), ply.policy.end(), std::uint64_t{0});
      EXPECT_GE(visits + 1, static_cast<std::uint64_t>(config.search.visits));
    }
    const GameSamples samples = GameDecoder(variant.canonical_name(), {}).decode(game);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      double share = 0;
      for (const PolicyWeight& entry : samples[i].policy)
        share += entry.weight;
      EXPECT_GT(share, 0);
      const auto& wdl = samples[i].wdl;
      EXPECT_NEAR(wdl[0] + wdl[1] + wdl[2], 1.0F, 1e-6F);
    }
  }
  EXPECT_EQ(played.counts->games.load(), games);
  EXPECT_EQ(played.counts->moves.load(), plies);
  EXPECT_EQ(played.counts->targets.load(), targets);
  EXPECT_GT(targets, 0U);
  EXPECT_EQ(played.counts->evaluations.load(),
            std::accumulate(played.batches.begin(), played.batches.end(), std::uint64_t{0}));
  EXPECT_EQ(played.left_in_flight, 0);
}

TEST(Actor, ChessGamesFinishAndReplay) {
  const Config config = small_config();
  expect_sound<ChessPosition>(chess(), config, play<ChessPosition>(chess(), config, 30), 30);
}

TEST(Actor, EscherGamesFinishAndReplay) {
  const Config config = small_config();
  expect_sound<EscherPosition>(escher(), config, play<EscherPosition>(escher(), config, 30), 30);
}

TEST(Actor, SeveralThreadsWithTwoBatchesInFlightPlayEveryGameOnce) {
  const Config config = small_config();
  const auto played = play<EscherPosition>(escher(), config, 60, 3, 2);
  expect_sound<EscherPosition>(escher(), config, played, 60);
  EXPECT_GT(played.most_in_flight, 1);
}

TEST(Actor, BatchesAreFullWhileThereAreEnoughGames) {
  Config config = small_config();
  config.selfplay.games_per_thread = 24;  // more games than fit into a batch
  const auto played = play<ChessPosition>(chess(), config, 100);
  // The last games, when no new one starts, cannot fill a batch; until then every batch is full.
  const auto first_short = std::find_if(played.batches.begin(), played.batches.end(),
                                        [](std::size_t size) { return size < 16; });
  const auto full = static_cast<std::size_t>(first_short - played.batches.begin());
  EXPECT_GT(full, played.batches.size() / 2);
  EXPECT_EQ(*std::max_element(played.batches.begin(), played.batches.end()), 16U);
}

TEST(Actor, SeveralLeavesOfATreeFillABatchFromFewGames) {
  Config config = small_config();
  config.selfplay.games_per_thread = 4;
  config.search.leaves_per_tree = 4;
  const auto played = play<ChessPosition>(chess(), config, 12);
  expect_sound<ChessPosition>(chess(), config, played, 12);
  EXPECT_GT(*std::max_element(played.batches.begin(), played.batches.end()), 8U);
}

TEST(Actor, TheSameSeedPlaysTheSameGamesOnAnyNumberOfThreads) {
  const Config config = small_config();
  const auto one = play<EscherPosition>(escher(), config, 20);
  Config other = config;
  other.selfplay.games_per_thread = 5;
  other.selfplay.batch = 3;
  EXPECT_EQ(one.games, play<EscherPosition>(escher(), other, 20, 2, 2).games);
}

TEST(Actor, AnotherSeedPlaysDifferentGames) {
  Config config = small_config();
  const auto one = play<ChessPosition>(chess(), config, 3);
  config.run.seed = 2;
  const auto two = play<ChessPosition>(chess(), config, 3);
  for (std::uint64_t number = 0; number < 3; ++number)
    EXPECT_NE(one.games.at(number).plies, two.games.at(number).plies);
}

TEST(Actor, GamesWithinARunDiffer) {
  const auto played = play<ChessPosition>(chess(), small_config(), 10);
  for (std::uint64_t number = 1; number < 10; ++number)
    EXPECT_NE(played.games.at(0).plies, played.games.at(number).plies);
}

TEST(Actor, WithoutPlayoutCapEveryMoveIsATarget) {
  Config config = small_config();
  config.search.full_search_probability = 1;
  const auto played = play<ChessPosition>(chess(), config, 5);
  EXPECT_EQ(played.counts->targets.load(), played.counts->moves.load());
}

TEST(Actor, WithoutTreeReuseAFullSearchHasExactlyItsVisits) {
  Config config = small_config();
  config.search.params.gumbel.enabled = false;
  config.search.tree_reuse = false;
  const auto played = play<ChessPosition>(chess(), config, 5);
  for (const auto& [number, game] : played.games)
    for (const PlyRecord& ply : game.plies)
      if (ply.target && ply.policy.size() > 1) {  // the only legal move has a reduced search
        EXPECT_EQ(std::accumulate(ply.policy.begin(), ply.policy.end(), 0U), 23U);
      }
}

TEST(Actor, SearchesHoldTheMemoryOfTheRunAndAreCounted) {
  Config config = small_config();
  config.selfplay.threads = 1;
  config.selfplay.games_per_thread = 2;
  config.selfplay.max_plies = 8;
  config.selfplay.tree_memory = 3;  // 1 MiB for each, and one for a tree that moves
  config.search.visits = 40'000;
  ASSERT_EQ(tree_memory(config).tree_bytes, std::size_t{1} << 20);
  const auto played = play<ChessPosition>(chess(), config, 4);
  EXPECT_EQ(played.games.size(), 4U);
  EXPECT_GT(played.counts->searches_cut.load(), 0U);
  EXPECT_EQ(played.games, play<ChessPosition>(chess(), config, 4).games) << "deterministic";
  config.selfplay.tree_memory = 100;
  EXPECT_EQ(play<ChessPosition>(chess(), config, 4).counts->searches_cut.load(), 0U);
  EXPECT_NE(tree_memory_warning(config).find("100 MiB, 33.3 MiB for each of 3 trees"),
            std::string::npos);
}

TEST(Actor, RandomOpeningsAreNotTargets) {
  Config config = small_config();
  config.search.full_search_probability = 1;
  config.selfplay.random_plies = 6;
  const auto played = play<ChessPosition>(chess(), config, 20);
  std::size_t openings = 0;
  for (const auto& [number, game] : played.games) {
    const auto first = std::find_if(game.plies.begin(), game.plies.end(),
                                    [](const PlyRecord& ply) { return ply.target; });
    EXPECT_LE(first - game.plies.begin(), 6);
    openings += static_cast<std::size_t>(first - game.plies.begin());
    EXPECT_TRUE(std::all_of(first, game.plies.end(), [](const auto& ply) { return ply.target; }));
  }
  EXPECT_GT(openings, 20U);  // 60 are expected
}

TEST(Actor, EverySearchedPlyRecordsItsRootValueWhetherTargetOrNot) {
  Config config = small_config();
  config.selfplay.random_plies = 6;
  const auto played = play<ChessPosition>(chess(), config, 20);
  std::size_t random = 0;
  std::size_t reduced = 0;
  for (const auto& [number, game] : played.games)
    for (const PlyRecord& ply : game.plies) {
      random += ply.searched ? 0 : 1;
      reduced += ply.searched && !ply.target ? 1 : 0;
      if (ply.target) {
        EXPECT_TRUE(ply.searched);
      }
      // The uniform evaluator returns a draw, and few games end within the search.
      if (!ply.searched) {
        EXPECT_EQ(ply.win + ply.draw, 0);
      } else {
        EXPECT_GT(ply.win + ply.draw, 0);
      }
    }
  EXPECT_EQ(
      played.counts->moves.load() + random,
      std::accumulate(played.games.begin(), played.games.end(), std::size_t{0},
                      [](std::size_t sum, const auto& g) { return sum + g.second.plies.size(); }));
  EXPECT_GT(random, 20U);
  EXPECT_GT(reduced, 100U);
}

/// Captures by White and by Black, and where they could have captured.
struct Captures {
  std::array<int, 2> done{};
  std::array<int, 2> possible{};
};

void count_captures(const GameRecord& game, Captures& captures) {
  ChessPosition position = ChessPosition::start(chess());
  for (const PlyRecord& ply : game.plies) {
    const auto side = static_cast<std::size_t>(index(position.side_to_move()));
    ChessPosition::MoveList moves;
    position.legal_moves(moves);
    const auto captures_here = [&](Move move) {
      return captured_type(position, move) != PieceType::None;
    };
    // Where nothing else is legal, limits are lifted.
    if (std::ranges::any_of(moves, captures_here) && !std::ranges::all_of(moves, captures_here)) {
      ++captures.possible.at(side);
      captures.done.at(side) += captures_here(ply.move) ? 1 : 0;
    }
    position.play(ply.move);
  }
}

TEST(Actor, OneSideFollowsAStrategyAndBothAreTargets) {
  const test::TemporaryFolder folder;
  Config config = small_config();
  config.search.full_search_probability = 1;
  config.selfplay.strategy =
      folder.write("peace.toml", "[[rules]]\nwhen = { captures = true }\nforbid = true\n");
  const auto played = play<ChessPosition>(chess(), config, 20);
  expect_sound<ChessPosition>(chess(), config, played, 20);
  Captures by_white, by_black;  // of games that White, that Black follows in
  for (const auto& [number, game] : played.games) {
    count_captures(game, follower_in(number) == Colour::White ? by_white : by_black);
    EXPECT_TRUE(std::ranges::all_of(game.plies, &PlyRecord::target)) << "of both sides";
  }
  for (const auto& [captures, follower] : {std::pair(by_white, 0U), std::pair(by_black, 1U)}) {
    EXPECT_GT(captures.possible.at(follower), 20);
    EXPECT_EQ(captures.done.at(follower), 0);
    EXPECT_GT(captures.done.at(1 - follower), 20) << "the other side plays plainly";
  }
  const auto again = play<ChessPosition>(chess(), config, 20, 2);
  for (const auto& [number, game] : played.games)
    EXPECT_TRUE(again.games.at(number).plies == game.plies) << number;
}

TEST(Actor, AStrategyIsKeptInTheRunsFolder) {
  const test::TemporaryFolder folder;
  Config config;
  config.run.variant = "chess";
  EXPECT_FALSE(followed_strategy(config, folder.path()));
  config.selfplay.strategy =
      folder.write("peace.toml", "[[rules]]\nwhen = { captures = true }\nforbid = true\n");
  const std::filesystem::path run = folder.path() / "run";
  keep_followed_strategy(config, run);
  folder.write("peace.toml", "changed");
  EXPECT_EQ(followed_strategy(config, run)->rules.size(), 1U) << "as it was";
  EXPECT_THROW(followed_strategy(config, {}), ConfigError);
  keep_followed_strategy(config, run);
  EXPECT_EQ(followed_strategy(config, run)->rules.size(), 1U);
  config.run.variant = "inferno";
  config.selfplay.strategy =
      folder.write("up.toml", "[[rules]]\nwhen = { shifts = true }\nprior = 2\n");
  EXPECT_THROW(followed_strategy(config, run), ConfigError);
  config.selfplay.strategy = "no-such-strategy";
  EXPECT_THROW(followed_strategy(config, run), ConfigError);
}

TEST(Actor, AStrategyIsFoundFromTheConfigurationsFile) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "strategies");
  folder.write("strategies/own-plan.toml",
               "[[rules]]\nwhen = { captures = true }\nforbid = true\n");
  const Config config = load_config(folder.write(
      "quick.toml", "[run]\nvariant = \"chess\"\n[selfplay]\nstrategy = \"own-plan\"\n"));
  EXPECT_EQ(followed_strategy(config, {})->rules.size(), 1U);
  Config elsewhere;
  elsewhere.run.variant = "chess";
  set_option(elsewhere, "selfplay.strategy=own-plan");
  EXPECT_THROW(followed_strategy(elsewhere, {}), ConfigError);
}

/// Black is lost in every position.
class BlackIsLost final : public Evaluator<ChessPosition> {
 public:
  void submit(EvalBatch<ChessPosition>& batch) override {
    UniformEvaluator<ChessPosition> uniform;
    uniform.evaluate(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const bool black = batch.position(i).side_to_move() == Colour::Black;
      batch.evaluation(i) = {
          .win = black ? 0.01F : 0.99F, .draw = 0, .loss = black ? 0.99F : 0.01F, .moves_left = 10};
    }
  }
  void wait(EvalBatch<ChessPosition>&) override {}
};

/// Games in which one side is lost from the first move to the last.
Played<ChessPosition> play_lost_games(const Config& config) {
  Played<ChessPosition> played;
  BlackIsLost evaluator;
  GameNumbers numbers({}, 40);
  FunctionSink collector(
      [&](GameRecord&& game) { played.games.emplace(game.number, std::move(game)); });
  NetBoard nets;
  OrderBoard orders;
  ActorOf<ChessPosition>(
      chess(), config, nullptr,
      {.orders = &orders, .numbers = &numbers, .nets = &nets, .games = &collector}, *played.counts,
      &evaluator)
      .run();
  return played;
}

TEST(Actor, NobodyResignsByDefault) {
  const auto played = play_lost_games(small_config());
  for (const auto& [number, game] : played.games) {
    EXPECT_FALSE(game.resigned);
    EXPECT_GT(game.plies.size(), 10U);
  }
  EXPECT_EQ(played.counts->resign_tests.load(), 0U);
}

TEST(Actor, ForcedMovesNeverHaveMoreVisitsThanOthers) {
  UniformEvaluator<ChessPosition> evaluator;
  Config config;
  config.search.full_search_probability = 1;
  for (const int visits : {8, 100}) {
    config.search.visits = visits;
    config.search.reduced_visits = 32;
    const SearchBudget budget = self_player<ChessPosition>(config, evaluator).budget;
    EXPECT_TRUE(budget.forced_reduced);
    EXPECT_EQ(budget.full.visits, static_cast<std::uint32_t>(visits));
    EXPECT_EQ(budget.reduced.visits, static_cast<std::uint32_t>(std::min(visits, 32)));
  }
}

/// Short searches after up to 30 random plies.
Config levels_config() {
  Config config = small_config();
  config.search.visits = 4;
  config.search.reduced_visits = 4;
  config.selfplay.random_plies = 30;
  return config;
}

std::size_t random_plies_of(const GameRecord& game) {
  const auto first = std::ranges::find_if(game.plies, &PlyRecord::searched);
  return static_cast<std::size_t>(first - game.plies.begin());
}

TEST(Actor, TheTemperatureAppliesFromTheFirstSearchedPly) {
  Config config = levels_config();
  config.search.params = {.dirichlet_weight = 0};
  config.search.visits = 50;
  config.search.full_search_probability = 1;
  config.search.temperature = 1;
  config.search.temperature_plies = 4;
  config.search.final_temperature = 0;
  const auto played = play<ChessPosition>(chess(), config, 12);
  std::array<int, 4> not_the_best{};  // by plies since the opening
  for (const auto& [number, game] : played.games) {
    const std::size_t opening = random_plies_of(game);
    if (opening < not_the_best.size()) continue;
    ChessPosition position = ChessPosition::start(chess());
    for (std::size_t i = 0; i < game.plies.size(); position.play(game.plies[i++].move)) {
      const PlyRecord& ply = game.plies[i];
      ChessPosition::MoveList moves;
      position.legal_moves(moves);
      const auto move =
          static_cast<std::size_t>(std::ranges::find(moves, ply.move) - moves.begin());
      if (!ply.target || ply.policy.at(move) == std::ranges::max(ply.policy)) continue;
      ASSERT_LT(i - opening, not_the_best.size()) << number;
      ++not_the_best.at(i - opening);
    }
  }
  for (const int count : not_the_best)
    EXPECT_GT(count, 0);
}

TEST(Actor, TheFirstGamesOfInfernoStartWithOneLevel) {
  const InfernoVariant inferno{.levels = 2};
  Config config = levels_config();
  config.selfplay.one_level_games = 7;
  const auto played = play<InfernoPosition>(inferno, config, 12, 1, 1);
  ASSERT_EQ(played.games.size(), 12U);
  for (const auto& [number, game] : played.games) {
    EXPECT_EQ(game.start_fen, number < 7 ? InfernoPosition::start({.levels = 1}).fen() : "")
        << number;
    EXPECT_LE(random_plies_of(game), number < 7 ? 15U : 30U);
    EXPECT_NO_THROW(GameDecoder("inferno:levels=2", {}).decode(game));
  }
}

TEST(Actor, LevelsRiseFromOneToAll) {
  const InfernoVariant inferno{.levels = 4};
  Config config = levels_config();
  config.selfplay.one_level_games = 2;
  config.selfplay.rising_level_games = 5;
  const std::vector<int> expected = {1, 1, 2, 2, 2, 3, 3, 4, 4};
  const auto played = play<InfernoPosition>(inferno, config, 9, 1, 1);
  ASSERT_EQ(played.games.size(), 9U);
  for (const auto& [number, game] : played.games) {
    const int levels = expected.at(number);
    EXPECT_EQ(game.start_fen, levels < 4 ? InfernoPosition::start({.levels = levels}).fen() : "")
        << number;
    EXPECT_LE(random_plies_of(game), static_cast<unsigned>(30 * levels / 4));
  }
}

TEST(Actor, LostGamesAreResignedExceptThoseThatArePlayedThrough) {
  Config config = small_config();
  config.selfplay.resign_below = -0.9;
  config.selfplay.resign_plies = 3;
  config.selfplay.resign_playthrough = 0.3;
  const auto played = play_lost_games(config);
  std::uint64_t resigned = 0, survived = 0;
  for (const auto& [number, game] : played.games) {
    EXPECT_NO_THROW(replay_game<ChessPosition>(chess(), game, [](auto&&...) {}));
    if (game.resigned) {
      ++resigned;
      EXPECT_EQ(game.outcome, Outcome::WhiteWins);
      EXPECT_EQ(game.plies.size(), 5U) << "Black resigns instead of its third move";
    } else {
      survived += game.outcome == Outcome::WhiteWins ? 0 : 1;
    }
  }
  EXPECT_NEAR(static_cast<double>(resigned), 28, 9);
  EXPECT_EQ(played.counts->resign_tests.load(), 40 - resigned);
  EXPECT_EQ(played.counts->resign_errors.load(), survived)
      << "games that Black did not lose although it would have resigned";
}

TEST(Actor, WhetherAGameIsPlayedOutIsIndependentOfItsOwnChoices) {
  // The first number of a game's own generator decides the number of random plies.
  Config config;
  config.selfplay.resign_playthrough = 0.3;
  double sum = 0;
  int count = 0;
  for (std::uint64_t number = 0; number < 3'000; ++number) {
    if (!is_played_out(config, number)) continue;
    std::mt19937_64 rng(mix_seed(static_cast<std::uint64_t>(config.run.seed), number));
    sum += std::uniform_real_distribution<double>(0, 1)(rng);
    ++count;
  }
  EXPECT_NEAR(count, 900, 100);
  EXPECT_NEAR(sum / count, 0.5, 0.05);
}

// Few games are left at the end, on some of the threads, and each has its own network's identity.
TEST(Actors, ShareADevicesBatchesUntilTheLastGamesEndAndSayWhichNetworksPlayed) {
  const EncodingInfo& encoding = Encoder<EscherPosition>::info(escher());
  const auto service = std::make_shared<BatchService>(
      std::vector<MakeBackend>{[&](const FoldedNetwork&) {
        return make_simulated_backend(
            {.floats = encoding.floats(), .planes = encoding.planes.size(), .rate = 1e5});
      }},
      FoldedNetwork{}, NetworkIdentity{1, 11}, ServiceSettings{.slot = 64});
  Config config = small_config();
  config.selfplay.max_plies = 20;
  std::map<std::uint64_t, GameRecord> games;
  std::mutex mutex;
  FunctionSink sink([&](GameRecord&& game) {
    const std::scoped_lock lock(mutex);
    if (games.size() < 30) {
      EXPECT_EQ(game.net, (NetworkIdentity{1, 11}));
    }
    games.emplace(game.number, std::move(game));
    // The actors' orders do not name it, and the service computes with it all the same.
    if (games.size() == 30) service->replace(FoldedNetwork{}, {2, 22});
  });
  NetBoard nets;
  nets.replace({.identity = {1, 11}, .backend = service, .batch = 16});
  OrderBoard orders;
  orders.replace({.net = {1, 11}});
  GameNumbers numbers({}, 80);
  ActorCounts counts;
  std::vector<std::thread> actors;
  for (int t = 0; t < 3; ++t)
    actors.emplace_back([&] {
      ActorOf<EscherPosition>(
          escher(), config, nullptr,
          {.orders = &orders, .numbers = &numbers, .nets = &nets, .games = &sink}, counts)
          .run();
    });
  for (std::thread& actor : actors)
    actor.join();
  ASSERT_EQ(games.size(), 80U);
  EXPECT_EQ(games.at(79).net, (NetworkIdentity{2, 22}));
  const ServedBatches served = service->served().front();
  EXPECT_EQ(served.positions, counts.evaluations);
  EXPECT_LT(served.batches, counts.batches / 2);
}

}  // namespace
}  // namespace faultline
