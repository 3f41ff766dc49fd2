// Runs whose actors join over a NATS server, which may do anything.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cluster/cluster_status.h"
#include "record/chunk.h"
#include "record/run_folder.h"
#include "tests/cluster/nats_server.h"
#include "tests/effort.h"
#include "tests/outsiders.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::fake_config;
using test::JoinedActor;
using test::NatsServer;
using test::numbers_below;
using test::quick_nats;
using test::serve_nats;
using test::stored_numbers;
using test::TemporaryFolder;
using testing::HasSubstr;

Config games(std::int64_t count) {
  Config config = fake_config();
  config.run.games = count;
  return config;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// For ends at which nobody hears the other.
NatsSettings hasty_nats() {
  NatsSettings settings = quick_nats();
  settings.post.farewell = 200ms;
  return settings;
}

/// The run has these games once, and nothing waits anywhere.
void expect_all(const fs::path& run, std::uint64_t count) {
  EXPECT_EQ(stored_numbers(run), numbers_below(count));
  EXPECT_TRUE(fs::is_empty(run / "post/aside"));
}

TEST(NatsRun, ALearnerAloneLearnsFromTheGamesOfTwoMachines) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const TemporaryFolder run, here, there;
  JoinedActor first(server.place(), here.path()), second(server.place(), there.path());
  const RunResult result = serve_nats(fake_config(), run.path(), server.place());
  EXPECT_EQ(first.join() + second.join(), 0U) << first.out() << second.out();
  EXPECT_EQ(result.games, 60U);
  EXPECT_GT(result.steps, 5);
  expect_all(run.path(), 60);
  EXPECT_EQ(names_in(here.path()).size(), 1U);  // nets/
  EXPECT_LE(names_in(there.path() / "nets", ".pt").size(), 3U);
}

TEST(NatsRun, ADeterministicRunHasTheGamesOfOneProcess) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const TemporaryFolder run, here, there;
  test::deterministic_session().run(test::deterministic_config(24), run.path());
  {
    JoinedActor first(server.place(), here.path()), second(server.place(), there.path());
    serve_nats(test::deterministic_config(84), run.path(), server.place(), true, quick_nats(),
               test::deterministic_session());
    EXPECT_EQ(first.join() + second.join(), 0U) << first.out() << second.out();
  }
  test::deterministic_session(true).run(test::deterministic_config(96), run.path());
  EXPECT_EQ(test::deterministic_in(run.path()),
            test::by_one_process(test::deterministic_config(96)));
  EXPECT_TRUE(fs::is_empty(run.path() / "post/aside"));
}

TEST(NatsRun, NumbersOfARoundGoToWhoHasItsNetwork) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const NatsPlace place = server.place();
  const TemporaryFolder run, here;
  std::atomic<bool> over{false};
  std::size_t asked = 0, given = 0;
  std::thread without([&] {  // alive, and its network can never be read
    NatsLink link(place);
    for (std::uint64_t beat = 1; !over; ++beat)
      try {
        const nlohmann::json request = {{"format", 1},
                                        {"missing", nlohmann::json::array()},
                                        {"beat",
                                         {{"beat", beat},
                                          {"state", "playing"},
                                          {"message", ""},
                                          {"threads", 1},
                                          {"net_steps", 0}}},
                                        {"ranges", nlohmann::json::array()},
                                        {"wanted", 16},
                                        {"parts", nlohmann::json::array()}};
        const auto answer = nlohmann::json::parse(
            link.request(place.subject("sync." + place.user + ".without"), request.dump()).data);
        ++asked;
        given += answer.at("ranges").size();
        std::this_thread::sleep_for(10ms);
      } catch (const NatsError&) {
        std::this_thread::sleep_for(10ms);
      }
  });
  JoinedActor actor(place, here.path());
  serve_nats(test::deterministic_config(48), run.path(), place, false, quick_nats(),
             test::deterministic_session());
  over = true;
  without.join();
  actor.join();
  EXPECT_GT(asked, 5U);
  EXPECT_EQ(given, 0U);
  expect_all(run.path(), 48);
}

