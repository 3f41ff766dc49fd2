// Searches of pages: moves, analyses that are published, reviews, and that they stop at once.
#include "web/searches.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/checkpoint.h"
#include "model/inference/backend_registry.h"
#include "play/game.h"
#include "rules/variant.h"
#include "tests/web/web_games.h"
#include "web/search_worker.h"

namespace faultline::web {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
using test::place;
using ::testing::HasSubstr;

constexpr auto kPatience = 120s;  // under sanitizers, on a busy machine

/// What was published, by topic.
class Published {
 public:
  Searches::Publish publish() {
    return [this](const std::string& topic, ReportJson report) {
      const std::scoped_lock lock(mutex_);
      EXPECT_FALSE(std::exchange(inside_[topic], true));
      reports_.emplace_back(topic, std::move(report));
      times_.push_back(Clock::now());
      inside_[topic] = false;
      wakes_.notify_all();
    };
  }
  /// Waits for the first report of the topic that is `wanted`.
  ReportJson wait(const std::string& topic, const std::function<bool(const ReportJson&)>& wanted) {
    std::unique_lock lock(mutex_);
    ReportJson found;
    const bool in_time = wakes_.wait_for(lock, kPatience, [&] {
      for (const auto& [of, report] : reports_)
        if (of == topic && wanted(report)) {
          found = report;
          return true;
        }
      return false;
    });
    EXPECT_TRUE(in_time) << topic;
    return found;
  }
  ReportJson wait_done(const std::string& key) {
    return wait("analysis",
                [&](const ReportJson& r) { return r["key"] == key && r["done"] == true; });
  }
  std::vector<ReportJson> all(const std::string& topic) const {
    const std::scoped_lock lock(mutex_);
    std::vector<ReportJson> found;
    for (const auto& [of, report] : reports_)
      if (of == topic) found.push_back(report);
    return found;
  }
  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return reports_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable wakes_;
  std::map<std::string, bool> inside_;
  std::vector<std::pair<std::string, ReportJson>> reports_;
  std::vector<Clock::time_point> times_;
};

/// A request that is answered later.
class Asked {
 public:
  Asked(Searches& searches, const ReportJson& request) {
    searches.search(
        request, {.reply = [done = done_](ReportJson reply) { done->set_value(std::move(reply)); },
                  .fail =
                      [done = done_](const RequestError& error) {
                        done->set_value({{"error", error.what()}, {"field", error.field()}});
                      }});
  }
  bool waits() { return answer_.wait_for(0s) != std::future_status::ready; }
  ReportJson answer() {
    EXPECT_EQ(answer_.wait_for(kPatience), std::future_status::ready);
    return answer_.get();
  }

 private:
  std::shared_ptr<std::promise<ReportJson>> done_ = std::make_shared<std::promise<ReportJson>>();
  std::future<ReportJson> answer_ = done_->get_future();
};

SearchPlayers& players() {
  static SearchPlayers players(cpu_backends());
  return players;
}

ReportJson with(ReportJson request, const ReportJson& more) {
  request.update(more);
  return request;
}

class SearchesTest : public ::testing::Test {
 protected:
  Published published;
  Searches searches{players(), published.publish(), {.threads = 2, .memory_bytes = 32U << 20U}};

