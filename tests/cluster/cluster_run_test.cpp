// Runs whose games actors of other processes play: all of them once, whatever happens to the folder
// between them.
#include <csignal>
#include <filesystem>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/document.h"
#include "cluster/actor_beat.h"
#include "cluster/cluster_status.h"
#include "record/chunk.h"
#include "record/run_folder.h"
#include "tests/cluster/fake_cluster.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::ActorThread;
using test::fake_config;
using test::FakeSession;
using test::numbers_below;
using test::quick_settings;
using test::random_game;
using test::serve;
using test::stored_numbers;
using test::TemporaryFolder;
using testing::HasSubstr;

void expect_whole(const fs::path& run, std::uint64_t games) {
  EXPECT_EQ(stored_numbers(run), numbers_below(games));
}

TEST(ClusterRun, ALearnerAloneLearnsFromTheGamesOfTwoActors) {
  const TemporaryFolder place;
  ActorThread first(place.path()), second(place.path());
  const RunResult result = serve(fake_config(), place.path());
  EXPECT_EQ(first.join(), ActorEnd::Run);
  EXPECT_EQ(second.join(), ActorEnd::Run);
  EXPECT_EQ(result.games, 60U);
  EXPECT_GT(result.steps, 5);
  EXPECT_EQ(result.steps, steps_due(fake_config().learner, result.positions));
  expect_whole(place.path(), 60);
  EXPECT_TRUE(fs::is_empty(place.path() / "post/aside"));
  EXPECT_TRUE(fs::is_empty(place.path() / "post/numbers"));
  EXPECT_LE(test::metrics_of(place.path()).back().at("lag"), 0);
}

TEST(ClusterRun, ActorsPlayWithTheNewestNetwork) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 20;
  const std::int64_t steps = FakeSession().run(config, place.path()).steps;
  EXPECT_GT(steps, 0);
  config.run.games = 40;
  ActorThread actor(place.path());
  serve(config, place.path(), true, true);
  actor.join();
  for (const StoredGame& stored : all_games(scan_games(place.path() / "games", "escher"))) {
    const GameRecord game = read_game(stored);
    if (game.number >= 20) {
      EXPECT_GE(game.net.steps, steps);
    }
  }
}

TEST(ClusterRun, GoesFromOneProcessToSeveralAndBack) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 20;
  FakeSession().run(config, place.path());
  config.run.games = 45;
  {
    ActorThread actor(place.path());
    serve(config, place.path(), false, true);  // with actors of its own
    actor.join();
  }
  expect_whole(place.path(), 45);
  config.run.games = 60;
  FakeSession alone;
  alone.resume = true;
  EXPECT_EQ(alone.run(config, place.path()).games, 60U);
  expect_whole(place.path(), 60);
}

TEST(ClusterRun, WithoutAnActorItIsARunOfOneProcess) {
  const TemporaryFolder place;
  EXPECT_EQ(serve(fake_config(), place.path(), false).games, 60U);
  expect_whole(place.path(), 60);
}

