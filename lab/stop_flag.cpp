// A condition that only a function knows, as a flag that searches can look at.
#include "lab/stop_flag.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

namespace faultline {
namespace {

constexpr std::chrono::milliseconds kInterval{100};

}  // namespace

StopFlag::StopFlag(std::function<bool()> stop) {
  if (!stop) return;
  thread_ = std::jthread([this, stop = std::move(stop)](const std::stop_token& token) {
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    while (!token.stop_requested() && !is_set_) {
      if (stop())
        is_set_ = true;
      else
        ended.wait_for(lock, token, kInterval, [] { return false; });
    }
  });
}

}  // namespace faultline
