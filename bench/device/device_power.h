// Power, clocks and temperature of an NVIDIA GPU, by the driver's management library (NVML).
#pragma once

#include <memory>

#include <nlohmann/json.hpp>

namespace faultline::bench {

/// Samples the first GPU five times a second from construction on. Without the library, or without
/// a GPU, there is nothing to see.
class DeviceWatch {
 public:
  DeviceWatch();
  ~DeviceWatch();
  DeviceWatch(const DeviceWatch&) = delete;
  DeviceWatch& operator=(const DeviceWatch&) = delete;
  DeviceWatch(DeviceWatch&&) = delete;
  DeviceWatch& operator=(DeviceWatch&&) = delete;

  /// Ends sampling. An object of "uuid"; "watts", the mean of the second in which it took most, so
  /// that of steady work; "sm_mhz" and "throttled" (NVML's bits of reasons) at the end of that
  /// second; "sm_mhz_highest", what the card allows; "celsius", the hottest. Empty if nothing was
  /// seen.
  nlohmann::ordered_json end();

 private:
  struct Sampler;
  std::unique_ptr<Sampler> sampler_;
};

}  // namespace faultline::bench
