// Runs that are watched while their files change, started and halted.
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/child_process.h"
#include "tests/web/lab_runs.h"
#include "web/folder.h"
#include "web/processes.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

using test::append_text;
using test::metrics_row;
using test::TemporaryFolder;
using testing::HasSubstr;

/// What a page sees of one run.
class Page {
 public:
  void see(const std::string& topic, const ReportJson& report) {
    const std::lock_guard lock(mutex_);
    topics_.push_back(topic);
    times_.push_back(std::chrono::steady_clock::now());
    const std::size_t from = report.at("from");
    if (from != 0 && from != rows_.size()) gap_ = true;
    rows_.resize(from);
    for (const ReportJson& row : report.at("rows"))
      rows_.push_back(row);
    last_ = report;
    changed_.notify_all();
  }
  /// Whether `holds` becomes true of the page's rows and the last report within ten seconds.
  template <class Holds>
  bool comes(Holds holds) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 10s, [&] { return !last_.is_null() && holds(rows_, last_); });
  }
  bool comes_rows(std::size_t rows) {
    return comes([&](const auto& all, const auto&) { return all.size() == rows; });
  }
  bool comes_state(const std::string& state) {
    return comes([&](const auto&, const ReportJson& last) {
      return last.at("state").template get<std::string>().find(state) != std::string::npos;
    });
  }
  ReportJson last() {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  std::vector<std::chrono::steady_clock::time_point> times() {
    const std::lock_guard lock(mutex_);
    return times_;
  }
  bool gap() {
    const std::lock_guard lock(mutex_);
    return gap_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> topics_;
  std::vector<std::chrono::steady_clock::time_point> times_;
  std::vector<ReportJson> rows_;
  ReportJson last_;
  bool gap_ = false;
};

struct WatchTest : testing::Test {
  TemporaryFolder outside;
  fs::path root = outside.path();
  std::unique_ptr<Folder> folder;

  WatchTest() { open("/bin/false"); }
  void open(const fs::path& program) {
    folder = std::make_unique<Folder>(
        FolderOptions{.root = root, .program = program, .may_start = true, .position = nullptr});
  }
  std::unique_ptr<RunWatches> watches(Page& page) {
    return std::make_unique<RunWatches>(
        *folder,
        [&page](const std::string& topic, const ReportJson& report) { page.see(topic, report); });
  }
  ReportJson ask(const std::string& name, const ReportJson& request) {
    return folder->handlers().at(name)(request);
  }
  std::pair<std::string, std::string> refusal(const std::string& name, const ReportJson& request) {
    try {
      return {"", "not refused: " + ask(name, request).dump()};
    } catch (const RequestError& error) {
      return {error.field(), error.what()};
    }
  }
  /// What holds the lock until it is asked to stop, after `commands`.
  static std::string training(const std::string& commands) {
    return "export RUN; exec flock -F -n $RUN/lock bash -c 'trap \"echo saved; echo x > "
           "$RUN/state.json; exit 0\" INT; " +
           commands + "; while true; do sleep 0.1; done'\n";
  }
  /// A program that acts as `train`, told by the script of a shell: $RUN is the run's folder.
  fs::path program(const std::string& script) {
    const fs::path file = root / "train.sh";
    test::write_text(file,
                     "#!/bin/bash\nfor word in \"$@\"; do [[ $before == --run ]] && RUN=$word; "
                     "before=$word; done\n" +
                         script);
    ::chmod(file.c_str(), 0755);
    return file;
  }
};

TEST_F(WatchTest, ShowsRowsAsTheyAreAppended) {
  const fs::path run = test::make_run(root, "runs/a", 3);
  Page page;
  const auto watched = watches(page);
  EXPECT_EQ(watched->watch({{"path", "runs/a"}, {"have", 0}}), ReportJson::object());
  ASSERT_TRUE(page.comes_rows(3));
  const ReportJson first = page.last();
  EXPECT_EQ(first["path"], "runs/a");
  EXPECT_EQ(first["variant"], "gardner");
  EXPECT_EQ(first["running"], false);
  EXPECT_EQ(first["from"], 0);
  EXPECT_EQ(first["rows"][2]["loss.policy"], 2.997);
  EXPECT_EQ(first["facts"][1], (ReportJson::array({"Steps", "3"})));
  append_text(run / "metrics.jsonl", metrics_row(4) + "{\"seconds\":5");
  ASSERT_TRUE(page.comes_rows(4));
  EXPECT_EQ(page.last()["from"], 3);
  EXPECT_FALSE(page.gap());
  for (int step = 5; step < 35; ++step) {
    append_text(run / "metrics.jsonl", step == 5 ? metrics_row(5).substr(12) : metrics_row(step));
    std::this_thread::sleep_for(50ms);
  }
  ASSERT_TRUE(page.comes_rows(34));
  EXPECT_FALSE(page.gap());
  const auto times = page.times();
  for (std::size_t i = 2; i < times.size(); ++i)
    EXPECT_GT(times[i] - times[i - 1], 700ms) << "at most one report a second";
}

/// As a run's learner says it with each beat.
void write_beat(const fs::path& run, int beat, const std::string& state) {
  const ReportJson actor = {{"name", "far-1"}, {"state", "playing"},  {"message", ""},
                            {"threads", 4},    {"games", 100 + beat}, {"games_per_second", 2.5},
                            {"dropped", 0},    {"refused_parts", 0},  {"searched_again", 1},
                            {"net_steps", 50}, {"waiting_parts", 2},  {"unchanged_seconds", 0.5}};
  const ReportJson report = {
      {"beat", beat}, {"epoch", 1},         {"host", "here"},
      {"pid", 7},     {"state", state},     {"games", 100},
      {"dropped", 0}, {"waiting_games", 0}, {"actors", ReportJson::array({actor})}};
  fs::create_directories(run / "post");
  test::write_text(run / "post/new", report.dump());
  fs::rename(run / "post/new", run / "post/learner.json");
}

TEST_F(WatchTest, ShowsTheActorsOfARunAsLongAsItServesThem) {
  const fs::path run = test::make_run(root, "a", 3);
  write_beat(run, 1, "serving");  // of a learner that may be gone
  Page page;
  const auto watched = watches(page);
  watched->watch({{"path", "a"}, {"have", 0}});
  ASSERT_TRUE(page.comes_rows(3));
  EXPECT_FALSE(page.last().contains("cluster"));
  write_beat(run, 2, "serving");
  ASSERT_TRUE(page.comes([](const auto&, const ReportJson& last) {
    return last.dump().find("far-1") != std::string::npos;
  }));
  const std::string shown = page.last()["cluster"].dump();
  EXPECT_THAT(shown, HasSubstr(R"("kind":"cluster")"));
  EXPECT_THAT(shown, HasSubstr("serves on here, process 7"));
  write_beat(run, 900, "serving");
  EXPECT_TRUE(page.comes([](const auto&, const ReportJson& last) {
    return last.dump().find("1,000") != std::string::npos ||
           last.dump().find("1000") != std::string::npos;
  }));
  write_beat(run, 901, "ended");
  EXPECT_TRUE(
      page.comes([](const auto&, const ReportJson& last) { return !last.contains("cluster"); }));
}

TEST_F(WatchTest, BeginsAtTheRowsThatAPageHas) {
  test::make_run(root, "a", 10);
  Page page;
  const auto watched = watches(page);
  watched->watch({{"path", "a"}, {"have", 8}, {"seconds", 8}});
  ASSERT_TRUE(page.comes([](const auto&, const auto&) { return true; }));
  EXPECT_EQ(page.last()["from"], 8);
  EXPECT_EQ(page.last()["rows"].size(), 2U);
  Page other;
  const auto wrong = watches(other);
  wrong->watch({{"path", "a"}, {"have", 8}, {"seconds", 9}});  // of another run that was there
  ASSERT_TRUE(other.comes_rows(10));
  EXPECT_EQ(other.last()["from"], 0);
  Page more;
  const auto too_many = watches(more);
  too_many->watch({{"path", "a"}, {"have", 11}});
  ASSERT_TRUE(more.comes_rows(10));
}

TEST_F(WatchTest, BeginsAgainAfterAResumeAndWhenTheRunIsDeleted) {
  const fs::path run = test::make_run(root, "a", 10);
  Page page;
  const auto watched = watches(page);
  watched->watch({{"path", "a"}, {"have", 0}});
  ASSERT_TRUE(page.comes_rows(10));
  append_text(run / "metrics.jsonl", metrics_row(6, ",\"resumed_at_step\":5"));
  ASSERT_TRUE(page.comes_rows(6));
  EXPECT_EQ(page.last()["from"], 0);
  fs::remove_all(run);
  ASSERT_TRUE(page.comes_rows(0));
  EXPECT_EQ(page.last()["state"], "deleted");
  test::make_run(root, "a", 2);
  ASSERT_TRUE(page.comes_rows(2));
}

TEST_F(WatchTest, PublishesNothingAfterUnwatchAndItsEnd) {
  const fs::path run = test::make_run(root, "a", 1);
  Page page, other;
  const auto watched = watches(page);
  auto ended = watches(other);
  watched->watch({{"path", "a"}, {"have", 0}});
  ended->watch({{"path", "a"}, {"have", 0}});
  ASSERT_TRUE(page.comes_rows(1));
  ASSERT_TRUE(other.comes_rows(1));
  watched->unwatch({{"path", "a"}});
  ended.reset();
  append_text(run / "metrics.jsonl", metrics_row(2));
  std::this_thread::sleep_for(1500ms);
  EXPECT_EQ(page.times().size(), 1U);
  EXPECT_EQ(other.times().size(), 1U);
  watched->watch({{"path", "a"}, {"have", 1}});
  ASSERT_TRUE(page.comes_rows(2));
  EXPECT_EQ(page.last()["from"], 1);
}

TEST_F(WatchTest, ManyConnectionsComeAndGo) {
  const fs::path run = test::make_run(root, "a", 5);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        Page page;
        const auto watched = watches(page);
        watched->watch({{"path", "a"}, {"have", 0}});
        if (i % 3 == 0) {
          EXPECT_TRUE(page.comes([](const auto& rows, const auto&) { return rows.size() >= 5; }));
        }
        watched->unwatch({{"path", "a"}});
        ask("folder", {{"path", ""}});
      }
    });
  for (int step = 6; step < 30; ++step)
    append_text(run / "metrics.jsonl", metrics_row(step));
  for (std::thread& thread : threads)
    thread.join();
}