/// A folder of an actor that has claimed numbers, said one beat, and is dead.
class DeadActor {
 public:
  explicit DeadActor(const fs::path& run) : folder_(run / "post/actors/dead") {
    fs::create_directories(folder_);
    fs::create_directories(run / "post/numbers");
    fs::create_directories(run / "post/epochs");
  }
  void claim(const NumberRange& range) { std::ofstream(folder_ / range_name(range)); }
  void write_part(const std::string& name, std::uint64_t run_id,
                  const std::vector<std::uint64_t>& numbers) {
    std::vector<std::byte> bytes = chunk_header("escher", run_id);
    for (const std::uint64_t number : numbers) {
      const auto frame = chunk_frame(random_game<EscherPosition>(test::escher(), number, 12));
      bytes.insert(bytes.end(), frame.begin(), frame.end());
    }
    test::write_text(folder_ / (name + ".new"),
                     {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    fs::rename(folder_ / (name + ".new"), folder_ / name);
  }

 private:
  fs::path folder_;
};

TEST(ClusterRun, TheNumbersOfASilentActorArePlayedByOthersAndItsLateGamesDropped) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 4;
  FakeSession().run(config, place.path());
  const std::uint64_t run_id = scan_games(place.path() / "games", "escher").run_id;
  DeadActor dead(place.path());
  dead.claim({4, 20});
  dead.write_part("000001.part", run_id, {4, 5});
  dead.write_part("000002.part.tmp", run_id, {6, 7});  // it had not sent it on
  config.run.games = 40;
  ActorThread actor(place.path());
  std::thread late([&] {
    EXPECT_TRUE(test::soon([&] { return !fs::exists(place.path() / "post/actors/dead"); }));
    fs::create_directories(place.path() / "post/actors/dead");
    dead.write_part("000003.part", run_id, {4, 5, 6, 7});
  });
  serve(config, place.path(), true, true);
  late.join();
  actor.join();
  expect_whole(place.path(), 40);
  for (const StoredGame& game : all_games(scan_games(place.path() / "games", "escher")))
    if (game.number >= 4 && game.number < 8) {
      EXPECT_EQ(read_game(game), random_game<EscherPosition>(test::escher(), game.number, 12));
    }
}

TEST(ClusterRun, GarbageInEveryFolderStopsNobody) {
  const TemporaryFolder place;
  const fs::path post = place.path() / "post";
  for (const char* folder : {"epochs", "nets/x.pt", "numbers/1-2.range", "actors/mad/000002.part",
                             "aside/x", "strategies", "numbers"})
    fs::create_directories(post / folder);
  for (const char* file :
       {"run.json", "config.toml", "orders.json", "learner.json", "asked", "epochs/x", "epochs/7x",
        "nets/y.pt", "numbers/x.range", "numbers/9-3.range", "actors/file", "actors/mad/beat.json",
        "actors/mad/000001.part", "actors/mad/x.range", "actors/mad/y", "aside/y"})
    test::write_text(post / file, "\x01garbage\xff");
  test::write_text(post / "learner.json", R"({"state": 7, "beat": "x", "host": []})");
  ActorThread actor(place.path());
  serve(fake_config(), place.path());
  actor.join();
  expect_whole(place.path(), 60);
  EXPECT_THAT(test::read_text(post / "aside/mad-000001.part.txt"),
              HasSubstr("not a chunk of games"));
  EXPECT_TRUE(fs::exists(post / "aside/mad-000002.part"));
}

/// Plays by the rules, and makes up what its searches found, until it is shut out; and sends a part
/// more.
class LyingActor {
 public:
  explicit LyingActor(const fs::path& run)
      : post_{run / "post"}, folder_(post_.actors() / "liar"), thread_([this] { work(); }) {}
  ~LyingActor() {
    if (thread_.joinable()) thread_.join();
  }
  /// The games that it had sent when it was shut out.
  std::size_t join() {
    thread_.join();
    return sent_;
  }

