// Networks for which each level is a board of its own.
#include "tests/model/inference/shared_levels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/attack_planes.h"
#include "model/inference/network_evaluator.h"
#include "model/inference/vnni_backend.h"
#include "model/level_boards.h"
#include "tests/model/inference/backend_checks.h"
#include "tests/model/inference/networks.h"

namespace faultline {
namespace {

using test::encoding_of;
using test::shared_levels_net;
using test::with_levels_left;

std::string plane_name(const EncodingInfo& encoding, std::int32_t plane) {
  return plane == kNoPlane ? "none" : encoding.planes.at(static_cast<std::size_t>(plane));
}

TEST(LevelBoards, HaveTheirLevelsPlanesAndThoseOfNoLevel) {
  const EncodingInfo encoding = with_attack_planes(encoding_of<InfernoPosition>());
  const auto boards = level_boards(encoding);
  ASSERT_EQ(boards.size(), 5U);
  for (std::size_t level = 0; level < 5; ++level) {
    std::vector<std::string> names;
    for (const std::int32_t plane : boards[level])
      names.push_back(plane_name(encoding, plane));
    const auto of = [](std::size_t number) { return "level " + std::to_string(number) + ": "; };
    EXPECT_EQ(names[0], of(level + 1) + "squares");
    EXPECT_EQ(names[1], level == 0 ? "none" : of(level) + "squares");
    EXPECT_EQ(names[2], level == 4 ? "none" : of(level + 2) + "squares");
    // 12 pieces, en passant, four castling rights, four planes of attacks; three of no level.
    EXPECT_EQ(names.size(), 3U + 17 + 4 + 3);
    EXPECT_EQ(std::ranges::count_if(names, [&](auto& n) { return n.starts_with(of(level + 1)); }),
              22);
    EXPECT_EQ(names.back(), "ones");
  }
}

TEST(LevelBoards, OfOneLevelAreItsPlanesInAnotherOrder) {
  const EncodingInfo encoding =
      with_attack_planes(Encoder<InfernoPosition>::info(InfernoVariant{1}));
  const auto boards = level_boards(encoding);
  ASSERT_EQ(boards.size(), 1U);
  EXPECT_EQ(boards[0].size(), encoding.planes.size() + 2);
  EXPECT_EQ(std::ranges::count(boards[0], kNoPlane), 2);
  EXPECT_EQ(first_level_alone(encoding).planes.size(), encoding.planes.size());
}

TEST(LevelBoards, NeedLevels) {
  EXPECT_TRUE(has_level_planes(encoding_of<InfernoPosition>()));
  EXPECT_FALSE(has_level_planes(encoding_of<ChessPosition>()));
  EXPECT_FALSE(has_level_planes(encoding_of<EscherPosition>()));
  EXPECT_THROW(level_boards(encoding_of<ChessPosition>()), std::invalid_argument);
  EXPECT_THROW(describe_network(encoding_of<ChessPosition>(), shared_levels_net()),
               std::invalid_argument);
}

TEST(LevelBoards, ExistUntilTheirLevelVanishes) {
  const EncodingInfo& encoding = encoding_of<InfernoPosition>();
  const auto boards = level_boards(encoding);
  std::vector<float> planes(encoding.floats());
  for (int levels = 1; levels <= 5; ++levels)
    for (const auto& sample : with_levels_left(InfernoVariant{5}, levels, 2)) {
      Encoder<InfernoPosition>::encode(sample.position, 0, planes);
      EXPECT_EQ(existing_boards(boards, planes.data(), 64),
                static_cast<std::size_t>(sample.position.levels()));
    }
}

/// The network's weights for a game with so many levels.
NetworkValues for_levels(int levels, std::uint64_t seed) {
  return test::random_values(
      with_attack_planes(Encoder<InfernoPosition>::info(InfernoVariant{levels})),
      shared_levels_net(), seed);
}

TEST(SharedLevels, VanishedLevelsCountAsIfTheyHadNeverBeen) {
  const auto backend_of = [](int levels) {
    return cpu_backends().create(for_levels(levels, 3), {.backend = "cpu"});
  };
  const auto five = backend_of(5);
  for (int levels = 1; levels <= 4; ++levels) {
    // The same seed gives the same games.
    const auto left = with_levels_left(InfernoVariant{5}, levels, 7);
    const auto alone = with_levels_left(InfernoVariant{levels}, levels, 7);
    auto given = test::eval_batch(left), expected = test::eval_batch(alone);
    NetworkEvaluator<InfernoPosition>(InfernoVariant{5}, five).evaluate(given);
    NetworkEvaluator<InfernoPosition>(InfernoVariant{levels}, backend_of(levels))
        .evaluate(expected);
    const test::Distance d = test::distance(expected, given);
    EXPECT_LE(d.policy, 1e-6) << levels;
    EXPECT_LE(d.wdl, 1e-6) << levels;
    EXPECT_LE(d.moves_left, 1e-4) << levels;
  }
}

TEST(SharedLevels, LearnOfEachOther) {
  // The same with another position on the last level: answers for the first level differ, too.
  const auto backend = cpu_backends().create(for_levels(2, 3), {.backend = "cpu"});
  const std::string start = InfernoPosition::start(InfernoVariant{2}).fen();
  std::string other = start;
  const std::size_t second = other.find('|');
  other.replace(other.find('q', second), 1, "1");
  EvalBatch<InfernoPosition> batch;
  std::size_t moves_of_first_level = 0;
  for (const std::string& fen : {start, other}) {
    const auto position = InfernoPosition::from_fen(InfernoVariant{2}, fen);
    InfernoPosition::MoveList moves;
    position.legal_moves(moves);
    std::vector<Move> first;
    for (const Move m : moves)
      if (m.from() < 64 && m.to() < 64) first.push_back(m);
    moves_of_first_level = first.size();
    batch.add(position, 0, first);
  }
  NetworkEvaluator<InfernoPosition>(InfernoVariant{2}, backend).evaluate(batch);
  ASSERT_GT(moves_of_first_level, 5U);
  const auto a = test::copied(batch.priors(0)), b = test::copied(batch.priors(1));
  double difference = 0;
  for (std::size_t m = 0; m < a.size(); ++m)
    difference = std::max(difference, std::abs(static_cast<double>(a[m]) - b[m]));
  EXPECT_GT(difference, 1e-5);
}

TEST(SharedLevels, Int8IsCloseToTheKernelsInFp32) {
  const BackendOptions int8 = {.device = "cpu", .precision = Precision::Int8, .backend = "cpu"};
  if (!has_vnni_backend()) GTEST_SKIP() << "this processor has no AVX-512 with VNNI";
  const auto samples = test::with_every_number_of_levels(5);
  for (const int channels : {12, 32}) {
    const auto net = shared_levels_net(channels);
    const auto values = test::random_values(encoding_of<InfernoPosition>(), net, 3);
    const auto others = test::random_values(encoding_of<InfernoPosition>(), net, 4);
    const auto answers = [&](const NetworkValues& of, const BackendOptions& options) {
      auto batch = test::eval_batch(samples);
      NetworkEvaluator<InfernoPosition>(InfernoVariant{5}, cpu_backends().create(of, options))
          .evaluate(batch);
      return batch;
    };
    const auto exact = answers(values, {.backend = "cpu"});
    const test::Distance d = test::distance(exact, answers(values, int8));
    const test::Distance far = test::distance(exact, answers(others, {.backend = "cpu"}));
    EXPECT_LE(d.policy, 0.25 * far.policy) << channels;
    EXPECT_LE(d.wdl, 0.25 * far.wdl) << channels;
    EXPECT_GT(d.policy, 0);
    test::expect_equal_bits_alone<InfernoPosition>(InfernoVariant{5},
                                                   cpu_backends().create(values, int8), samples);
  }
}

}  // namespace
}  // namespace faultline