TEST_F(WatchTest, StartsWatchesAndHaltsARun) {
  std::vector<FileDescriptor> inherited;  // unless they are closed
  open(
      program("[[ $1 == train ]] || exit 9\n"
              "echo trying; sleep 0.3; mkdir -p $RUN/nets; cp \"$2\" $RUN/config.toml\n" +
              training("echo $(ps -o sid= -p $$) $$ $(ls /proc/$$/fd | wc -w) > $RUN/session; "
                       "echo \"{\\\"seconds\\\":100,\\\"steps\\\":7,\\\"done\\\":0.25}\" >> "
                       "$RUN/metrics.jsonl")));
  for (int i = 0; i < 15; ++i)
    inherited.emplace_back(::open("/dev/null", O_RDONLY));
  const std::string text = "[run]\nvariant = \"gardner\"\nminutes = 10\n";
  EXPECT_EQ(ask("start", {{"command", "train"}, {"path", "runs/new"}, {"text", text}})["path"],
            "runs/new");
  const fs::path run = root / "runs/new";
  EXPECT_EQ(test::read_text(run / "start.toml"), text);
  Page page;
  const auto watched = watches(page);
  watched->watch({{"path", "runs/new"}, {"have", 0}});
  ASSERT_TRUE(page.comes_state("running: 25 %, step 7")) << page.last();
  EXPECT_EQ(page.last()["secondsLeft"], 300);
  EXPECT_TRUE(ask("folder", {{"path", ""}})["entries"][0]["running"]);
  EXPECT_EQ(refusal("start", {{"command", "resume"}, {"path", "runs/new"}}).first, "path");
  EXPECT_EQ(refusal("start", {{"command", "train"}, {"path", "runs/new"}, {"text", text}}).first,
            "path");
  std::istringstream session(test::read_text(run / "session"));
  pid_t group = 0, process = 0;
  int files = 0;
  session >> group >> process >> files;
  EXPECT_EQ(group, process) << "a session of its own";
  EXPECT_LT(files, 15) << "none of this process";
  EXPECT_EQ(HeldLocks().holder(run / "lock"), process);

  ask("halt", {{"path", "runs/new"}});
  EXPECT_THAT(refusal("halt", {{"path", "runs/new"}}).second,
              testing::AnyOf(HasSubstr("already"), HasSubstr("nothing runs")));
  ASSERT_TRUE(page.comes_state("stopped: 25 %, step 7")) << page.last();
  EXPECT_EQ(page.last()["running"], false);
  EXPECT_EQ(test::read_text(run / "train.log"), "trying\nsaved\n");
  EXPECT_EQ(refusal("halt", {{"path", "runs/new"}}).first, "path");
}

