// A training that a page starts, watches and halts, by the program itself.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/run_folder.h"
#include "tests/temporary_folder.h"
#include "web/folder.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class States {
 public:
  void see(const ReportJson& report) {
    const std::lock_guard lock(mutex_);
    last_ = report;
    changed_.notify_all();
  }
  bool comes(const std::string& state, bool with_row = false) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 120s, [&] {
      return last_.is_object() && last_["state"].get<std::string>().starts_with(state) &&
             (!with_row || last_["from"] > 0 || !last_["rows"].empty());
    });
  }
  ReportJson last() {
    const std::lock_guard lock(mutex_);
    return last_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  ReportJson last_;
};

TEST(LabTraining, IsStartedWatchedHaltedAndResumed) {
  const test::TemporaryFolder lab;
  Folder folder({.root = lab.path(),
                 .program = FAULTLINE_BINARY_DIR "/bin/faultline",
                 .may_start = true,
                 .position = nullptr});
  Handlers handlers = folder.handlers();
  const std::string text =
      "[run]\nvariant = \"gardner\"\nreport_seconds = 1\n[net]\nblocks = 1\nchannels = 8\n"
      "[search]\nvisits = 4\n[selfplay]\nthreads = 1\ngames_per_thread = 4\nmax_plies = 40\n"
      "[learner]\nbatch = 16\nmin_positions = 64\n[replay]\nwindow = 2000\nmin_window = 200\n"
      "[fast]\nnetwork = \"no\"\n";
  States states;
  RunWatches watches(folder,
                     [&](const std::string&, const ReportJson& report) { states.see(report); });
  handlers.at("start")({{"command", "train"}, {"path", "runs/tiny"}, {"text", text}});
  watches.watch({{"path", "runs/tiny"}, {"have", 0}});
  ASSERT_TRUE(states.comes("running", true)) << states.last();
  // The games in progress are written once a wall was asked for.
  const auto ask_wall = [&] { return handlers.at("wall")({{"path", "runs/tiny"}, {"count", 4}}); };
  const auto is_live = [](const ReportJson& game) { return game.contains("live"); };
  const auto end = std::chrono::steady_clock::now() + 60s;
  ReportJson live;
  while (live.empty() && std::chrono::steady_clock::now() < end) {
    const ReportJson seen = ask_wall();
    for (const ReportJson& game : seen["games"])
      if (is_live(game) && !game["moves"].empty()) live = game;
    std::this_thread::sleep_for(100ms);
  }
  ASSERT_FALSE(live.empty());
  EXPECT_EQ(live["result"], "*");
  EXPECT_EQ(live["frames"].size(), live["moves"].size() + 1);
  EXPECT_TRUE(live.contains("values")) << "what the searches expected";
  handlers.at("halt")({{"path", "runs/tiny"}});
  ASSERT_TRUE(states.comes("stopped")) << states.last();
  EXPECT_FALSE(fs::exists(RunFolder::live_games(lab.path() / "runs/tiny")));
  EXPECT_TRUE(RunFolder::state_in(lab.path() / "runs/tiny")) << "everything is saved";
  const ReportJson wall = ask_wall();
  EXPECT_EQ(wall["games"].size(), 4U);
  EXPECT_TRUE(std::ranges::none_of(wall["games"], is_live));
  handlers.at("start")({{"command", "resume"}, {"path", "runs/tiny"}});
  ASSERT_TRUE(states.comes("running")) << states.last();
  handlers.at("halt")({{"path", "runs/tiny"}});
  ASSERT_TRUE(states.comes("stopped")) << states.last();
}

}  // namespace
}  // namespace faultline::web
