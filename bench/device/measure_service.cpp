// bench_device service: self-play through a batch service on a simulated device, which shows what
// threads, slots and timers cost beside a device. It has 62,500 positions/s for each core, as a
// device of a million has beside 16.
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include <sys/resource.h>

#include "base/processor.h"
#include "bench/device/parts.h"
#include "model/encoding/attack_planes.h"
#include "model/encoding/encoders.h"
#include "model/inference/batch_service.h"
#include "model/inference/simulated_device.h"
#include "selfplay/actor_of.h"
#include "selfplay/game_numbers.h"
#include "selfplay/local_links.h"

namespace faultline::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kRateOfACore = 62'500;

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

template <Position P>
nlohmann::ordered_json measure(const Settings& settings, const typename P::Variant& variant,
                               Config config, int threads) {
  config.selfplay.random_plies = std::max(config.selfplay.random_plies, 40);
  config.selfplay.one_level_games = config.selfplay.rising_level_games = 0;
  const EncodingInfo encoding = with_attack_planes(Encoder<P>::info(variant));
  const double device_rate = kRateOfACore * available_processors();
  const auto service = std::make_shared<BatchService>(
      std::vector<MakeBackend>{[&](const FoldedNetwork&) {
        return make_simulated_backend(
            {.floats = encoding.floats(), .planes = encoding.planes.size(), .rate = device_rate});
      }},
      FoldedNetwork{}, NetworkIdentity{});
  NetBoard nets;
  nets.replace({.backend = service, .batch = service->attributes().best_batch});
  GameNumbers numbers({}, 0);
  ActorCounts counts;
  FunctionSink forgotten;
  const auto begin = Clock::now();
  const std::chrono::duration<double> warm_up(settings.seconds / 2), all(1.5 * settings.seconds);
  PlayWhile orders({}, [&] { return Clock::now() - begin < all; });
  std::vector<std::thread> actors;
  for (int t = 0; t < threads; ++t)
    actors.emplace_back([&] {
      ActorOf<P>(variant, config, nullptr,
                 {.orders = &orders, .numbers = &numbers, .nets = &nets, .games = &forgotten},
                 counts)
          .run();
    });
  struct Seen {
    double seconds, cpu;
    ServedBatches served;
  };
  const auto see = [&] {
    return Seen{std::chrono::duration<double>(Clock::now() - begin).count(), cpu_seconds(),
                service->served().front()};
  };
  std::this_thread::sleep_for(warm_up);
  const Seen before = see();
  std::this_thread::sleep_for(std::chrono::duration<double>(settings.seconds));
  const Seen after = see();
  for (std::thread& actor : actors)
    actor.join();
  const double seconds = after.seconds - before.seconds;
  const auto positions = static_cast<double>(after.served.positions - before.served.positions);
  const auto batches = static_cast<double>(after.served.batches - before.served.batches);
  return {{"rate", positions / seconds},
          {"device_rate", device_rate},
          {"share", positions / seconds / device_rate},
          {"fill", positions / batches / static_cast<double>(ServiceSettings{}.slot)},
          {"cpu", (after.cpu - before.cpu) / seconds / available_processors()},
          {"games_at_once", config.selfplay.games_per_thread * threads}};
}

}  // namespace

void measure_service(const Settings& settings, Results& results) {
  for (const std::string& file : settings.configs) {
    const Config config = load_config(file);
    for (const int threads : settings.threads)
      with_measured_family(
          config.run.variant, [&]<class P>(std::type_identity<P>, const auto& variant) {
            results.measure({{"part", "service"}, {"config", file}, {"threads", threads}},
                            [&] { return measure<P>(settings, variant, config, threads); });
          });
  }
}

}  // namespace faultline::bench
