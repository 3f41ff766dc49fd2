// Games on several threads that share an engine's processes.
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "engine/uci_searcher.h"
#include "play/game_driver.h"
#include "rules/families.h"
#include "tests/engine/fake_engine_spec.h"

namespace faultline {
namespace {

using Gardner = GardnerPosition;

TEST(UciEnginePool, IsSharedByTheGamesOfSeveralThreads) {
  // Processes crash and are replaced while other threads start theirs.
  const auto pool = std::make_shared<UciEnginePool>(
      test::fake_engine("variants=chess,gardner after=25 move=crash"), "gardner");
  std::vector<int> failures(4), ends(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < failures.size(); ++t)
      threads.emplace_back([&, t] {
        for (std::uint64_t number = 0; number < 4; ++number) {
          GameDriver<Gardner> driver(PositionHistory<Gardner>(Gardner::start({})),
                                     {Player<Gardner>{.searcher = make_uci_searcher<Gardner>(pool)},
                                      Player<Gardner>{.searcher = make_random_searcher<Gardner>()}},
                                     {.max_plies = 30}, std::mt19937_64(10 * t + number), nullptr);
          EvalBatch<Gardner> batch;
          while (!driver.is_over())
            driver.gather(batch);
          ++ends[t];
          if (!driver.end().failure.empty()) {
            ++failures[t];
            EXPECT_EQ(driver.end().outcome, Outcome::BlackWins);
            EXPECT_EQ(driver.end().failure,
                      "Fake Engine crashed: it was ended by signal 6 (Aborted)");
          }
        }
      });
  }
  int failed = 0;
  for (std::size_t t = 0; t < ends.size(); ++t) {
    EXPECT_EQ(ends[t], 4);
    failed += failures[t];
  }
  // 16 games of up to 15 moves of the engine: no process survives two of these, and each plays one.
  EXPECT_GT(failed, 0);
  EXPECT_LT(failed, 16);
}

}  // namespace
}  // namespace faultline
