// Several ranks that train one network: here on threads, each with a trainer of its own.
#include "model/training/ranks.h"

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/model/training/batches.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::encoding_of;
using test::TemporaryFolder;

#define FAULTLINE_NEEDS_RANKS() \
  if (!has_ranks()) GTEST_SKIP() << "built without c10d's Gloo (Debian: libgloo-dev)"

Trainer new_trainer() {
  TrainParams params;
  params.learning_rate = 5e-3;
  return {encoding_of<ChessPosition>(), test::small_net(), params, "cpu", 1};
}

struct Trained {
  std::vector<StepLosses> losses;
  std::uint64_t hash = 0;
  StepLosses at_last;  // of the whole batch, norms in inference mode
};

Trained train(Trainer trainer, const TrainBatch& own, const TrainBatch& whole, int steps) {
  Trained trained;
  for (int i = 0; i < steps; ++i)
    trained.losses.push_back(trainer.step(own));
  trained.hash = trainer.weights_hash();
  trained.at_last = trainer.evaluate(whole);
  return trained;
}

/// By two ranks, each with half of the batch.
std::vector<Trained> train_by_two(const TrainBatch& batch, int steps) {
  const TemporaryFolder folder;
  std::vector<Trained> trained(2);
  const auto work = [&](int rank) {
    Trainer trainer = new_trainer();
    trainer.share_steps(std::make_shared<Ranks>(folder.path() / "meeting", rank, 2));
    trained[static_cast<std::size_t>(rank)] =
        train(std::move(trainer), share_of(batch, rank, 2), batch, steps);
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  return trained;
}

TrainBatch joined(const TrainBatch& a, const TrainBatch& b) {
  TrainBatch both = a;
  both.count += b.count;
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add(both.planes, b.planes);
  add(both.moves, b.moves);
  add(both.policy, b.policy);
  add(both.wdl, b.wdl);
  add(both.moves_left, b.moves_left);
  for (std::size_t i = 1; i <= b.count; ++i)
    both.first_move.push_back(a.first_move.back() + b.first_move[i]);
  return both;
}

TEST(Ranks, SharesOfABatchAreItsPositions) {
  const TrainBatch batch = test::random_train_batch<ChessPosition>(23, 7);
  const TrainBatch both =
      joined(joined(share_of(batch, 0, 3), share_of(batch, 1, 3)), share_of(batch, 2, 3));
  EXPECT_EQ(both.count, batch.count);
  EXPECT_EQ(both.planes, batch.planes);
  EXPECT_EQ(both.first_move, batch.first_move);
  EXPECT_EQ(both.policy, batch.policy);
  EXPECT_EQ(both.wdl, batch.wdl);
  EXPECT_EQ(both.moves_left, batch.moves_left);
}

TEST(Ranks, TwoWithTheSamePositionsAreOneWithTheDoubledBatch) {
  FAULTLINE_NEEDS_RANKS();
  const TrainBatch half = test::random_train_batch<ChessPosition>(24, 7);
  const TrainBatch batch = joined(half, half);
  const Trained one = train(new_trainer(), batch, batch, 20);
  const std::vector<Trained> two = train_by_two(batch, 20);
  EXPECT_EQ(two[0].hash, two[1].hash);
  for (std::size_t i = 0; i < one.losses.size(); ++i) {
    EXPECT_EQ(two[0].losses[i].total, two[1].losses[i].total) << i;
    EXPECT_NEAR(two[0].losses[i].total, one.losses[i].total, 1e-3 * one.losses[i].total) << i;
    EXPECT_NEAR(two[0].losses[i].grad_norm, one.losses[i].grad_norm, 1e-2 * one.losses[i].grad_norm)
        << i;
  }
  EXPECT_NEAR(two[0].at_last.total, one.at_last.total, 1e-2 * one.at_last.total);
}

TEST(Ranks, TwoWithDifferentHalvesLearnAsOneDoes) {
  FAULTLINE_NEEDS_RANKS();
  const TrainBatch batch = test::random_train_batch<ChessPosition>(64, 7);
  const Trained one = train(new_trainer(), batch, batch, 100);
  const std::vector<Trained> two = train_by_two(batch, 100);
  EXPECT_EQ(two[0].hash, two[1].hash);
  // Norms are computed over each half.
  EXPECT_NEAR(two[0].losses.front().total, one.losses.front().total,
              0.05 * one.losses.front().total);
  EXPECT_LT(std::abs(two[0].losses.back().total - one.losses.back().total),
            0.1 * one.losses.front().total);
  EXPECT_LT(two[0].losses.back().total, 0.5 * two[0].losses.front().total);
}

TEST(Ranks, OneThatIsGoneEndsTheOthersStep) {
  FAULTLINE_NEEDS_RANKS();
  const TemporaryFolder folder;
  const TrainBatch batch = test::random_train_batch<ChessPosition>(8, 7);
  std::thread other([&] {
    const auto ranks = std::make_shared<Ranks>(folder.path() / "meeting", 1, 2);
    Trainer trainer = new_trainer();
    trainer.share_steps(ranks);
    trainer.step(batch);
    EXPECT_EQ(ranks->receive(0), "go");
  });
  const auto ranks = std::make_shared<Ranks>(folder.path() / "meeting", 0, 2);
  Trainer trainer = new_trainer();
  trainer.share_steps(ranks);
  trainer.step(batch);
  const std::uint64_t before = trainer.weights_hash();
  ranks->send(1, "go");
  other.join();
  EXPECT_THROW(trainer.step(batch), RankError);
  EXPECT_EQ(trainer.weights_hash(), before);
  EXPECT_THROW(ranks->receive(1), RankError);
}

}  // namespace
}  // namespace faultline
