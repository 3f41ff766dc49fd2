// What a learner takes in from actors elsewhere, through its folder and through a NATS server on
// this machine: games and bytes per second with fsync, processor time, what actors' requests cost,
// and how long a network needs to an actor's disk and to its first game. Needs nats-server. With a
// word of folder, nats, requests, publication: only that.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "cluster/actor_beat.h"
#include "cluster/cluster_status.h"
#include "record/chunk.h"
#include "tests/cluster/nats_server.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kGames = 40'000;
constexpr std::uint64_t kGamesInPart = 100;

double thread_seconds() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Games 1 to kGames of the run in an actor's folder. Returns their bytes.
double write_parts(const fs::path& folder, std::uint64_t run_id) {
  fs::create_directories(folder);
  double bytes = 0;
  for (std::uint64_t first = 1; first <= kGames; first += kGamesInPart) {
    std::vector<std::byte> part = chunk_header("escher", run_id);
    for (std::uint64_t number = first; number < first + kGamesInPart; ++number) {
      const auto frame = chunk_frame(test::random_game<EscherPosition>(test::escher(), number, 60));
      part.insert(part.end(), frame.begin(), frame.end());
    }
    bytes += static_cast<double>(part.size());
    std::ofstream(folder / fmt::format("{:06}.part", first), std::ios::binary)
        .write(reinterpret_cast<const char*>(part.data()),
               static_cast<std::streamsize>(part.size()));
  }
  return bytes;
}

/// A run with game 0, and the others in `parts`; `serve` takes them.
template <class Serve>
void measure(const char* name, const fs::path& run, const fs::path& parts, const Serve& serve) {
  Config config = test::fake_config();
  config.run.games = 1;
  config.replay.chunk_games = 1'000;
  config.learner.checkpoint_interval = 100'000;
  test::FakeSession().run(config, run);
  const double bytes = write_parts(parts, scan_games(run / "games", "escher").run_id);
  config.run.games = kGames + 1;
  const auto begin = Clock::now();
  const double before = processor_seconds();
  const RunResult result = serve(config);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const double used = processor_seconds() - before;
  fmt::print(
      "{}: {} games of {:.1f} kB in {:.1f} s: {:.0f} games/s, {:.1f} MB/s; {:.3f} ms of a "
      "processor for each\n",
      name, result.games - 1, bytes / 1e3 / static_cast<double>(kGames), seconds,
      static_cast<double>(kGames) / seconds, bytes / 1e6 / seconds,
      1e3 * used / static_cast<double>(kGames));
}

/// What a thousand actors that ask twice a second cost the learner, their games aside.
void measure_requests(const test::NatsServer& server, const fs::path& run) {
  constexpr int kActors = 1'000, kRounds = 40, kRoundsOfRange = 8;
  const NatsPlace place = nats_place(server.url("d"));
  Config config = test::fake_config();
  config.run.games = 0;
  std::thread asking([&] {
    if (!test::soon([&] { return fs::exists(run / "post/orders.json"); })) return;
    NatsLink link(place);
    NatsInbox answers = link.subscribe("inbox." + place.user + ".bench.*");
    std::vector<std::vector<std::string>> ranges(kActors);
    const auto begin = Clock::now();
    double before = 0, own_before = 0;
    int answered = 0;
    std::vector<Clock::time_point> asked(kActors);
    std::vector<double> waits;
    int sent = 0;
    for (int turn = 0; turn < kRounds * kActors; ++turn) {
      const auto actor = static_cast<std::size_t>(turn % kActors);
      if (turn == 4 * kActors) {  // they have come
        before = processor_seconds();
        own_before = thread_seconds();
        sent = answered = 0;
        waits.clear();
      }
      const auto due = begin + turn * std::chrono::milliseconds(500) / kActors;
      for (;;) {
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now());
        const auto answer = answers.next(std::max(wait, std::chrono::milliseconds(0)));
        if (!answer && Clock::now() >= due) break;
        const auto told =
            answer ? nlohmann::json::parse(answer->data, nullptr, false) : nlohmann::json();
        if (!told.contains("ranges")) continue;
        const auto from = static_cast<std::size_t>(
            std::stoi(answer->subject.substr(answer->subject.rfind('.') + 1)));
        ++answered;
        waits.push_back(std::chrono::duration<double>(Clock::now() - asked[from]).count());
        asked[from] = {};
        ranges[from] = told.at("ranges").get<std::vector<std::string>>();
      }
      if (Clock::now() - asked[actor] < std::chrono::seconds(2))
        continue;  // it waits for its answer
      auto& held = ranges[actor];
      if ((turn / kActors + turn) % kRoundsOfRange == 0) held.clear();  // as if played
      const int beats = turn / kActors / 4;
      nlohmann::json beat = {
          {"beat", beats}, {"state", "playing"}, {"message", ""}, {"threads", 1}, {"net_steps", 0}};
      for (const auto& [key, count] : kBeatCounts)
        beat[key] = beats;
      const nlohmann::json request = {{"format", kNatsFormat},
                                      {"missing", nlohmann::json::array()},
                                      {"beat", beat},
                                      {"ranges", held},
                                      {"wanted", held.empty() ? 1 : 0},
                                      {"parts", nlohmann::json::array()}};
      asked[actor] = Clock::now();
      ++sent;
      link.publish(place.subject(fmt::format("sync.{}.{}", place.user, actor)), request.dump(),
                   fmt::format("inbox.{}.bench.{}", place.user, actor));
    }
    const double used = processor_seconds() - before - (thread_seconds() - own_before);
    std::ranges::sort(waits);
    fmt::print(
        "requests: {} of {} answered, {:.3f} ms of the learner's processor for each, its looks at "
        "the "
        "actors' folders among it; an answer takes {:.0f} ms (median), {:.0f} ms at most\n",
        answered, sent, 1e3 * used / std::max(answered, 1),
        waits.empty() ? 0.0 : 1e3 * waits[waits.size() / 2],
        waits.empty() ? 0.0 : 1e3 * waits.back());
    ask_of_cluster({run / "post"}, "stop");
  });
  NatsSettings settings;
  settings.post.farewell = std::chrono::milliseconds(100);
  test::serve_nats(config, run, place, false, settings);
  asking.join();
}

