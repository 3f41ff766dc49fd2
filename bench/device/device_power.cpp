// NVML through its C interface, so that nothing is linked.
#include "bench/device/device_power.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include <dlfcn.h>

namespace faultline::bench {
namespace {

// The library's types, as nvml.h has them: results are 0 if all went well.
using Device = void*;
constexpr int kSmClock = 1;
constexpr unsigned kGpuTemperature = 0;

/// The library; its functions answer for as long as the process lives.
struct Nvml {
  Nvml() {
    void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (library == nullptr) return;
    int (*start)() = nullptr;
    int (*handle)(unsigned, Device*) = nullptr;
    bool found = find(library, start, "nvmlInit_v2") &&
                 find(library, handle, "nvmlDeviceGetHandleByIndex_v2");
    found = find(library, uuid, "nvmlDeviceGetUUID") && found;
    found = find(library, energy, "nvmlDeviceGetTotalEnergyConsumption") && found;
    found = find(library, clock, "nvmlDeviceGetClockInfo") && found;
    found = find(library, most_clock, "nvmlDeviceGetMaxClockInfo") && found;
    found = find(library, reasons, "nvmlDeviceGetCurrentClocksThrottleReasons") && found;
    found = find(library, temperature, "nvmlDeviceGetTemperature") && found;
    there = found && start() == 0 && handle(0, &device) == 0;
  }
  template <class F>
  static bool find(void* library, F*& function, const char* name) {
    function = reinterpret_cast<F*>(dlsym(library, name));
    return function != nullptr;
  }
  bool there = false;
  Device device = nullptr;
  int (*uuid)(Device, char*, unsigned) = nullptr;
  int (*energy)(Device, unsigned long long* millijoules) = nullptr;
  int (*clock)(Device, int kind, unsigned* megahertz) = nullptr;
  int (*most_clock)(Device, int kind, unsigned* megahertz) = nullptr;
  int (*reasons)(Device, unsigned long long*) = nullptr;
  int (*temperature)(Device, unsigned sensor, unsigned* celsius) = nullptr;
};
const Nvml& nvml() {
  static const Nvml library;
  return library;
}

/// Since the driver was loaded.
double joules() {
  unsigned long long millijoules = 0;
  return nvml().energy(nvml().device, &millijoules) == 0 ? 1e-3 * static_cast<double>(millijoules)
                                                         : 0;
}

}  // namespace

struct DeviceWatch::Sampler {
  using Clock = std::chrono::steady_clock;
  struct Reading {
    Clock::time_point at;
    double joules;
  };
  // Of the thread, until it has ended:
  std::deque<Reading> second;  // the last one
  double watts = 0;
  unsigned megahertz = 0, celsius = 0;
  unsigned long long throttled = 0;
  std::jthread thread{[this](const std::stop_token& stop) { sample(stop); }};

  void sample(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    bool more = true;
    while (more) {
      more = !woken.wait_for(lock, stop, std::chrono::milliseconds(200),
                             [&] { return stop.stop_requested(); });
      read();
    }
  }
  void read() {
    constexpr double kASecond = 0.9;  // less says little: the counter moves in steps
    const double now = joules();
    if (now > 0) second.push_back({Clock::now(), now});
    while (second.size() > 6)
      second.pop_front();
    double mean = 0;
    if (second.size() > 1) {
      const double seconds =
          std::chrono::duration<double>(second.back().at - second.front().at).count();
      if (seconds >= kASecond) mean = (second.back().joules - second.front().joules) / seconds;
    }
    unsigned degrees = 0;
    if (nvml().temperature(nvml().device, kGpuTemperature, &degrees) == 0)
      celsius = std::max(celsius, degrees);
    if (mean <= watts) return;
    watts = mean;
    nvml().clock(nvml().device, kSmClock, &megahertz);
    nvml().reasons(nvml().device, &throttled);
  }
};

DeviceWatch::DeviceWatch() {
  if (nvml().there) sampler_ = std::make_unique<Sampler>();
}
DeviceWatch::~DeviceWatch() = default;

nlohmann::ordered_json DeviceWatch::end() {
  nlohmann::ordered_json seen = nlohmann::ordered_json::object();
  if (!sampler_) return seen;
  Sampler& s = *sampler_;
  s.thread.request_stop();
  s.thread.join();
  std::array<char, 96> uuid{};
  if (nvml().uuid(nvml().device, uuid.data(), uuid.size()) == 0) seen["uuid"] = uuid.data();
  seen["watts"] = s.watts;
  seen["sm_mhz"] = s.megahertz;
  unsigned highest = 0;
  if (nvml().most_clock(nvml().device, kSmClock, &highest) == 0) seen["sm_mhz_highest"] = highest;
  seen["celsius"] = s.celsius;
  seen["throttled"] = s.throttled;
  sampler_.reset();
  return seen;
}

}  // namespace faultline::bench