 private:
  void work() {
    EXPECT_TRUE(test::soon([&] { return fs::exists(post_.orders()); }));
    const std::uint64_t run_id = read_terms(post_)->run_id;
    fs::create_directories(folder_);
    const auto is_out = [&] { return fs::exists(folder_ / kShutOutName); };
    const auto end = std::chrono::steady_clock::now() + 60s;
    int part = 1;
    for (; !is_out() && std::chrono::steady_clock::now() < end; ++part) {
      beat(part);
      for (const fs::path& file : names_in(post_.numbers(), ".range")) {
        const auto range = range_of(file);
        std::error_code error;
        fs::rename(file, folder_ / file.filename(), error);
        if (!error && range) send(run_id, *range, part);
        break;
      }
      std::this_thread::sleep_for(20ms);
    }
    EXPECT_TRUE(is_out());
    send(run_id, {1'000'000, 1'000'001}, part);
  }
  void beat(int number) const {
    nlohmann::json json = {
        {"beat", number}, {"state", "playing"}, {"message", ""}, {"threads", 1}, {"net_steps", 0}};
    for (const auto& [key, count] : kBeatCounts)
      json[key] = 0;
    replace_file(folder_ / kBeatName, json.dump());
  }
  void send(std::uint64_t run_id, const NumberRange& range, int part) {
    std::vector<std::byte> bytes = chunk_header("escher", run_id);
    const std::int64_t steps = steps_of(post_);
    for (std::uint64_t number = range.next; number < range.end; ++number) {
      GameRecord game = random_game<EscherPosition>(test::escher(), number, 40);
      game.net = {steps, test::FakeTrainer::hash_of(steps)};
      for (PlyRecord& ply : game.plies) {
        ply.win = static_cast<std::uint16_t>(rng_() % 65536);
        ply.draw = static_cast<std::uint16_t>(rng_() % (65536U - ply.win));
      }
      const auto frame = chunk_frame(game);
      bytes.insert(bytes.end(), frame.begin(), frame.end());
    }
    if (!fs::exists(folder_ / kShutOutName)) sent_ += range.end - range.next;
    const fs::path file = folder_ / fmt::format("{:06}.part", part);
    test::write_text(folder_ / "new", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    fs::rename(folder_ / "new", file);
    EXPECT_TRUE(test::soon([&] { return !fs::exists(file); }));
    std::error_code gone;
    fs::remove(folder_ / range_name(range), gone);
  }
  /// Of the network that orders name.
  static std::int64_t steps_of(const Post& post) {
    const auto orders = read_object(post.orders());
    return load_steps(post.nets() / orders->at("net").get<std::string>());
  }
  static std::int64_t load_steps(const fs::path& net) {
    std::error_code error;
    return fs::exists(net, error) ? test::load_fake_net(net).identity.steps : 0;
  }

  Post post_;
  fs::path folder_;
  std::size_t sent_ = 0;
  std::mt19937 rng_{1};
  std::thread thread_;  // last: it uses the others
};

TEST(ClusterRun, AnActorThatSendsNonsenseIsNamedAndShutOutAndAnHonestOneIsNot) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 0;
  config.learner.publish_interval = 1'000;
  PostSettings settings = quick_settings();
  settings.checked = 1;
  settings.check_share = 1;
  settings.silent = 30s;
  settings.farewell = 500ms;
  const Post post{place.path() / "post"};
  std::string shown, honest;
  std::thread person([&] {
    ActorThread actor(place.path());
    LyingActor liar(place.path());
    EXPECT_LT(liar.join(), 2'000U);
    EXPECT_TRUE(test::soon([&] {  // the honest one was searched again as often
      const auto report = read_object(post.learner());
      if (!report) return false;
      for (const auto& seen : report->at("actors"))
        if (seen.at("name") != "liar" && seen.at("searched_again") > 20) return true;
      return false;
    }));
    shown = to_json(cluster_document(post, quick_settings())).dump();
    ask_of_cluster(post, "stop");
    actor.join();
    honest = actor.out();
  });
  FakeSession session;
  serve(config, place.path(), true, false, std::move(session), settings);
  person.join();
  EXPECT_THAT(shown, HasSubstr("liar is shut out: "));
  EXPECT_THAT(honest, testing::Not(HasSubstr("shut this actor out")));
  const std::vector<fs::path> aside = names_in(post.aside(), ".txt");
  ASSERT_FALSE(aside.empty());
  EXPECT_THAT(test::read_text(aside.front()), HasSubstr("liar is shut out: "));
  stored_numbers(place.path());  // each once
}

/// Plays as on a machine whose clock is off: all of its files have times of that clock.
void play_by_another_clock(const fs::path& run, std::chrono::hours off) {
  const Post post{run / "post"};
  const fs::path folder = post.actors() / fmt::format("clock{}", off.count());
  const auto show = [&](const fs::path& name, const std::string& text) {
    test::write_text(folder / "new", text);
    fs::last_write_time(folder / "new", fs::file_time_type::clock::now() + off);
    fs::rename(folder / "new", folder / name);
  };
  EXPECT_TRUE(test::soon([&] { return fs::exists(post.orders()); }));
  const std::uint64_t run_id = read_terms(post)->run_id;
  fs::create_directories(folder);
  for (int beat = 1; !read_object(post.orders())->value("ended", false); ++beat) {
    nlohmann::json json = {
        {"beat", beat}, {"state", "playing"}, {"message", ""}, {"threads", 1}, {"net_steps", 0}};
    for (const auto& [key, count] : kBeatCounts)
      json[key] = 0;
    show(kBeatName, json.dump());
    std::this_thread::sleep_for(30ms);
    const std::vector<fs::path> offers = names_in(post.numbers(), ".range");
    if (offers.empty()) continue;
    const fs::path claim = folder / offers.front().filename();
    std::error_code error;
    fs::rename(offers.front(), claim, error);
    if (error) continue;
    fs::last_write_time(claim, fs::file_time_type::clock::now() + off, error);
    std::vector<std::byte> bytes = chunk_header("escher", run_id);
    const NumberRange range = range_of(claim).value();
    for (std::uint64_t number = range.next; number < range.end; ++number) {
      const auto frame = chunk_frame(random_game<EscherPosition>(test::escher(), number, 12));
      bytes.insert(bytes.end(), frame.begin(), frame.end());
    }
    const std::string part = fmt::format("{:06}.part", beat);
    show(part, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    EXPECT_TRUE(test::soon([&] { return !fs::exists(folder / part); }));
    fs::remove(claim, error);
  }
  nlohmann::json json = *read_object(folder / kBeatName);
  json["beat"] = 0;
  json["state"] = "ended";
  show(kBeatName, json.dump());
}

TEST(ClusterRun, ActorsWhoseClocksAreAnHourOffPlayAsAllOthers) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 100;
  std::thread late([&] { play_by_another_clock(place.path(), -1h); });
  std::thread early([&] { play_by_another_clock(place.path(), 1h); });
  PostSettings settings = quick_settings();
  settings.silent = 30s;
  serve(config, place.path(), true, false, {}, settings);
  late.join();
  early.join();
  expect_whole(place.path(), 100);
  const auto report = read_object(place.path() / "post/learner.json");
  EXPECT_EQ(report->at("dropped"), 0);  // no number was given to two
  EXPECT_EQ(report->at("refused_parts"), 0);
  EXPECT_EQ(report->at("games"), 100);
}

std::string failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

TEST(ClusterRun, ALearnerThatWasReplacedStopsAndSavesNothing) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 0;
  config.learner.checkpoint_interval = 1'000'000;
  ActorThread actor(place.path());
  std::string before;
  std::thread other([&] {
    EXPECT_TRUE(
        test::soon([&] { return scan_games(place.path() / "games", "escher").size() > 20; }));
    before = test::read_text(place.path() / "state.json");
    replace_file(place.path() / "post/epochs/000002", "another, process 1\n");
  });
  EXPECT_THAT(failure([&] { serve(config, place.path()); }),
              HasSubstr("another learner has taken this run over: another, process 1"));
  other.join();
  EXPECT_EQ(test::read_text(place.path() / "state.json"), before);
  // The next one goes on with the same actor.
  const std::size_t games = stored_numbers(place.path()).size() + 20;
  config.run.games = static_cast<std::int64_t>(games);
  serve(config, place.path(), true, true);
  EXPECT_EQ(actor.join(), ActorEnd::Run);
  EXPECT_GE(stored_numbers(place.path()).size(), games);
}

TEST(ClusterRun, ALearnerOfAnotherMachineIsNotReplacedWhileItLives) {
  const TemporaryFolder place;
  const fs::path report = place.path() / "post/learner.json";
  fs::create_directories(report.parent_path());
  const auto beat = [&](int number) {
    replace_file(
        report,
        fmt::format(R"({{"state": "serving", "host": "far", "pid": 5, "beat": {}}})", number));
  };
  beat(0);
  std::atomic<bool> over{false};
  std::thread far([&] {
    for (int number = 1; !over; ++number, std::this_thread::sleep_for(20ms))
      beat(number);
  });
  EXPECT_THAT(failure([&] { serve(fake_config(), place.path(), false); }),
              HasSubstr(R"(another learner serves this run, on "far", process 5)"));
  over = true;
  far.join();
  EXPECT_EQ(serve(fake_config(), place.path(), false).games, 60U);  // it is silent now
}

TEST(ClusterRun, DrainedActorsFinishTheirGamesAndStopEndsAll) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 0;
  const Post post{place.path() / "post"};
  std::string shown;
  std::thread person([&] {
    ActorThread drained(place.path());
    EXPECT_TRUE(test::soon([&] { return stored_numbers(place.path()).size() > 10; }));
    EXPECT_TRUE(test::soon([&] {
      shown = to_json(cluster_document(post, quick_settings())).dump();
      return shown.find(R"("playing")") != std::string::npos;
    }));
    ask_of_cluster(post, "drain");
    EXPECT_EQ(drained.join(), ActorEnd::Run);
    ask_of_cluster(post, "");
    ActorThread stopped(place.path());
    EXPECT_TRUE(test::soon([&] { return !names_in(post.actors()).empty(); }));
    ask_of_cluster(post, "stop");
    stopped.join();
  });
  const RunResult result = serve(config, place.path());
  person.join();
  EXPECT_EQ(result.end, RunEnd::Stopped);
  EXPECT_EQ(stored_numbers(place.path()).size(), result.games);
  EXPECT_THAT(shown, HasSubstr("serves on"));
  EXPECT_THAT(to_json(cluster_document(post, quick_settings())).dump(),
              HasSubstr("has stopped on"));
}

}  // namespace
}  // namespace faultline