/// The steps of the network that played the last stored game; 0 if there is none.
std::int64_t newest_net_of(const fs::path& games) {
  const std::vector<fs::path> chunks = names_in(games);
  if (chunks.empty()) return 0;
  try {
    const auto stored = scan_chunk(chunks.back(), "escher").games;
    return stored.empty() ? 0 : read_game(stored.back()).net.steps;
  } catch (const ReplayError&) {  // it is being written
    return 0;
  }
}

void measure_publication(const test::NatsServer& server, const test::TemporaryFolder& place) {
  Config config = test::fake_config();
  config.run.games = 30'000;
  config.learner.publish_interval = 400;
  config.replay.chunk_games = 500;
  const NatsSettings settings;
  const fs::path run = place.path() / "c", spool = place.path() / "spool-c";
  fs::create_directories(spool);
  std::atomic<bool> over{false};
  std::thread watching([&] {
    std::map<std::string, Clock::time_point> seen;
    std::set<std::string> done;
    std::vector<double> waits, games;
    std::map<std::int64_t, Clock::time_point> published;  // by steps, without a game so far
    while (!over) {
      for (const fs::path& net : names_in(run / "post/nets", ".pt"))
        if (seen.try_emplace(net.filename().string(), Clock::now()).second)
          if (const std::string steps = test::read_text(net); !steps.empty())
            published[std::stoll(steps)] = Clock::now();
      const std::int64_t played = newest_net_of(run / "games");
      while (!published.empty() && published.begin()->first <= played) {
        const auto first = published.extract(published.begin());
        games.push_back(std::chrono::duration<double>(Clock::now() - first.mapped()).count());
      }
      for (const fs::path& net : names_in(spool / "nets", ".pt"))
        if (const auto found = seen.find(net.filename().string());
            found != seen.end() && done.insert(found->first).second)
          waits.push_back(std::chrono::duration<double>(Clock::now() - found->second).count());
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::ranges::sort(waits);
    if (!waits.empty())
      fmt::print("publication to an actor's disk: median {:.2f} s, most {:.2f} s, {} networks\n",
                 waits[waits.size() / 2], waits.back(), waits.size());
    std::ranges::sort(games);
    if (!games.empty())
      fmt::print("publication to the first stored game with it: median {:.2f} s, most {:.2f} s\n",
                 games[games.size() / 2], games.back());
  });
  {
    test::JoinedActor actor(nats_place(server.url("c")), spool, settings, 1);
    test::serve_nats(config, run, nats_place(server.url("c")), false, settings);
    actor.join();
  }
  over = true;
  watching.join();
}

}  // namespace
}  // namespace faultline

int main(int count, char** arguments) {
  using namespace faultline;
  using test::TemporaryFolder;
  const std::string only = count > 1 ? arguments[1] : "";
  const auto wanted = [&](const char* name) { return only.empty() || only == name; };
  const TemporaryFolder place;
  if (wanted("folder"))
    measure("folder", place.path() / "a", place.path() / "a/post/actors/dead",
            [&](const Config& config) {
              test::FakeSession session;
              session.resume = session.learn_only = true;
              session.make_courier = [&](RunPersistence& persistence) {
                return std::make_unique<FolderCourier>(config, persistence, nullptr);
              };
              return session.run(config, place.path() / "a");
            });
  const test::NatsServer server;
  const fs::path spool = place.path() / "spool";
  if (wanted("nats"))
    measure("NATS", place.path() / "b", spool / "old/actors/dead", [&](const Config& config) {
      std::ofstream(spool / "old/lock").flush();  // of a process that has died
      const auto joined = join_over_nats(nats_place(server.url("b")), spool);
      return test::serve_nats(config, place.path() / "b", nats_place(server.url("b")), true, {});
    });
  if (wanted("requests")) measure_requests(server, place.path() / "d");
  if (wanted("publication")) measure_publication(server, place);
  return 0;
}
