// Complete runs that take about a second.
#include "tests/selfplay/tiny_runs.h"

#include <sstream>

#include <gtest/gtest.h>

#include "record/stored_games.h"
#include "tests/temporary_folder.h"

namespace faultline::test {

Config tiny_config(const std::string& variant) {
  Config config;
  config.run.variant = variant;
  config.run.games = 24;
  config.run.report_seconds = 0.5;
  config.net.blocks = 2;
  config.net.channels = 16;
  config.search.visits = 12;
  config.search.reduced_visits = 4;
  config.search.full_search_probability = 0.5;
  config.selfplay.threads = 2;
  config.selfplay.games_per_thread = 8;
  config.selfplay.batch = 8;
  config.selfplay.max_plies = 40;
  config.replay.window = 400;
  config.replay.min_window = 100;
  config.replay.chunk_games = 7;
  config.learner.batch = 16;
  config.learner.replay_ratio = 1;
  config.learner.min_positions = 40;
  config.learner.warmup_steps = 3;
  config.learner.publish_interval = 4;
  config.learner.checkpoint_interval = 5;
  config.learner.train.precision = TrainingPrecision::Fp32;
  config.device = {.device = "cpu", .backend = "cpu", .precision = PrecisionChoice::Fp32};
  return config;
}

RunResult run(const Config& config, const std::filesystem::path& folder, bool resume) {
  std::ostringstream out;
  return run_training(config, {.folder = folder, .resume = resume, .out = &out});
}

std::map<std::uint64_t, GameRecord> games_in(const std::filesystem::path& folder,
                                             const std::string& variant) {
  std::map<std::uint64_t, GameRecord> games;
  const ReplayStore store(folder / "games", variant, 1);
  for (const StoredGame& game : all_games(store.found()))
    EXPECT_TRUE(games.emplace(game.number, read_game(game)).second);
  // Besides torn games, the store reports duplicate games; there must be none.
  for (const std::string& message : store.found().messages)
    EXPECT_EQ(message.find("duplicate"), std::string::npos) << message;
  return games;
}

RunState state_in(const std::filesystem::path& folder) {
  return run_state_from_json(read_text(folder / "state.json"), "state.json");
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

}  // namespace faultline::test
