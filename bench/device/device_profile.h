// What a device did while something ran: its kernels and transfers, by LibTorch's Kineto.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace faultline::bench {

struct ProfiledKernel {
  std::string name;    // a function's, without its arguments
  double seconds = 0;  // of all calls
  int calls = 0;
};
struct DeviceProfile {
  double busy = 0;                      // seconds in which the device did something
  int calls = 0;                        // kernels, copies and fills
  std::vector<ProfiledKernel> kernels;  // by time, the longest first
};

/// Profiles `run`, which must end with the device idle. Threads do not matter: whatever the process
/// submits to devices counts. Throws std::runtime_error where LibTorch sees nothing of them: on a
/// CPU, or without CUPTI.
DeviceProfile profile_device(const std::function<void()>& run);

}  // namespace faultline::bench
