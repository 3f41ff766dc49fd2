// A learner or an actor in a process of its own, for tests that kill it: cluster_child
// learner|actor FOLDER [URL SPOOL]. A learner has no limit, and serves until it is killed.
#include <iostream>
#include <string>

#include "base/stop_signals.h"
#include "tests/cluster/fake_cluster.h"
#ifdef FAULTLINE_NATS
#include "tests/cluster/nats_server.h"
#endif

namespace {

using namespace faultline;

int run_learner(const std::filesystem::path& folder, const std::string& url) {
  Config config = test::fake_config();
  config.run.games = 0;
#ifdef FAULTLINE_NATS
  if (!url.empty())
    return test::serve_nats(config, folder, nats_place(url), true).end == RunEnd::Stopped ? 0 : 3;
#endif
  return url.empty() && test::serve(config, folder, true, true).end == RunEnd::Stopped ? 0 : 3;
}

int run_actor(const std::filesystem::path& folder, const std::string& url,
              const std::string& spool) {
  const StopSignals signals;
#ifdef FAULTLINE_NATS
  if (!url.empty()) {
    test::JoinedActor actor(nats_place(url), spool);
    actor.leave_at_signals();
    actor.join();
    std::cerr << actor.failure();
    return actor.failure().empty() ? 0 : 3;
  }
#endif
  test::ActorThread actor(folder);
  return actor.join() == ActorEnd::Signal ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5) return 2;
  const std::string url = argc == 5 ? argv[3] : "", spool = argc == 5 ? argv[4] : "";
  try {
    return std::string(argv[1]) == "learner" ? run_learner(argv[2], url)
                                             : run_actor(argv[2], url, spool);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
