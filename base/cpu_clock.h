// CPU time of this process.
#pragma once

#include <ctime>

namespace faultline {

/// Counts the CPU time that all threads of the process have used since this object was made.
class CpuClock {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  double start_ = now();
};

}  // namespace faultline
