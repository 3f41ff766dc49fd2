// Actors whose learner does not answer: they play their numbers out, wait, say so, and go on.
#include "cluster/spool_actor.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/stop_signals.h"
#include "record/chunk.h"
#include "record/run_folder.h"
#include "tests/cluster/fake_cluster.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;
using test::ActorThread;
using test::TemporaryFolder;
using testing::HasSubstr;

/// A post whose learner only does what the test does.
struct QuietPost {
  QuietPost() {
    RunPersistence persistence(config, "escher", {.folder = place.path(), .out = &out});
    for (const fs::path& folder : {post.epochs(), post.nets(), post.numbers(), post.actors()})
      fs::create_directories(folder);
    mark = write_terms(post, config, persistence);
    test::write_text(post.nets() / "a.pt", "0");
    test::write_text(post.nets() / "b.pt", "50");
    test::write_text(post.nets() / "broken.pt", "no number");
    order("a.pt", false);
  }
  void order(const std::string& net, bool ended, std::uint64_t epoch = 1) const {
    replace_file(
        post.orders(),
        nlohmann::json{
            {"epoch", epoch}, {"terms", mark}, {"net", net}, {"paused", false}, {"ended", ended}}
            .dump());
  }
  void offer(const NumberRange& range) const { std::ofstream(post.numbers() / range_name(range)); }
  /// The games in all parts.
  std::vector<StoredGame> games() const {
    std::vector<StoredGame> all;
    for (const fs::path& actor : names_in(post.actors()))
      for (const fs::path& part : names_in(actor, ".part"))
        for (const StoredGame& game : scan_chunk(part, "escher").games)
          all.push_back(game);
    return all;
  }
  std::string beat(const char* key) const {
    for (const fs::path& actor : names_in(post.actors()))
      if (const auto json = read_object(actor / "beat.json")) return json->value(key, "");
    return "";
  }

  StopSignals signals;  // none so far
  TemporaryFolder place;
  Config config = test::fake_config();
  std::ostringstream out;
  Post post{place.path() / "post"};
  std::string mark;
};

TEST(SpoolActor, PlaysItsNumbersOutWaitsAndGoesOn) {
  const QuietPost quiet;
  quiet.offer({0, 8});
  ActorThread actor(quiet.place.path());
  ASSERT_TRUE(test::soon([&] { return quiet.games().size() == 8; }));
  EXPECT_TRUE(test::soon([&] { return quiet.beat("message") == "no numbers are on offer"; }));
  quiet.offer({20, 22});
  ASSERT_TRUE(test::soon([&] { return quiet.games().size() == 10; }));
  quiet.order("a.pt", true);
  EXPECT_EQ(actor.join(), ActorEnd::Run);
  EXPECT_EQ(quiet.beat("state"), "ended");
  EXPECT_THAT(actor.out(), HasSubstr("Waits: no numbers are on offer"));
  std::set<std::uint64_t> numbers;
  for (const StoredGame& game : quiet.games())
    EXPECT_TRUE(numbers.insert(game.number).second);
  EXPECT_EQ(*numbers.rbegin(), 21U);
}

TEST(SpoolActor, SaysThatTheLearnerIsGone) {
  const QuietPost quiet;
  test::write_text(quiet.post.learner(), R"({"beat": 5, "epoch": 1, "host": "far"})");
  ActorThread actor(quiet.place.path());
  EXPECT_TRUE(test::soon([&] {
    return quiet.beat("message").starts_with("the learner on far has not been seen for ");
  }));
  quiet.order("a.pt", true);
  actor.join();
}

TEST(SpoolActor, WaitsWhileTooMuchIsUnconfirmedAndReleasesWhatIs) {
  const QuietPost quiet;
  PostSettings settings = test::quick_settings();
  settings.most_unconfirmed = 20;
  for (std::uint64_t first = 0; first < 800; first += 8)
    quiet.offer({first, first + 8});
  ActorThread actor(quiet.place.path(), settings);
  ASSERT_TRUE(test::soon(
      [&] { return quiet.beat("message").ends_with("games are not confirmed by the learner"); }));
  std::this_thread::sleep_for(settings.beat);
  const std::size_t games = quiet.games().size();
  std::this_thread::sleep_for(2 * settings.beat);
  EXPECT_EQ(quiet.games().size(), games);  // nothing is played
  EXPECT_LT(games, 200U);
  const fs::path folder = names_in(quiet.post.actors()).at(0);
  const std::vector<fs::path> claims = names_in(folder, ".range");
  for (const fs::path& part : names_in(folder, ".part"))
    fs::remove(part);
  EXPECT_TRUE(test::soon([&] {
    return std::ranges::any_of(claims, [](const auto& claim) { return !fs::exists(claim); });
  }));
  EXPECT_TRUE(test::soon([&] { return quiet.games().size() > 20; }));
  quiet.order("a.pt", true);
  actor.join();
}

TEST(SpoolActor, PlaysOnWhileANetworkCannotBeReadAndSkipsToTheNewest) {
  const QuietPost quiet;
  quiet.order("broken.pt", false);
  ActorThread actor(quiet.place.path());
  EXPECT_TRUE(test::soon([&] { return quiet.beat("message") == "there is no network yet"; }));
  quiet.order("b.pt", false);
  quiet.order("a.pt", false, 0);  // of a learner that was replaced
  std::this_thread::sleep_for(test::quick_settings().beat);
  quiet.order("b.pt", false);
  quiet.offer({0, 8});
  ASSERT_TRUE(test::soon([&] { return quiet.games().size() == 8; }));
  for (const StoredGame& game : quiet.games())
    EXPECT_EQ(read_game(game).net.steps, 50);
  quiet.order("b.pt", true);
  actor.join();
  EXPECT_THAT(actor.out(), HasSubstr("A network cannot be read: "));
}

TEST(SpoolActor, EndsAndSaysWhyWhenTheLearnerShutsItOut) {
  const QuietPost quiet;
  const auto terms = read_terms(quiet.post);
  ASSERT_TRUE(terms);
  std::ostringstream out;
  SpoolActor actor(quiet.post, *terms, test::load_fake_net, out, false, test::quick_settings());
  std::thread learner([&] {
    const auto actors = [&] { return names_in(quiet.post.actors()); };
    EXPECT_TRUE(test::soon([&] { return !actors().empty(); }));
    for (const fs::path& folder : actors())
      replace_file(folder / kShutOutName, "its values are wrong\n");
  });
  std::string said;
  try {
    actor.run(1, run_on_plain_threads);
  } catch (const RunError& error) {
    said = error.what();
  }
  learner.join();
  EXPECT_THAT(said,
              HasSubstr("the learner has shut this actor out: its values are wrong. Compare"));
  EXPECT_EQ(quiet.beat("state"), "ended");
}

TEST(SpoolActor, BeginsAnewWithOtherTerms) {
  QuietPost quiet;
  ActorThread actor(quiet.place.path());
  ASSERT_TRUE(test::soon([&] { return !names_in(quiet.post.actors()).empty(); }));
  quiet.mark = "another";
  quiet.order("a.pt", false, 2);
  EXPECT_EQ(actor.join(), ActorEnd::NewTerms);
}

}  // namespace
}  // namespace faultline