  ReportJson analyse(const std::string& key, const ReportJson& more = {},
                     const std::vector<std::string>& moves = {},
                     const std::string& game = "chess") {
    return searches.analyse(
        with(with(place(game, moves), {{"player", "material"}, {"key", key}, {"lines", 3}}),
             more.is_null() ? ReportJson::object() : more));
  }
};

// ---------------------------------------------------------------------------------------- search

TEST_F(SearchesTest, APlayerFindsAMateAndSaysHowSure) {
  // Qxf7 mates.
  const std::vector<std::string> moves = {"e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6"};
  for (const char* player : {"alphabeta?depth=3", "material?visits=2000", "uniform?visits=2000"}) {
    const ReportJson reply =
        Asked(searches, with(place("chess", moves), {{"player", player}})).answer();
    EXPECT_EQ(reply.value("move", ""), "h5f7") << player << reply;
    EXPECT_EQ(reply["san"], "Qxf7#");
    EXPECT_EQ(reply["line"][0], "h5f7");
  }
}

TEST_F(SearchesTest, ValuesAreWhites) {
  // Black to move and a queen ahead.
  const ReportJson request =
      with(place("chess"),
           {{"fen", "3qk3/8/8/8/8/8/8/4K3 b - - 0 1"}, {"player", "material"}, {"visits", 200}});
  const ReportJson reply = Asked(searches, request).answer();
  EXPECT_LT(reply["value"][0].get<double>(), reply["value"][2].get<double>()) << reply;
  searches.analyse(with(request, {{"key", "a"}, {"lines", 2}}));
  const ReportJson report = published.wait_done("a");
  EXPECT_LT(report["value"][0].get<double>(), report["value"][2].get<double>());
  EXPECT_LT(report["lines"][0]["value"][0].get<double>(),
            report["lines"][0]["value"][2].get<double>());
}

TEST_F(SearchesTest, EveryKindOfPlayerMoves) {
  for (const char* player : {"random", "uniform?visits=20", "material?visits=20&temperature=1",
                             "alphabeta?depth=2", "alphabeta-1?depth=2"}) {
    for (const char* game : {"chess", "escher", "shifting", "data:crazyhouse"}) {
      const ReportJson reply = Asked(searches, with(place(game), {{"player", player}})).answer();
      const std::string move = reply.value("move", "");
      EXPECT_TRUE(find_game(game).start()->parse_move(move)) << player << ' ' << game << reply;
    }
  }
}

TEST_F(SearchesTest, AStoppedSearchIsAnsweredAtOnce) {
  for (const char* player : {"material", "alphabeta"}) {
    Asked asked(searches, with(place("chess"), {{"player", player}, {"ms", 600'000}}));
    std::this_thread::sleep_for(200ms);
    EXPECT_TRUE(asked.waits());
    const auto begin = Clock::now();
    searches.stop({{"what", "search"}});
    EXPECT_EQ(asked.answer()["error"], "stopped");
    EXPECT_LT(Clock::now() - begin, 5s);
  }
}

TEST_F(SearchesTest, ANewSearchStopsTheOneBefore) {
  const ReportJson forever = with(place("chess"), {{"player", "material"}, {"ms", 600'000}});
  std::vector<std::unique_ptr<Asked>> asked;
  for (int i = 0; i < 5; ++i)
    asked.push_back(std::make_unique<Asked>(searches, forever));
  Asked last(searches, with(place("chess"), {{"player", "material"}, {"visits", 50}}));
  EXPECT_TRUE(last.answer().contains("move"));
  for (const auto& one : asked)
    EXPECT_EQ(one->answer()["error"], "stopped");
}

TEST_F(SearchesTest, WrongRequestsNameTheField) {
  const auto field = [&](const ReportJson& more) {
    return Asked(searches, with(place("chess"), more)).answer().value("field", "answered");
  };
  EXPECT_EQ(field(ReportJson::object()), "player");
  EXPECT_EQ(field({{"player", 1}}), "player");
  EXPECT_EQ(field({{"player", "no such player"}}), "player");
  EXPECT_EQ(
      Asked(searches, with(place("earthquake"), {{"player", "net"}})).answer().value("field", ""),
      "player")
      << "there is none of earthquake";
  EXPECT_EQ(field({{"player", "uci:/bin/true"}}), "player");
  EXPECT_EQ(field({{"player", "random"}, {"ms", -1}}), "ms");
  EXPECT_EQ(field({{"player", "random"}, {"visits", "many"}}), "visits");
  EXPECT_EQ(field({{"player", "random"}, {"moves", {"f3", "e5", "g4", "Qh4"}}}), "moves");
  EXPECT_THROW(searches.stop({{"what", "everything"}}), RequestError);
  EXPECT_THROW(searches.analyse(place("chess")), RequestError);
  EXPECT_THROW(analyse("a", {{"lines", 0}}), RequestError);
  EXPECT_EQ(published.size(), 0U);
}

// -------------------------------------------------------------------------------------- analysis

TEST_F(SearchesTest, AnAnalysisIsPublishedUntilItsLimit) {
  analyse("a", {{"visits", 3000}});
  const ReportJson report = published.wait_done("a");
  EXPECT_FALSE(report.contains("error"));
  EXPECT_GE(report["visits"].get<int>(), 3000);
  ASSERT_EQ(report["lines"].size(), 3U);
  double sum = 0;
  for (const ReportJson& line : report["lines"]) {
    EXPECT_EQ(line["moves"].size(), line["san"].size());
    EXPECT_GT(line["visits"].get<int>(), 0);
  }
  for (std::size_t i = 0; i < 3; ++i)
    sum += report["value"][i].get<double>();
  EXPECT_NEAR(sum, 1, 1e-3);
}

TEST_F(SearchesTest, AnEndlessAnalysisGoesOnUntilItIsStopped) {
  for (const char* player : {"material", "alphabeta"}) {
    analyse(player, {{"player", player}});
    published.wait("analysis", [&](const ReportJson& r) {
      return r["key"] == player && !r["lines"].empty() && r["done"] == false;
    });
    searches.stop({{"what", "analyse"}});
    const ReportJson last = published.wait_done(player);
    EXPECT_FALSE(last["lines"].empty()) << "nothing disappears";
  }
}

TEST_F(SearchesTest, ANewAnalysisBeginsAfterTheOldOnesLastReport) {
  std::vector<std::string> moves;
  for (const char* move : {"", "e4", "e5", "Nf3", "Nc6", "Bb5"}) {
    if (*move != 0) moves.emplace_back(move);
    analyse(std::to_string(moves.size()), {}, moves);
    if (moves.size() % 2 == 0) std::this_thread::sleep_for(60ms);
  }
  searches.stop({{"what", "analyse"}});
  published.wait_done("5");
  std::vector<std::string> ended;
  for (const ReportJson& report : published.all("analysis")) {
    const std::string key = report["key"];
    EXPECT_EQ(std::ranges::find(ended, key), ended.end())
        << "a report of " << key << " after its end";
    if (report["done"] == true) ended.push_back(key);
  }
  EXPECT_EQ(ended.size(), 6U) << "every analysis has a last report";
}

TEST_F(SearchesTest, TwoTabsOnOneGameSearchEachForThemselves) {
  Published others;
  Searches other{players(), others.publish(), {.threads = 1, .memory_bytes = 32U << 20U}};
  analyse("mine");
  other.analyse(
      with(place("chess", {"e2e4"}), {{"player", "material"}, {"key", "theirs"}, {"lines", 1}}));
  const auto has_lines = [](const ReportJson& report) { return !report["lines"].empty(); };
  published.wait("analysis", has_lines);
  others.wait("analysis", has_lines);
  Asked thinking(other, with(place("chess", {"e2e4"}), {{"player", "material"}, {"ms", 600'000}}));
  searches.stop({{"what", "search"}});
  searches.stop({{"what", "analyse"}});
  published.wait_done("mine");
  // The other goes on as if nothing had happened.
  const std::size_t before = others.all("analysis").size();
  const auto visits = others.all("analysis").back()["visits"].get<int>();
  others.wait("analysis",
              [&](const ReportJson& report) { return report["visits"].get<int>() > visits; });
  EXPECT_GT(others.all("analysis").size(), before);
  EXPECT_TRUE(thinking.waits());
  for (const ReportJson& report : others.all("analysis")) {
    EXPECT_EQ(report["key"], "theirs");
    EXPECT_EQ(report["done"], false);
  }
  for (const ReportJson& report : published.all("analysis"))
    EXPECT_EQ(report["key"], "mine");
  other.stop({{"what", "search"}});
  EXPECT_EQ(thinking.answer()["error"], "stopped");
}

TEST_F(SearchesTest, ReportsAreNotPublishedTooOften) {
  const auto begin = Clock::now();
  analyse("a", {{"ms", 1000}});
  published.wait_done("a");
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  EXPECT_LE(published.all("analysis").size(), static_cast<std::size_t>(20 * seconds + 2));
  EXPECT_GE(published.all("analysis").size(), 3U);
}

TEST_F(SearchesTest, AGameThatIsOverHasACertainValue) {
  analyse("a", {}, {"f3", "e5", "g4", "Qh4"});
  EXPECT_EQ(published.wait_done("a")["value"], ReportJson({0, 0, 1}));
}

TEST_F(SearchesTest, ErrorsAreInTheLastReport) {
  analyse("a", {{"player", "random"}});
  EXPECT_THAT(published.wait_done("a").value("error", ""), HasSubstr("cannot analyse"));
  analyse("b", {{"player", "no such player"}});
  EXPECT_THAT(published.wait_done("b").value("error", ""), HasSubstr("no such player"));
  analyse("c", {{"visits", 10}});
  EXPECT_FALSE(published.wait_done("c").contains("error")) << "and the next one works";
}

TEST_F(SearchesTest, OfEveryGame) {
  for (const std::string& name : test::every_game()) {
    for (const char* player : {"uniform", "alphabeta"}) {
      const std::string key = name + player;
      analyse(key, {{"player", player}, {"visits", 30}}, {}, name);
      const ReportJson report = published.wait_done(key);
      EXPECT_FALSE(report.contains("error")) << report;
      EXPECT_FALSE(report["lines"].empty()) << name;
    }
  }
}

// ---------------------------------------------------------------------------------------- review

TEST_F(SearchesTest, AReviewMarksMistakes) {
  searches.review(with(place("chess", {"f3", "e5", "g4", "Qh4"}),
                       {{"player", "alphabeta"}, {"key", "r"}, {"visits", 20000}}));
  const ReportJson report =
      published.wait("review", [](const ReportJson& r) { return r.contains("plies"); });
  EXPECT_EQ(report["key"], "r");
  EXPECT_EQ(report["done"], 5);
  EXPECT_EQ(report["total"], 5);
  ASSERT_EQ(report["plies"].size(), 4U);
  EXPECT_EQ(report["plies"][2]["mark"], "??") << report["plies"][2];
  EXPECT_THAT(report["plies"][2]["note"].get<std::string>(), HasSubstr("best was"));
  EXPECT_EQ(report["plies"][3]["best"], "d8h4");
  EXPECT_EQ(report["plies"][3]["mark"], "");
  EXPECT_GT(report["plies"][3]["value"][2].get<double>(), 0.9) << "White is lost";
}

TEST_F(SearchesTest, AReviewStops) {
  searches.review(with(place("chess", {"e4", "e5", "Nf3"}),
                       {{"player", "material"}, {"key", "r"}, {"ms", 600'000}}));
  std::this_thread::sleep_for(100ms);
  searches.stop({{"what", "review"}});
  const ReportJson report =
      published.wait("review", [](const ReportJson& r) { return r.contains("error"); });
  EXPECT_EQ(report["error"], "stopped");
  EXPECT_FALSE(report.contains("plies"));
}

// --------------------------------------------------------------------------------------- the end

TEST(Searches, AreStoppedByTheirDestruction) {
  Published published;
  std::atomic<int> answers{0};
  {
    Searches searches(players(), published.publish(), {.threads = 2});
    const ReportJson forever = with(place("escher"), {{"player", "material"}});
    searches.analyse(with(forever, {{"key", "a"}, {"lines", 1}}));
    searches.review(with(with(forever, {{"key", "b"}}), {{"ms", 100'000}}));
    searches.search(with(forever, {{"ms", 100'000}}),
                    {.reply = [&](const ReportJson&) { ++answers; },
                     .fail = [&](const RequestError&) { ++answers; }});
    published.wait("analysis", [](const ReportJson&) { return true; });
    const auto begin = Clock::now();
    std::this_thread::sleep_for(50ms);
    EXPECT_LT(Clock::now() - begin, 10s);
  }
  const std::size_t before = published.size();
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(published.size(), before);
  EXPECT_EQ(answers, 0);
}

TEST(SearchPlayersOf, AGameAreListedTheBestFirst) {
  EXPECT_EQ(players().players_of("earthquake").front(), "alphabeta");
  const std::vector<std::string> gardner = players().players_of("gardner");
  EXPECT_THAT(gardner.front(), ::testing::AnyOf("fast", "net", "alphabeta"));
  EXPECT_THROW(players().players_of("nonsense"), VariantError);
  // Those that come with the program are known where they belong, and on no other board.
  for (const auto& entry : std::filesystem::directory_iterator(FAULTLINE_SOURCE_DIR "/nets")) {
    const std::string variant = read_checkpoint_info(entry.path()).encoding.variant;
    EXPECT_THAT(players().players_of(variant).front(), ::testing::AnyOf("fast", "net")) << variant;
  }
  EXPECT_EQ(players().players_of("slanted").front(), "alphabeta");
}

TEST(SearchWorker, TellsOnceThatNothingIsToBeDone) {
  std::atomic<int> idle = 0, done = 0;
  SearchWorker worker([&] { ++idle; }, 20ms);
  const auto comes = [](const std::atomic<int>& count, int wanted) {
    for (int i = 0; i < 1000 && count < wanted; ++i)
      std::this_thread::sleep_for(10ms);
    std::this_thread::sleep_for(60ms);
    return count == wanted;
  };
  for (int job = 1; job <= 2; ++job) {
    worker.post({.run = [&](const std::atomic<bool>&) { ++done; }, .cancelled = [] {}});
    EXPECT_TRUE(comes(done, job));
    EXPECT_TRUE(comes(idle, job));
  }
}

TEST(ReportPacer, PublishesTheLatestWhenItIsDue) {
  std::mutex mutex;
  std::vector<int> seen;
  {
    ReportPacer pacer("topic", [&](const std::string&, const ReportJson& report) {
      const std::scoped_lock lock(mutex);
      seen.push_back(report.get<int>());
    });
    for (int i = 0; i < 5; ++i)
      pacer.publish(i);
    const auto end = Clock::now() + kPatience;
    for (bool waits = true; waits && Clock::now() < end;) {
      std::this_thread::sleep_for(5ms);
      const std::scoped_lock lock(mutex);
      waits = seen.size() < 2;
    }
    pacer.publish_last(9);
  }
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.front(), 0);
  EXPECT_EQ(seen.at(seen.size() - 2), 4);
  EXPECT_EQ(seen.back(), 9);
}

}  // namespace
}  // namespace faultline::web
