// A condition that only a function knows, as a flag that searches can look at.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace faultline {

/// Asks `stop` ten times per second, from a thread of its own, until it returns true; the flag is
/// set then, and stays. Without `stop` it never is.
class StopFlag {
 public:
  explicit StopFlag(std::function<bool()> stop);
  StopFlag(const StopFlag&) = delete;
  StopFlag& operator=(const StopFlag&) = delete;

  const std::atomic<bool>& is_set() const { return is_set_; }

 private:
  std::atomic<bool> is_set_{false};
  std::jthread thread_;  // last: it ends before what it uses
};

}  // namespace faultline