TEST_F(WatchTest, GoesOnWhenTheLabEndsAndIsFoundAgain) {
  test::make_run(root, "a", 3);
  open(program(training("true")));
  ask("start", {{"command", "resume"}, {"path", "a"}});
  open("/bin/false");  // another lab
  EXPECT_TRUE(ask("folder", {{"path", ""}})["entries"][0]["running"]);
  ask("halt", {{"path", "a"}});
  for (int i = 0; i < 100 && HeldLocks().holder(root / "a/lock"); ++i)
    std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(HeldLocks().holder(root / "a/lock"));
}

TEST_F(WatchTest, TellsWhyAStartFailedAtOnceAndLeavesNothing) {
  open(program("echo 'warning: slow' >&2; echo 'faultline train: no memory' >&2; exit 2\n"));
  const auto failed = refusal("start", {{"command", "train"}, {"path", "runs/x"}, {"text", ""}});
  EXPECT_EQ(failed.second, "faultline train: no memory");
  EXPECT_FALSE(fs::exists(root / "runs"));
  open("/no/such/program");
  EXPECT_THAT(refusal("start", {{"command", "train"}, {"path", "x"}, {"text", ""}}).second,
              HasSubstr("/no/such/program"));
  EXPECT_FALSE(fs::exists(root / "x"));
}

