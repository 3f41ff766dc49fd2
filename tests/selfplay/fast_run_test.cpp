// Runs that train a fast network alone: what is played and stored, and that they go on.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/encoders.h"
#include "model/fast/fast_file.h"
#include "model/inference/network_evaluator.h"
#include "record/replay_store.h"
#include "rules/families/escher.h"
#include "selfplay/fast_run_trainer.h"
#include "selfplay/training_session.h"
#include "tests/model/inference/networks.h"
#include "tests/record/games.h"
#include "tests/selfplay/fake_trainer.h"

namespace faultline {
namespace {

using test::escher;
using test::TemporaryFolder;

Config fast_config() {
  Config config;
  config.run.variant = "escher";
  config.run.games = 24;
  config.fast = {.network = FastRun::Alone, .nodes = 30, .aside_nodes = 10, .teacher = {}};
  config.selfplay.threads = 2;
  config.selfplay.games_per_thread = 6;
  config.selfplay.max_plies = 60;
  config.selfplay.random_plies = 10;
  config.replay = {.window = 2'000, .min_window = 500, .window_share = 0.5, .chunk_games = 7};
  config.learner.batch = 32;
  config.learner.replay_ratio = 2;
  config.learner.decay_steps = 100;
  config.learner.min_positions = 100;
  config.learner.publish_interval = 10;
  config.learner.checkpoint_interval = 20;
  return config;
}

RunResult train_fast(const Config& config, const std::filesystem::path& folder, bool resume = false,
                     const std::shared_ptr<Backend>& teacher = nullptr) {
  std::ostringstream out;
  const RunOptions options{.folder = folder, .resume = resume, .out = &out};
  return run_session(
      config, options,
      [&](RunPersistence& persistence) {
        return std::make_unique<FastRunTrainer>(make_fast_trainer(config, options, persistence),
                                                Encoder<EscherPosition>::info(escher()), teacher);
      },
      run_on_plain_threads);
}

std::map<std::uint64_t, GameRecord> fast_games_in(const std::filesystem::path& folder) {
  std::map<std::uint64_t, GameRecord> games;
  for (const StoredGame& game : all_games(scan_games(folder / "games", "escher")))
    games.emplace(game.number, read_game(game));
  return games;
}

TEST(FastRun, LearnsFromQuietPositionsAndPositionsOffTheLine) {
  const TemporaryFolder place;
  const RunResult result = train_fast(fast_config(), place.path());
  EXPECT_EQ(result.games, 24U);
  const auto games = fast_games_in(place.path());
  ASSERT_EQ(games.size(), 24U);
  std::size_t plies = 0, targets = 0, asides = 0;
  std::uint64_t positions = 0;
  for (const auto& [number, game] : games) {
    positions += game.target_count();
    replay_game<EscherPosition>(
        escher(), game, [&](const auto& history, const auto&, const PlyRecord& ply) {
          ++plies;
          asides += ply.asides.size();
          if (!ply.target) return;
          ++targets;
          EXPECT_FALSE(history.position().in_check());
          EXPECT_EQ(captured_type(history.position(), ply.move), PieceType::None);
        });
  }
  EXPECT_EQ(result.positions, positions);
  EXPECT_EQ(positions, targets + asides);
  EXPECT_GT(asides, plies / 3);
  EXPECT_GT(result.steps, 50);
  const FastNetwork net = load_fast_network(result.checkpoint);
  EXPECT_EQ(net.variant, "escher");
  EXPECT_EQ(net.steps, result.steps);
}

TEST(FastRun, LearnsTheValuesOfItsTeacher) {
  const TemporaryFolder place;
  const auto teacher = test::random_backend(Encoder<EscherPosition>::info(escher()), 3);
  train_fast(fast_config(), place.path(), false, teacher);
  EvalBatch<EscherPosition> positions;
  std::vector<std::pair<float, float>> recorded;  // win and draw
  const auto add = [&](const EscherPosition& position, int repetitions, const auto& values) {
    EscherPosition::MoveList moves;
    position.legal_moves(moves);
    positions.add(position, repetitions, moves);
    recorded.emplace_back(unpack_probability(values.win), unpack_probability(values.draw));
  };
  std::size_t asides = 0;
  for (const auto& [number, game] : fast_games_in(place.path()))
    replay_game<EscherPosition>(
        escher(), game, [&](const auto& history, const auto&, const PlyRecord& ply) {
          if (ply.searched) add(history.position(), std::min(history.repetitions(), 1), ply);
          for (const Aside& aside : ply.asides) {
            EscherPosition end = history.position();
            for (const Move move : aside.moves)
              end.play(move);
            add(end, 0, aside);
            ++asides;
          }
        });
  ASSERT_GT(asides, 50U);
  NetworkEvaluator<EscherPosition>(escher(), teacher).evaluate(positions);
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    EXPECT_NEAR(recorded[i].first, positions.evaluation(i).win, 1e-3F);
    EXPECT_NEAR(recorded[i].second, positions.evaluation(i).draw, 1e-3F);
  }
}

TEST(FastRun, ItsTeacherMustExistAndFit) {
  Config config = fast_config();
  const EncodingInfo& encoding = Encoder<EscherPosition>::info(escher());
  EXPECT_EQ(load_teacher(config, encoding, cpu_backends()), nullptr);
  config.fast.teacher = "no/such/net.pt";
  EXPECT_THROW(load_teacher(config, encoding, cpu_backends()), ConfigError);
  EXPECT_THROW(adopt_teacher(config), ConfigError);
  config.fast.teacher = FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt";
  EXPECT_THROW(load_teacher(config, encoding, cpu_backends()), CheckpointError);
  adopt_teacher(config);
  EXPECT_EQ(config.run.variant, "chess");
}

TEST(FastRun, DeterministicRunsAreEqualAlsoIfTheyWereInterrupted) {
  const TemporaryFolder place;
  Config config = fast_config();
  config.run.deterministic = true;
  config.selfplay.threads = 1;
  const RunResult whole = train_fast(config, place.path() / "whole");
  config.run.games = 12;
  train_fast(config, place.path() / "parts");
  config.run.games = 24;
  const RunResult parts = train_fast(config, place.path() / "parts", true);
  EXPECT_EQ(fast_games_in(place.path() / "parts"), fast_games_in(place.path() / "whole"));
  EXPECT_EQ(load_fast_network(parts.checkpoint), load_fast_network(whole.checkpoint));
  EXPECT_GT(parts.steps, 20);
}

TEST(FastRun, BeginsWithAnothersNetwork) {
  const TemporaryFolder place;
  const RunResult first = train_fast(fast_config(), place.path() / "first");
  Config config = fast_config();
  config.run.games = 2;
  std::ostringstream out;
  const RunOptions options{
      .folder = place.path() / "second", .out = &out, .init_from = first.checkpoint};
  run_session(
      config, options,
      [&](RunPersistence& persistence) {
        return std::make_unique<FastRunTrainer>(make_fast_trainer(config, options, persistence),
                                                Encoder<EscherPosition>::info(escher()));
      },
      run_on_plain_threads);
  FastNetwork net = load_fast_network(place.path() / "second" / RunFolder::checkpoint_name(0));
  net.steps = first.steps;
  EXPECT_EQ(net, load_fast_network(first.checkpoint));
}

TEST(FastRun, DoesNotGoOnWithAnotherGamesNetwork) {
  const TemporaryFolder place;
  const RunResult first = train_fast(fast_config(), place.path() / "first");
  Config config = fast_config();
  config.run.variant = "gardner";
  const RunOptions options{.folder = place.path() / "second", .init_from = first.checkpoint};
  RunPersistence persistence(config, "gardner", options);
  EXPECT_THROW(make_fast_trainer(config, options, persistence), RunError);
}

}  // namespace
}  // namespace faultline
