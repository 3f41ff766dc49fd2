// The two ways to start actors.
#include "selfplay/run_threads.h"

#include <cstddef>
#include <thread>
#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "base/machine_shortage.h"

namespace faultline {

void run_in_arena(int count, const std::function<void()>& actor,
                  const std::function<void()>& learner) {
  if (count == 0) return learner();
  // TBB ends the process if it cannot start a worker.
  require_tasks(static_cast<std::size_t>(count));
  // By default TBB starts no more workers than there are cores.
  const tbb::global_control workers(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(count) + 1);
  tbb::task_arena arena(count, 0);
  tbb::task_group actors;
  for (int i = 0; i < count; ++i)
    arena.enqueue(actors.defer([&actor] { actor(); }));
  learner();
  arena.execute([&] { actors.wait(); });
}

void run_on_plain_threads(int count, const std::function<void()>& actor,
                          const std::function<void()>& learner) {
  std::vector<std::thread> actors;
  actors.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    actors.emplace_back([&actor] { actor(); });
  learner();
  for (std::thread& thread : actors)
    thread.join();
}

}  // namespace faultline