TEST_F(WatchTest, ShowsWhyAStartFailedLater) {
  open(program("sleep 1.5; echo 'faultline train: would never train'; exit 2\n"));
  ask("start", {{"command", "train"}, {"path", "x"}, {"text", ""}});
  Page page;
  const auto watched = watches(page);
  watched->watch({{"path", "x"}, {"have", 0}});
  EXPECT_TRUE(page.comes_state("being tried"));
  EXPECT_TRUE(page.comes_state("failed: faultline train: would never train")) << page.last();
  // It can be started again.
  open(program("sleep 5\n"));
  EXPECT_EQ(ask("start", {{"command", "train"}, {"path", "x"}, {"text", ""}})["path"], "x");
  ask("halt", {{"path", "x"}});
}

TEST_F(WatchTest, StartsNothingThatCannotBeRight) {
  open("/bin/true");
  test::make_run(root, "a", 1);
  fs::create_directories(root / "t");
  test::write_text(root / "t/tournament.json", "{}");
  const auto field = [&](const std::string& path, const std::string& text) {
    return refusal("start", {{"command", "train"}, {"path", path}, {"text", text}}).first;
  };
  EXPECT_EQ(field("a", ""), "path");
  EXPECT_EQ(field("t", ""), "path");
  EXPECT_EQ(field("../x", ""), "path");
  EXPECT_EQ(field("x", "[run]\nvariant = \"nosuch\"\n"), "text");
  EXPECT_EQ(refusal("start", {{"command", "rm"}, {"path", "x"}}).first, "command");
  EXPECT_EQ(refusal("start", {{"command", "train"}, {"path", "x"}}).first, "text");
  EXPECT_EQ(refusal("start", {{"command", "resume"}, {"path", "t"}}).first, "path");
  EXPECT_EQ(refusal("halt", {{"path", "a"}}).first, "path");
  EXPECT_FALSE(fs::exists(root / "x"));
}

}  // namespace
}  // namespace faultline::web
