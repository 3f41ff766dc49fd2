// Deterministic runs with actors elsewhere: the games and the weights of one process, whoever
// plays.
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/game_check.h"
#include "record/chunk.h"
#include "selfplay/actor.h"
#include "tests/cluster/fake_cluster.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::ActorThread;
using test::by_one_process;
using test::Deterministic;
using test::deterministic_config;
using test::deterministic_in;
using test::deterministic_session;
using test::TemporaryFolder;

RunResult serve_rounds(const Config& config, const fs::path& run, bool learn_only = true,
                       bool resume = false) {
  return test::serve(config, run, learn_only, resume, deterministic_session());
}

TEST(DeterministicCluster, TwoActorsPlayTheGamesOfOneProcess) {
  const Config config = deterministic_config(70);
  const TemporaryFolder place;
  std::set<std::string> players;
  {
    ActorThread first(place.path()), second(place.path(), test::quick_settings(), 1);
    serve_rounds(config, place.path());
    EXPECT_EQ(first.join(), ActorEnd::Run);
    EXPECT_EQ(second.join(), ActorEnd::Run);
    EXPECT_EQ(first.out().find("after 0 games"), std::string::npos);
    EXPECT_EQ(second.out().find("after 0 games"), std::string::npos);
  }
  const Deterministic together = deterministic_in(place.path()), alone = by_one_process(config);
  EXPECT_EQ(together, alone);
  EXPECT_EQ(alone.games.size(), 70U);
  std::set<std::int64_t> networks;
  for (const auto& [number, game] : alone.games)
    networks.insert(game.net.steps);
  EXPECT_GT(networks.size(), 3U);
  EXPECT_TRUE(fs::is_empty(place.path() / "post/aside"));
  EXPECT_TRUE(fs::is_empty(place.path() / "post/numbers"));
}

TEST(DeterministicCluster, SoDoesALearnerThatPlaysAloneOrBesideAnActor) {
  const Config config = deterministic_config(48);
  const Deterministic alone = by_one_process(config);
  {
    const TemporaryFolder place;
    serve_rounds(config, place.path(), false);
    EXPECT_EQ(deterministic_in(place.path()), alone);
  }
  const TemporaryFolder place;
  ActorThread actor(place.path());
  serve_rounds(config, place.path(), false);
  actor.join();
  EXPECT_EQ(deterministic_in(place.path()), alone);
}

TEST(DeterministicCluster, GoesFromOneProcessToActorsAndBack) {
  const TemporaryFolder place;
  deterministic_session().run(deterministic_config(24), place.path());
  {
    ActorThread actor(place.path());
    serve_rounds(deterministic_config(60), place.path(), true, true);
    actor.join();
  }
  deterministic_session(true).run(deterministic_config(96), place.path());
  EXPECT_EQ(deterministic_in(place.path()), by_one_process(deterministic_config(96)));
}

/// Claims what it can get as long as it is given numbers, and does no more.
void claim_and_die(const fs::path& run, std::size_t ranges) {
  const fs::path folder = run / "post/actors/dead";
  fs::create_directories(folder);
  replace_file(folder / "beat.json", R"({"beat": 1})");
  EXPECT_TRUE(test::soon([&] {
    for (const fs::path& file : names_in(run / "post/numbers", ".range")) {
      std::error_code error;
      fs::rename(file, folder / file.filename(), error);
      if (!error) --ranges;
      if (ranges == 0) return true;
    }
    return false;
  }));
}

TEST(DeterministicCluster, TheNumbersOfADeadActorArePlayedByOthers) {
  const Config config = deterministic_config(36);
  const TemporaryFolder place;
  std::thread dead([&] { claim_and_die(place.path(), 3); });
  ActorThread actor(place.path());
  serve_rounds(config, place.path());
  dead.join();
  actor.join();
  EXPECT_EQ(deterministic_in(place.path()), by_one_process(config));
}

