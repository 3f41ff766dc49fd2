// A learner or an actor in a process of its own, for tests that kill it: cluster_child
// learner|actor FOLDER GAMES. A learner without a limit, GAMES = 0, serves until it is killed.
#include <iostream>
#include <string>

#include "base/stop_signals.h"
#include "tests/cluster/fake_cluster.h"

namespace {

using namespace faultline;

int run_learner(const std::filesystem::path& folder, std::int64_t games) {
  Config config = test::fake_config();
  config.run.games = games;
  return test::serve(config, folder, true, true).end == RunEnd::Stopped ? 0 : 3;
}

int run_actor(const std::filesystem::path& folder) {
  const StopSignals signals;
  test::ActorThread actor(folder);
  return actor.join() == ActorEnd::Signal ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  try {
    return std::string(argv[1]) == "learner" ? run_learner(argv[2], std::stoll(argv[3]))
                                             : run_actor(argv[2]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
