// A learner or an actor in a process of its own, for tests that kill it: cluster_child
// learner|rounds|actor FOLDER [URL SPOOL]. A learner has no limit, and serves until it is killed;
// "rounds": that of a deterministic run.
#include <iostream>
#include <string>

#include "base/stop_signals.h"
#include "tests/cluster/fake_cluster.h"
#ifdef FAULTLINE_NATS
#include "tests/cluster/nats_server.h"
#endif

namespace {

using namespace faultline;

int run_learner(const Config& config, test::FakeSession session,
                const std::filesystem::path& folder, const std::string& url) {
#ifdef FAULTLINE_NATS
  if (!url.empty())
    return test::serve_nats(config, folder, nats_place(url), true, test::quick_nats(),
                            std::move(session))
                       .end == RunEnd::Stopped
               ? 0
               : 3;
#endif
  return url.empty() &&
                 test::serve(config, folder, true, true, std::move(session)).end == RunEnd::Stopped
             ? 0
             : 3;
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
    const std::string role = argv[1];
    if (role == "actor") return run_actor(argv[2], url, spool);
    Config config = test::fake_config();
    config.run.games = 0;
    return role == "rounds" ? run_learner(test::deterministic_config(0),
                                          test::deterministic_session(), argv[2], url)
                            : run_learner(config, {}, argv[2], url);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
