// How long an actor's thread waits for the network.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "search/evaluator.h"

namespace faultline {

/// Passes batches on and adds the time that its caller spends in submit() and wait() to a counter:
/// on a CPU the whole evaluation, where a device evaluates only what the search has to wait for.
template <Position P>
class TimedEvaluator final : public Evaluator<P> {
 public:
  /// Both must outlive it.
  TimedEvaluator(Evaluator<P>& evaluator, std::atomic<std::uint64_t>& nanoseconds)
      : evaluator_(&evaluator), nanoseconds_(&nanoseconds) {}

  void submit(EvalBatch<P>& batch) override {
    const Timer timer(*nanoseconds_);
    evaluator_->submit(batch);
  }
  void wait(EvalBatch<P>& batch) override {
    const Timer timer(*nanoseconds_);
    evaluator_->wait(batch);
  }

 private:
  using Clock = std::chrono::steady_clock;

  class Timer {
   public:
    explicit Timer(std::atomic<std::uint64_t>& nanoseconds) : nanoseconds_(&nanoseconds) {}
    ~Timer() {
      const auto passed = std::chrono::nanoseconds(Clock::now() - start_).count();
      nanoseconds_->fetch_add(static_cast<std::uint64_t>(passed), std::memory_order_relaxed);
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

   private:
    std::atomic<std::uint64_t>* nanoseconds_;
    Clock::time_point start_ = Clock::now();
  };

  Evaluator<P>* evaluator_;
  std::atomic<std::uint64_t>* nanoseconds_;
};

}  // namespace faultline