TEST(NatsRun, ProcessesOfOneMachineShareNetworksAndPlayWithTheNewest) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const TemporaryFolder run, here;
  JoinedActor first(server.place(), here.path()), second(server.place(), here.path());
  serve_nats(games(2'000), run.path(), server.place());
  first.join();
  second.join();
  expect_all(run.path(), 2'000);
  std::int64_t newest = 0;
  for (const StoredGame& game : all_games(scan_games(run.path() / "games", "escher")))
    newest = std::max(newest, read_game(game).net.steps);
  EXPECT_GT(newest, 0);
}

TEST(NatsRun, AServerThatIsAwayForAWhileOrLosesItsStoreLosesNothing) {
  FAULTLINE_NEEDS_NATS_SERVER();
  NatsServer server;
  const TemporaryFolder run, here, there;
  constexpr int kGames = 1'000;
  NatsSettings settings = quick_nats();
  settings.post.most_unconfirmed = 60;  // the games last until the last fault
  JoinedActor first(server.place(), here.path(), settings),
      second(server.place(), there.path(), settings);
  std::thread fault([&] {
    for (int round = 0; round < 4; ++round) {
      const std::size_t before = round == 0 ? 0 : stored_numbers(run.path()).size();
      EXPECT_TRUE(test::soon([&] { return stored_numbers(run.path()).size() > before + 10; }));
      server.stop(round % 2 == 0 ? SIGKILL : SIGTERM);
      std::this_thread::sleep_for(round == 0 ? 2s : 300ms);
      if (round > 0) server.delete_store();
      server.start();
    }
  });
  serve_nats(games(kGames), run.path(), server.place());
  fault.join();
  EXPECT_EQ(first.join() + second.join(), 0U) << first.out() << second.out();
  expect_all(run.path(), kGames);
}

TEST(NatsRun, AConfirmationThatIsLostIsGivenAgain) {
  FAULTLINE_NEEDS_NATS_SERVER();
  NatsServer server;
  const TemporaryFolder run, here;
  // The learner stores the games, and the server dies before the actor hears of it; then another
  // learner serves, which does not know which parts were taken.
  std::size_t left = 0;
  {
    JoinedActor actor(server.place(), here.path(), hasty_nats());
    std::thread fault([&] {
      EXPECT_TRUE(test::soon([&] { return stored_numbers(run.path()).size() >= 30; }));
      server.stop(SIGKILL);
    });
    serve_nats(games(30), run.path(), server.place(), false, hasty_nats());
    fault.join();
    actor.leave();
    replace_file(actor.spool().post().asked(), "stop");  // it ends without its learner
    left = actor.join();
  }
  server.start();
  JoinedActor next(server.place(), here.path());
  serve_nats(games(60), run.path(), server.place(), true);
  EXPECT_EQ(next.join(), 0U);
  expect_all(run.path(), 60);
  EXPECT_EQ(names_in(here.path()).size(), 1U) << left;  // what the first had left is gone
}

TEST(NatsRun, WhoHearsNothingFromTheLearnerHearsOfTheEndFromTheServer) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const TemporaryFolder run, here;
  JoinedActor actor(server.place(), here.path());
  NatsSettings settings = quick_nats();
  settings.post.farewell = 0ms;
  serve_nats(games(60), run.path(), server.place(), false, settings);
  ASSERT_TRUE(test::soon([&] { return actor.ended(); }, 300s));
}

TEST(NatsRun, AFullServerMakesActorsWaitAndSaySo) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const TemporaryFolder run, here;
  NatsSettings small = hasty_nats();
  small.stream_bytes = 100;  // no part fits
  JoinedActor actor(server.place(), here.path(), hasty_nats());
  Config config = games(0);
  std::thread person([&] {
    EXPECT_TRUE(test::soon([&] {
      return actor.spool().trouble().find("store of parts is full") != std::string::npos;
    })) << actor.spool().trouble();
    EXPECT_EQ(stored_numbers(run.path()).size(), 0U);
    EXPECT_TRUE(test::soon([&] { return fs::exists(run.path() / "post/learner.json"); }));
    ask_of_cluster({run.path() / "post"}, "stop");
  });
  serve_nats(config, run.path(), server.place(), false, small);
  person.join();
  actor.leave();
  actor.join();
  // The next learner gives the server more room: the same games are learned from.
  JoinedActor next(server.place(), here.path());
  const RunResult result = serve_nats(games(60), run.path(), server.place(), true);
  next.join();
  EXPECT_GE(result.games, 60U);
  EXPECT_EQ(stored_numbers(run.path()).size(), result.games);
}

