// Many actors, in one light loop, that come, go and die, against one learner: ten times fewer than
// FAULTLINE_CLUSTER_ACTORS=1000 asks for.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cluster/actor_beat.h"
#include "cluster/cluster_status.h"
#include "record/chunk.h"
#include "tests/cluster/fake_cluster.h"
#ifdef FAULTLINE_NATS
#include "tests/cluster/nats_server.h"
#include "tests/outsiders.h"
#endif

namespace faultline {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using nlohmann::json;
using test::TemporaryFolder;
using Clock = std::chrono::steady_clock;

std::size_t number_of_actors() {
  const char* const wanted = std::getenv("FAULTLINE_CLUSTER_ACTORS");
  return wanted != nullptr ? static_cast<std::size_t>(std::atoi(wanted)) : 100;
}

std::size_t open_files() {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

/// Of this process, in bytes.
double memory_used() {
  std::ifstream in("/proc/self/statm");
  double all = 0, resident = 0;
  in >> all >> resident;
  return 4096 * resident;
}

/// What an actor has and says.
struct LightActor {
  std::string name;
  int beat = 0;
  int part = 0;
  std::set<std::string> ranges = {};             // that it holds
  std::map<std::string, std::string> sent = {};  // parts that are not confirmed: their ranges
  Clock::time_point next = {};
  Clock::time_point waits_until = {};  // for an answer
  bool leaves = false;

  json beat_json() {
    json said = {{"beat", ++beat},
                 {"state", leaves ? "ended" : "playing"},
                 {"message", ""},
                 {"threads", 1},
                 {"net_steps", 0}};
    for (const auto& [key, count] : kBeatCounts)
      said[key] = beat;
    return said;
  }
};

/// The games of a range as a part.
std::string part_of(std::uint64_t run_id, const NumberRange& range) {
  std::vector<std::byte> bytes = chunk_header("escher", run_id);
  for (std::uint64_t number = range.next; number < range.end; ++number) {
    const auto frame = chunk_frame(test::random_game<EscherPosition>(test::escher(), number, 12));
    bytes.insert(bytes.end(), frame.begin(), frame.end());
  }
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// How actors speak to the learner.
class Way {
 public:
  virtual ~Way() = default;
  /// Once for each actor and beat. Gets ranges, sends them as parts, forgets those that are stored.
  virtual void turn(LightActor& actor, std::uint64_t run_id) = 0;
  /// Does what the learner's answers say that have come since.
  virtual void hear(std::vector<LightActor>&, std::uint64_t) {}
};

class FolderWay final : public Way {
 public:
  explicit FolderWay(const fs::path& run) : post_{run / "post"} {}

  void turn(LightActor& actor, std::uint64_t run_id) override {
    const fs::path folder = post_.actors() / actor.name;
    fs::create_directories(folder);
    std::error_code error;
    std::erase_if(actor.sent, [&](const auto& part) {
      if (fs::exists(folder / part.first)) return false;
      fs::remove(folder / part.second, error);
      return true;
    });
    actor.leaves = actor.leaves && actor.sent.empty();
    replace_file(folder / kBeatName, actor.beat_json().dump());
    if (actor.leaves || !actor.sent.empty()) return;
    for (const fs::path& offer : offers()) {
      fs::rename(offer, folder / offer.filename(), error);
      if (error) continue;
      const std::string part = fmt::format("{:06}.part", ++actor.part);
      test::write_text(folder / "new", part_of(run_id, *range_of(offer)));
      fs::rename(folder / "new", folder / part);
      actor.sent[part] = offer.filename().string();
      return;
    }
  }

 private:
  /// As they were a moment ago.
  std::vector<fs::path> offers() {
    if (Clock::now() - looked_ > 5ms) {
      offers_ = names_in(post_.numbers(), ".range");
      looked_ = Clock::now();
    }
    std::ranges::shuffle(offers_, rng_);
    return offers_;
  }

  Post post_;
  Clock::time_point looked_{};
  std::vector<fs::path> offers_;
  std::mt19937 rng_{1};
};

struct Crowd {
  std::size_t actors = 0;
  double leaves = 0;  // the share of an actor's turns after which it leaves, or dies
  std::chrono::milliseconds pause{};  // between its turns
};

/// Lets a crowd play until `over`. Says how many there were in all.
std::size_t play(Way& way, const Crowd& crowd, const std::atomic<bool>& over,
                 const std::function<std::optional<std::uint64_t>()>& run_id) {
  std::optional<std::uint64_t> run;
  EXPECT_TRUE(test::soon([&] { return over || (run = run_id()).has_value(); }));
  if (!run) return 0;
  std::mt19937 rng(1);
  std::uniform_real_distribution<double> chance(0, 1);
  std::vector<LightActor> actors(crowd.actors);
  std::size_t come = 0;
  for (LightActor& actor : actors)
    actor.name = fmt::format("light-{}", ++come);
  const auto limit = Clock::now() + 400s;
  while (!over) {
    if (Clock::now() > limit) {
      ADD_FAILURE() << "the run does not end";
      break;
    }
    for (LightActor& actor : actors) {
      if (over || Clock::now() < std::max(actor.next, actor.waits_until)) continue;
      actor.next = Clock::now() + crowd.pause;
      way.turn(actor, *run);
      const bool dies = !actor.leaves && chance(rng) < crowd.leaves / 2;
      if (dies || actor.leaves)
        actor = {.name = fmt::format("light-{}", ++come)};
      else
        actor.leaves = chance(rng) < crowd.leaves / 2;
    }
    way.hear(actors, *run);
    std::this_thread::sleep_for(1ms);
  }
  return come;
}

Config config_of(std::uint64_t games) {
  Config config = test::fake_config();
  config.run.games = static_cast<std::int64_t>(games);
  config.replay.chunk_games = 1'000;
  config.learner.checkpoint_interval = 1'000'000;
  config.learner.replay_ratio = 0.1;
  return config;
}

/// A learner and a crowd, in this process.
void expect_all_stored_once(const fs::path& run, std::uint64_t games, Way& way, const Crowd& crowd,
                            const std::function<RunResult(const Config&)>& serve) {
  const double before = memory_used();
  std::atomic<bool> over{false};
  std::atomic<std::size_t> most_files{0};
  std::atomic<double> most_memory{0};
  std::size_t come = 0;
  std::thread playing([&] {
    come = play(way, crowd, over, [&]() -> std::optional<std::uint64_t> {
      if (!fs::exists(run / "post/orders.json")) return std::nullopt;
      const auto terms = read_terms({run / "post"});
      return terms ? std::optional(terms->run_id) : std::nullopt;
    });
    if (!over) ask_of_cluster({run / "post"}, "stop");
  });
  std::thread watching([&] {
    for (; !over; std::this_thread::sleep_for(20ms)) {
      most_files = std::max(most_files.load(), open_files());
      most_memory = std::max(most_memory.load(), memory_used() - before);
    }
  });
  const auto begin = Clock::now();
  const RunResult result = serve(config_of(games));
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  over = true;
  playing.join();
  watching.join();
  EXPECT_EQ(result.games, games);
  EXPECT_EQ(test::stored_numbers(run), test::numbers_below(games));
  EXPECT_LT(most_files, 100U);
  EXPECT_LT(most_memory, 1e9);
  fmt::print("{} actors at a time, {} in all: {} games in {:.1f} s, {} files, {} more memory\n",
             crowd.actors, come, games, seconds, most_files.load(), bytes_text(most_memory));
}

PostSettings settings_of(std::chrono::milliseconds silent) {
  PostSettings settings = test::quick_settings();
  settings.silent = silent;
  settings.beat = 200ms;
  settings.farewell = 50ms;  // nobody says goodbye
  return settings;
}

/// For actors that stay: times between looks and beats nearly as in a run.
PostSettings calm_settings() {
  PostSettings settings = settings_of(60s);
  settings.tick = 25ms;
  settings.beat = 2s;
  return settings;
}

TEST(ManyActors, ComeAndGoThroughTheFolder) {
  const TemporaryFolder place;
  FolderWay way(place.path());
  const std::size_t actors = std::max<std::size_t>(number_of_actors() / 20, 5);
  expect_all_stored_once(
      place.path(), 100 * actors, way, {actors, 0.2, 10ms}, [&](const Config& config) {
        return test::serve(config, place.path(), true, false, {}, settings_of(600ms));
      });
}

TEST(ManyActors, PlayThroughTheFolder) {
  const TemporaryFolder place;
  FolderWay way(place.path());
  const std::size_t actors = number_of_actors();
  expect_all_stored_once(
      place.path(), 40 * actors, way, {actors, 0, 500ms}, [&](const Config& config) {
        return test::serve(config, place.path(), true, false, {}, calm_settings());
      });
}

#ifdef FAULTLINE_NATS
/// All over one connection, and none waits for another one's answer.
class NatsWay final : public Way {
 public:
  explicit NatsWay(const NatsPlace& place) : place_(place) {}

  void turn(LightActor& actor, std::uint64_t) override {
    actor.waits_until = Clock::now() + 10s;  // more than an actor: it makes no connection anew
    std::vector<std::string> parts;
    for (const auto& [part, range] : actor.sent)
      parts.push_back(part);
    actor.leaves = actor.leaves && parts.empty();
    const json request = {
        {"format", kNatsFormat},
        {"missing", json::array()},
        {"beat", actor.beat_json()},
        {"ranges", actor.leaves ? std::set<std::string>() : actor.ranges},
        {"wanted", actor.leaves ? 0 : 1 - std::min<std::size_t>(1, actor.ranges.size())},
        {"parts", parts}};
    with_link([&] {
      link_->publish(place_.subject(fmt::format("sync.{}.{}", place_.user, actor.name)),
                     request.dump(), inbox() + actor.name);
    });
  }

  void hear(std::vector<LightActor>& actors, std::uint64_t run_id) override {
    with_link([&] {
      while (const auto message = answers_.next(0ms)) {
        const auto actor =
            std::ranges::find(actors, message->subject.substr(inbox().size()), &LightActor::name);
        if (actor != actors.end() && message->status == 0)  // otherwise nobody listens
          obey(*actor, json::parse(message->data), run_id);
      }
    });
  }

 private:
  std::string inbox() const { return "inbox." + place_.user + ".crowd."; }

  template <class Action>
  void with_link(const Action& action) {
    try {
      if (!link_) {
        link_.emplace(place_);
        answers_ = link_->subscribe(inbox() + "*");
      }
      action();
    } catch (const NatsError&) {  // what it was about is said again
      link_.reset();
    }
  }

  void obey(LightActor& actor, const json& reply, std::uint64_t run_id) {
    actor.waits_until = {};
    if (!reply.contains("ranges")) return;
    const std::set<std::string> held = actor.ranges;
    for (const auto& stored : reply.at("stored").get<std::vector<std::string>>())
      if (const auto part = actor.sent.find(stored); part != actor.sent.end()) {
        actor.ranges.erase(part->second);
        actor.sent.erase(part);
      }
    for (const auto& given : reply.at("ranges").get<std::vector<std::string>>()) {
      const auto range = range_of(given);
      if (!range || actor.leaves || held.contains(given)) continue;
      const std::string part = fmt::format("{:06}", ++actor.part);
      link_->store(place_.subject(fmt::format("part.{}.{}.{}", place_.user, actor.name, part)),
                   part_of(run_id, *range));
      actor.ranges.insert(given);
      actor.sent[part] = given;
    }
  }

  NatsPlace place_;
  std::optional<NatsLink> link_;
  NatsInbox answers_;
};

NatsSettings nats_settings(const PostSettings& post) {
  NatsSettings settings = test::quick_nats();
  settings.post = post;
  return settings;
}

TEST(ManyActors, ComeAndGoOverNats) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const test::NatsServer server;
  const TemporaryFolder place;
  NatsWay way(server.place());
  const std::size_t actors = std::max<std::size_t>(number_of_actors() / 20, 5);
  expect_all_stored_once(place.path(), 100 * actors, way, {actors, 0.2, 50ms},
                         [&](const Config& config) {
                           return test::serve_nats(config, place.path(), server.place(), false,
                                                   nats_settings(settings_of(2s)));
                         });
}

TEST(ManyActors, PlayOverNats) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const test::NatsServer server;
  const TemporaryFolder place;
  NatsWay way(server.place());
  const std::size_t actors = number_of_actors();
  expect_all_stored_once(place.path(), 40 * actors, way, {actors, 0, 500ms},
                         [&](const Config& config) {
                           return test::serve_nats(config, place.path(), server.place(), false,
                                                   nats_settings(calm_settings()));
                         });
}
#endif

}  // namespace
}  // namespace faultline
