// How a run starts its actors' threads: oneTBB's arena, or plain threads.
#pragma once

#include <functional>

namespace faultline {

/// Runs `actor` on `count` new threads and `learner` on the calling thread, and returns when all
/// have ended. Neither may throw; `learner` must make sure that the actors end.
using RunThreads = std::function<void(int count, const std::function<void()>& actor,
                                      const std::function<void()>& learner)>;

/// A oneTBB arena; used by runs.
void run_in_arena(int count, const std::function<void()>& actor,
                  const std::function<void()>& learner);

/// std::thread, whose synchronisation the thread sanitizer understands; used by tests. The
/// sanitizer cannot see how Debian's oneTBB starts and joins its tasks.
void run_on_plain_threads(int count, const std::function<void()>& actor,
                          const std::function<void()>& learner);

}  // namespace faultline