TEST(NatsRun, GarbageOnEverySubjectStopsNobody) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const NatsPlace place = server.place();
  const TemporaryFolder run, here;
  std::atomic<bool> over{false};
  std::thread mad([&] {
    const std::string large(900'000, 'x');
    const std::vector<std::string> texts = {
        "",
        "\x01garbage\xff",
        "[]",
        "{}",
        R"({"format": 1})",
        R"({"format": 1, "beat": {}})",
        R"({"format": 1, "beat": {"beat": -1}, "ranges": 7, "wanted": [], "parts": {}})",
        R"({"format": 1, "beat": {}, "ranges": ["../../x", "0-9.range"], "wanted": 99999999999, "parts": ["x"]})",
        R"({"format": 1, "missing": [7, "x"]})",
        std::string(100'000, '['),
        large};
    while (!over)
      try {
        NatsLink link(place);
        for (const std::string& text : texts)
          for (const char* subject : {"sync.anyone.mad", "sync.any$.m d", "part.anyone.mad.000001",
                                      "part.x.y.z", "part.anyone.mad2.1tmp", "seen", "file.x.0"}) {
            link.publish(place.subject(subject), text, "inbox.anyone.nobody");
            link.publish(place.subject(subject), text);
          }
        std::this_thread::sleep_for(50ms);
        link.publish(place.subject("part.anyone.mad.000009"),
                     std::string(3'000'000, 'y'));  // cuts the connection
        std::this_thread::sleep_for(50ms);
      } catch (const NatsError&) {
        std::this_thread::sleep_for(20ms);
      }
  });
  JoinedActor actor(place, here.path());
  serve_nats(games(400), run.path(), place);
  over = true;
  mad.join();
  actor.join();
  EXPECT_EQ(stored_numbers(run.path()), numbers_below(400));
  EXPECT_FALSE(fs::exists(run.path() / "x"));
}

TEST(NatsRun, AFullDiskOfTheLearnersCostsNoGame) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const TemporaryFolder run, here;
  const fs::path incoming = run.path() / "post/incoming.tmp";
  fs::create_directories(incoming.parent_path());
  fs::create_symlink("/dev/full", incoming);
  JoinedActor actor(server.place(), here.path());
  std::thread person([&] {
    EXPECT_TRUE(test::soon([&] {
      for (const fs::path& own : names_in(actor.spool().post().actors()))
        if (names_in(own, ".part").size() >= 2) return true;
      return false;
    }));
    EXPECT_EQ(stored_numbers(run.path()).size(), 0U);
    fs::remove(incoming);
  });
  serve_nats(games(60), run.path(), server.place());
  person.join();
  actor.join();
  expect_all(run.path(), 60);
}

TEST(NatsRun, AFullDiskOfAnActorsIsSaidAndPasses) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const TemporaryFolder run, here;
  JoinedActor actor(server.place(), here.path());
  const fs::path orders = actor.spool().post().orders().string() + ".tmp";
  fs::create_symlink("/dev/full", orders);
  std::thread person([&] {
    EXPECT_TRUE(test::soon([&] {
      return actor.spool().trouble().find("No space left on device") != std::string::npos;
    }));
    fs::remove(orders);
  });
  serve_nats(games(60), run.path(), server.place());
  person.join();
  actor.join();
  expect_all(run.path(), 60);
}

TEST(NatsRun, AnActorThatIsShutOutHearsOfIt) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const TemporaryFolder run, here;
  JoinedActor actor(server.place(), here.path());
  std::thread person([&] {
    const auto actors = [&] { return names_in(run.path() / "post/actors"); };
    EXPECT_TRUE(test::soon([&] { return !actors().empty(); }));
    for (const fs::path& folder : actors())
      replace_file(folder / kShutOutName, "its values are wrong\n");
    EXPECT_TRUE(test::soon([&] { return actor.ended(); }));
    ask_of_cluster({run.path() / "post"}, "stop");
  });
  serve_nats(games(0), run.path(), server.place());
  person.join();
  actor.join();
  EXPECT_THAT(actor.failure(), HasSubstr("has shut this actor out: its values are wrong"));
}

TEST(NatsRun, OneLearnerAtATime) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const TemporaryFolder run, copy, here;
  Config config = games(0);
  std::string of_second, of_first;
  JoinedActor actor(server.place(), here.path());
  std::thread first(
      [&] { of_first = error_of([&] { serve_nats(config, run.path(), server.place()); }); });
  EXPECT_TRUE(test::soon([&] { return stored_numbers(run.path()).size() > 10; }));
  of_second = error_of([&] { serve_nats(games(20), copy.path(), server.place()); });
  EXPECT_THAT(of_second, HasSubstr("another learner serves there; stop it first"));
  // One that could not see the first has taken over.
  NatsLink link(server.place());
  link.store(server.place().subject("key.learner"), R"({"epoch": 7, "host": "far"})");
  first.join();
  EXPECT_THAT(of_first,
              HasSubstr(R"(another learner has taken this run over: {"epoch": 7, "host": "far"})"));
  const std::size_t before = stored_numbers(run.path()).size();
  serve_nats(games(static_cast<std::int64_t>(before) + 20), run.path(), server.place(), true);
  EXPECT_TRUE(fs::exists(run.path() / "post/epochs/000008"));
  actor.join();
  EXPECT_GE(stored_numbers(run.path()).size(), before + 20);
}

