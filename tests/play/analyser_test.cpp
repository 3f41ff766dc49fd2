// Searches by several threads on one tree, as engines and analyses run them.
#include "play/analyser.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "play/game.h"

namespace faultline {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kSmallest = std::size_t{1} << 20;

std::unique_ptr<GamePosition> position_of(const std::string& variant, const std::string& fen) {
  return find_game(variant).from_fen(fen);
}
std::unique_ptr<Analyser> analyser_of(const std::string& variant, int threads,
                                      std::size_t memory = kSmallest) {
  const Game& game = find_game(variant);
  return game.analyser({.threads = threads, .memory_bytes = memory}, game.uniform_evaluator());
}

std::string best(const GamePosition& position, const AnalysisReport& report) {
  return position.move_text(report.lines.at(0).moves.at(0));
}

TEST(Analyser, FindsMatesWithSeveralThreads) {
  // 1 Ra6 bxa6 2 b7#, a zugzwang (Morphy).
  const auto position = position_of("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
  for (const int threads : {1, 2, 4}) {
    const auto analyser = analyser_of("chess", threads);
    const AnalysisReport report = analyser->analyse(*position, {.visits = 4000}, 1, nullptr);
    EXPECT_EQ(best(*position, report), "a1a6") << threads;
    EXPECT_EQ(report.lines[0].mate_plies, 3) << threads;
    EXPECT_EQ(report.lines[0].moves.size(), 3U);
    EXPECT_EQ(report.lines[0].value.win, 1.0F);
  }
}

}  // namespace
}  // namespace faultline