/// Sends a game of another network for each number that it can get, until the run has ended.
void play_with_another_network(const fs::path& run, const std::atomic<bool>& over) {
  const Post post{run / "post"};
  const fs::path folder = post.actors() / "late";
  EXPECT_TRUE(test::soon([&] { return fs::exists(post.orders()); }));
  const std::uint64_t run_id = read_terms(post)->run_id;
  for (int beat = 1; !over; ++beat, std::this_thread::sleep_for(3ms)) {
    std::error_code error;
    fs::create_directories(folder, error);
    replace_file(folder / "beat.json", fmt::format(R"({{"beat": {}}})", beat));
    for (const fs::path& claimed : names_in(folder, ".range"))
      fs::remove(claimed, error);  // it has played it
    const std::vector<fs::path> offers = names_in(post.numbers(), ".range");
    if (offers.empty() || beat % 4 != 0) continue;  // others get some
    fs::rename(offers.front(), folder / offers.front().filename(), error);
    const auto range = range_of(offers.front());
    if (error || !range) continue;
    GameRecord game = test::random_game<EscherPosition>(test::escher(), range->next, 12);
    game.net = {range->net.steps, range->net.hash + 1};
    std::vector<std::byte> bytes = chunk_header("escher", run_id), frame = chunk_frame(game);
    bytes.insert(bytes.end(), frame.begin(), frame.end());
    test::write_text(folder / "new", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    fs::rename(folder / "new", folder / fmt::format("{:06}.part", beat));
    EXPECT_TRUE(test::soon([&] { return over || names_in(folder, ".part").empty(); }));
  }
}

TEST(DeterministicCluster, AGameOfAnotherNetworkIsPlayedAnewAndNoFault) {
  const Config config = deterministic_config(36);
  const TemporaryFolder place;
  std::atomic<bool> over{false};
  std::thread late([&] { play_with_another_network(place.path(), over); });
  ActorThread actor(place.path());
  PostSettings settings = test::quick_settings();
  settings.silent = 30s;
  settings.farewell = 200ms;
  test::serve(config, place.path(), true, false, deterministic_session(), settings);
  over = true;
  late.join();
  actor.join();
  EXPECT_EQ(deterministic_in(place.path()), by_one_process(config));
  const auto report = read_object(place.path() / "post/learner.json");
  EXPECT_GT(report->at("dropped"), 0);
  EXPECT_EQ(report->at("refused_parts"), 0);
}

/// A post whose orders and offers are the test's.
struct QuietRounds {
  QuietRounds() {
    RunPersistence persistence(config, "escher", {.folder = place.path(), .out = &out});
    for (const fs::path& folder : {post.epochs(), post.nets(), post.numbers(), post.actors()})
      fs::create_directories(folder);
    mark = write_terms(post, config, persistence);
    test::write_text(post.nets() / "a.pt", "0 7");
    test::write_text(post.nets() / "b.pt", "5 8");
  }
  void order(const std::string& net, bool ended = false) const {
    replace_file(
        post.orders(),
        nlohmann::json{
            {"epoch", 1}, {"terms", mark}, {"net", net}, {"paused", false}, {"ended", ended}}
            .dump());
  }
  void offer(const NumberRange& range) const { std::ofstream(post.numbers() / range_name(range)); }
  std::map<std::uint64_t, NetworkIdentity> games() const {
    std::map<std::uint64_t, NetworkIdentity> all;
    for (const fs::path& actor : names_in(post.actors()))
      for (const fs::path& part : names_in(actor, ".part"))
        for (const StoredGame& game : list_games(part, "escher"))
          all[game.number] = read_game(game).net;
    return all;
  }

  TemporaryFolder place;
  Config config = deterministic_config(0);
  std::ostringstream out;
  Post post{place.path() / "post"};
  std::string mark;
};

TEST(DeterministicCluster, AnActorPlaysANumberOnlyWithItsNetwork) {
  const NetworkIdentity a{0, 7}, b{5, 8};
  const QuietRounds quiet;
  quiet.order("a.pt");
  quiet.offer({12, 14, b});  // early
  quiet.offer({0, 2, a});
  ActorThread actor(quiet.place.path());
  EXPECT_TRUE(test::soon([&] { return quiet.games().size() == 2; }));
  std::this_thread::sleep_for(2 * test::quick_settings().beat);
  EXPECT_EQ(quiet.games(), (std::map<std::uint64_t, NetworkIdentity>{{0, a}, {1, a}}));
  quiet.offer({2, 3, a});
  EXPECT_TRUE(test::soon([&] { return quiet.games().contains(2); }));
  quiet.order("b.pt");
  EXPECT_TRUE(test::soon([&] { return quiet.games().contains(13); }));
  EXPECT_EQ(quiet.games()[12], b);
  EXPECT_EQ(quiet.games()[13], b);
  quiet.offer({3, 4, a});  // too late
  std::this_thread::sleep_for(2 * test::quick_settings().beat);
  EXPECT_FALSE(quiet.games().contains(3));
  quiet.order("b.pt", true);
  actor.join();
}

TEST(DeterministicCluster, AGameThatIsSearchedAgainMustBeTheSame) {
  const TemporaryFolder place;
  Config config = deterministic_config(0);
  const fs::path file = place.write("a.pt", "0 7");
  const PlayingNet net = test::load_fake_net(file);
  GameRecord played;
  PlayWhile orders(net.identity, [] { return true; });
  GameNumbers number({}, 6, 5);
  NetBoard nets;
  nets.replace(net);
  FunctionSink sink([&](GameRecord&& game) { played = std::move(game); });
  ActorCounts counts;
  make_actor(config, {}, {.orders = &orders, .numbers = &number, .nets = &nets, .games = &sink},
             counts)
      ->run();
  ASSERT_EQ(played.number, 5U);
  PostSettings settings = test::quick_settings();
  settings.check_share = 1;
  GameCheck check(config, test::load_fake_net, settings);
  check.publish(net.identity, file);
  check.add("honest", played);
  ASSERT_TRUE(test::soon([&] { return check.games_of("honest") == 1; }));
  EXPECT_TRUE(check.found_out().empty());
  played.plies.back().win ^= 1;
  check.add("other", played);
  ASSERT_TRUE(test::soon([&] { return check.games_of("other") == 1; }));
  const auto found = check.found_out();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found.at("other"), testing::HasSubstr("its game 5 is another one"));
}

}  // namespace
}  // namespace faultline