TEST(NatsRun, AnotherVersionIsRefusedByName) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const NatsPlace place = server.place();
  const TemporaryFolder here;
  std::atomic<bool> over{false};
  std::thread newer([&] {
    NatsLink link(place);
    NatsInbox syncs = link.subscribe(place.subject("sync.*.*"));
    while (!over)
      if (const auto message = syncs.next(20ms)) link.publish(message->reply, R"({"format": 2})");
  });
  JoinedActor actor(place, here.path());
  actor.join();
  over = true;
  newer.join();
  EXPECT_THAT(
      actor.failure(),
      HasSubstr("the learner's program has version 2 of the cluster's messages, this one 1. "
                "Install one version of faultline"));
}

TEST(NatsRun, ANetworkThatTheServerHasLostIsSentAgain) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const NatsPlace place = server.place();
  const TemporaryFolder run, here;
  std::thread late([&] {
    EXPECT_TRUE(test::soon([&] { return fs::exists(run.path() / "post/orders.json"); }));
    std::this_thread::sleep_for(300ms);
    NatsLink link(place);
    link.ask_jetstream("STREAM.PURGE." + place.files(), {{"filter", place.subject("file.*.*")}});
    JoinedActor actor(place, here.path());
    actor.join();
  });
  serve_nats(games(60), run.path(), place);
  late.join();
  expect_all(run.path(), 60);
}

TEST(NatsRun, LargeFilesComeInPieces) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const NatsPlace place = server.place();
  const TemporaryFolder run, here;
  std::string large(5'000'000, '#');
  for (std::size_t i = 0; i < large.size(); ++i)
    large[i] = static_cast<char>('a' + (i * i / 7) % 26);
  fs::create_directories(run.path() / "post/strategies");
  test::write_text(run.path() / "post/strategies/large.txt", large);
  fs::path mine;
  JoinedActor actor(place, here.path());
  mine = actor.spool().post().folder;
  std::string got;
  std::thread person([&] {
    EXPECT_TRUE(test::soon([&] { return fs::exists(mine / "run.json"); }));
    got = test::read_text(mine / "strategies/large.txt");
  });
  serve_nats(games(200), run.path(), place);
  person.join();
  actor.join();
  EXPECT_EQ(got, large);
}

TEST(NatsRun, LargeNetworksPublishedAllTheTimeStopNobody) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const TemporaryFolder run, here;
  NatsSettings settings = quick_nats();
  settings.post.silent = 20s;  // for networks are in the way of beats
  settings.post.farewell = 60s;
  JoinedActor actor(server.place(), here.path(), settings);
  constexpr int kGames = test::effort(400) + 150;
  Config config = games(kGames);
  config.learner.publish_interval = 1;
  config.learner.checkpoint_interval = 1'000;
  test::FakeSession session;
  session.net_bytes = test::effort(6'000'000);  // several pieces; they take longer than a step
  serve_nats(config, run.path(), server.place(), false, settings, std::move(session));
  EXPECT_EQ(actor.join(), 0U) << actor.out() << actor.failure();
  expect_all(run.path(), kGames);
  std::set<std::int64_t> networks;
  for (const StoredGame& game : all_games(scan_games(run.path() / "games", "escher")))
    networks.insert(read_game(game).net.steps);
  EXPECT_GE(networks.size(), 2U);
}

TEST(NatsRun, TheReportIsHeardWithoutAnyRightToSpeak) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const NatsServer server;
  const TemporaryFolder run, here;
  std::string shown;
  JoinedActor actor(server.place(), here.path());
  std::thread person([&] {
    EXPECT_TRUE(test::soon([&] { return stored_numbers(run.path()).size() > 10; }));
    shown = to_json(cluster_document(hear_report(server.place(), {}), "there")).dump();
    ask_of_cluster({run.path() / "post"}, "stop");
  });
  serve_nats(games(0), run.path(), server.place());
  person.join();
  actor.join();
  EXPECT_THAT(shown, AllOf(HasSubstr("serves on"), HasSubstr(R"("actors")")));
  EXPECT_THAT(error_of([&] { hear_report(server.place(), quick_nats()); }),
              HasSubstr("no learner is heard of there"));
}

TEST(NatsPlace, UrlsSayServerAndName) {
  const NatsPlace place = nats_place("tls://far.example:4222/mine");
  EXPECT_EQ(place.server, "tls://far.example:4222");
  EXPECT_EQ(place.host, "far.example");
  EXPECT_EQ(place.subject("seen"), "faultline.mine.seen");
  for (const char* url : {"nats://far:4222", "nats://far:4222/", "nats:///x", "http://far/x",
                          "nats://far/a.b", "nats://far/a/b", "nats://far/*"})
    EXPECT_THAT(error_of([&] { nats_place(url); }), HasSubstr("give nats://HOST:PORT/NAME")) << url;
}

}  // namespace
}  // namespace faultline
