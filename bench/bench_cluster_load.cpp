// A discrete simulation of a cluster whose learner takes games in at the rates that bench_cluster
// measured: where it saturates with 10, 100 and 1,000 actors, and at 100,000 games a second.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <queue>
#include <string>
#include <vector>

namespace {

/// Of docs/cluster.md, and of cluster/folder_courier.cpp and cluster/post.h.
struct Rates {
  double intake = 0.318e-3;  // seconds of a core for a game
  double request = 0.38e-3;  // for an actor's request over NATS, with the looks at its folder
  double requests = 2;       // of an actor, a second
  double game_bytes = 1.1e3;
  double fsync = 5e-3;  // and for its bytes:
  double disk = 236e6;  // bytes a second
  double tick = 0.1;    // between looks
  double part_seconds = 2;
  int part_games = 256;
  int parts_at_once = 64;
  int most_unconfirmed = 20'000;  // games of an actor; then it waits
};

struct Case {
  int actors;
  double games;    // that each plays in a second
  int cores;       // that take in: a quarter of the learner's, at most eight
  double learned;  // games a second that the training takes
};

struct Found {
  double played = 0, stored = 0;  // a second
  double delay = 0;               // from a part's end to its confirmation, the median
  double busy = 0, disk = 0, requests = 0;
};

struct Part {
  double ready;
  int actor;
  double games;
  bool operator<(const Part& other) const { return ready > other.ready; }
};

Found simulate(const Case& now, const Rates& rates) {
  constexpr double kSeconds = 300;
  const double part_games =
      std::max(1.0, std::min<double>(rates.part_games, now.games * rates.part_seconds));
  const double part_seconds = part_games / now.games;
  std::priority_queue<Part> parts;
  std::vector<double> unconfirmed(static_cast<std::size_t>(now.actors));
  std::vector<double> stalled(unconfirmed.size(), -1);  // since when an actor waits
  for (int actor = 0; actor < now.actors; ++actor)
    parts.push({part_seconds * (1 + static_cast<double>(actor) / now.actors), actor, part_games});
  std::vector<Part> waiting;
  std::vector<double> delays;
  Found found;
  double time = 0, to_learn = 0, learned_until = 0;
  while (time < kSeconds) {
    for (; !parts.empty() && parts.top().ready <= time; parts.pop()) {
      const Part part = parts.top();
      waiting.push_back(part);
      found.played += part.games;
      double& open = unconfirmed[static_cast<std::size_t>(part.actor)];
      open += part.games;
      if (open > rates.most_unconfirmed)
        stalled[static_cast<std::size_t>(part.actor)] = part.ready;
      else
        parts.push({part.ready + part_seconds, part.actor, part.games});
    }
    to_learn = std::max(0.0, to_learn - now.learned * (time - learned_until));
    learned_until = time;
    double work = 0;
    constexpr double kMostWaiting = 10'000;  // games that the learner has not taken
    if (!waiting.empty() && to_learn <= kMostWaiting) {
      const auto taken = std::min(waiting.size(), static_cast<std::size_t>(rates.parts_at_once));
      double games = 0;
      for (std::size_t i = 0; i < taken; ++i)
        games += waiting[i].games;
      const double cores = std::min<double>(now.cores, static_cast<double>(taken));
      const double reading = games * rates.intake / cores;
      const double syncing = rates.fsync + games * rates.game_bytes / rates.disk;
      work = reading + syncing;
      found.busy += reading;
      found.disk += syncing;
      found.stored += games;
      to_learn += games;
      for (std::size_t i = 0; i < taken; ++i) {
        const Part& part = waiting[i];
        delays.push_back(time + work - part.ready);
        const auto actor = static_cast<std::size_t>(part.actor);
        unconfirmed[actor] -= part.games;
        if (stalled[actor] >= 0 && unconfirmed[actor] <= rates.most_unconfirmed) {
          parts.push({time + work + part_seconds, part.actor, part.games});
          stalled[actor] = -1;
        }
      }
      waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(taken));
    }
    time += work + std::max(rates.tick, work);  // at most half of its time goes into looking
  }
  std::ranges::sort(delays);
  found.delay = delays.empty() ? NAN : delays[delays.size() / 2];
  for (double* sum : {&found.played, &found.stored, &found.busy, &found.disk})
    *sum /= time;
  found.requests = now.actors * rates.requests * rates.request;
  return found;
}

}  // namespace

int main() {
  std::puts(
      "| actors | games/s of each | cores | learned/s | played/s | stored/s | delay, s | intake | "
      "disk | "
      "requests |\n|---|---|---|---|---|---|---|---|---|---|");
  constexpr double kAny = 1e9;
  for (const Case& now : {Case{10, 64, 1, kAny},
                          {100, 64, 1, kAny},
                          {100, 64, 4, kAny},
                          {1'000, 64, 8, kAny},
                          {1'000, 64, 32, kAny},
                          {1'000, 100, 64, kAny},
                          {100, 64, 4, 1'500},
                          {1'000, 2, 4, 1'500}}) {
    const Found found = simulate(now, {});
    std::printf("| %d | %g | %d | %s | %.0f | %.0f | %.1f | %.0f %% | %.0f %% | %.0f %% |\n",
                now.actors, now.games, now.cores,
                now.learned < kAny ? std::to_string(static_cast<int>(now.learned)).c_str() : "all",
                found.played, found.stored, found.delay, 100 * found.busy, 100 * found.disk,
                100 * found.requests);
  }
  return 0;
}
