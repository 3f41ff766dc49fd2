// A NATS server of a test's own, and runs over it.
#pragma once

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stop_signals.h"
#include "cluster/nats_link.h"
#include "cluster/over_nats.h"
#include "tests/cluster/fake_cluster.h"

namespace faultline::test {

inline bool has_nats_server() {
  return std::system("nats-server --version >/dev/null 2>&1") == 0;
}

#define FAULTLINE_NEEDS_NATS_SERVER()                                         \
  if (!test::has_nats_server()) {                                             \
    if (test::outsiders_are_required()) FAIL() << "nats-server is required";  \
    GTEST_SKIP() << "nats-server is not installed (scripts/setup --cluster)"; \
  }

inline int free_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(descriptor, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size), 0);
  ::close(descriptor);
  return ntohs(address.sin_port);
}

inline NatsSettings quick_nats() {
  using std::chrono::milliseconds;
  NatsSettings settings{.post = quick_settings(), .resend = milliseconds(200)};
  settings.post.silent = milliseconds(1'500);
  return settings;
}

/// On a port of 127.0.0.1 with a store of its own.
class NatsServer {
 public:
  /// `rest`: more of its configuration; "PORT" in it is the port.
  explicit NatsServer(std::string rest = "") {
    const std::string port = std::to_string(port_);
    if (rest.find("jetstream") == std::string::npos)
      rest += fmt::format("\njetstream {{ store_dir: \"{}\" }}\n", store().string());
    write_text(place_.path() / "conf", fmt::format("listen: \"127.0.0.1:{}\"\n{}\n", port, rest));
    start();
  }
  ~NatsServer() { stop(SIGKILL); }
  NatsServer(const NatsServer&) = delete;
  NatsServer& operator=(const NatsServer&) = delete;

  void start() {
    const std::string conf = (place_.path() / "conf").string(),
                      log = (place_.path() / "log").string();
    pid_ = ::fork();
    if (pid_ == 0) {
      const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
      ::dup2(out, STDOUT_FILENO);
      ::dup2(out, STDERR_FILENO);
      ::execlp("nats-server", "nats-server", "-c", conf.c_str(), nullptr);
      ::_exit(127);
    }
    EXPECT_TRUE(soon([&] { return listens(); })) << read_text(place_.path() / "log");
  }
  void stop(int signal = SIGTERM) {
    if (pid_ <= 0) return;
    ::kill(pid_, signal);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  void delete_store() const { std::filesystem::remove_all(store()); }
  std::filesystem::path store() const { return place_.path() / "store"; }
  std::string url(const std::string& name = "run", const std::string& scheme = "nats",
                  const std::string& host = "127.0.0.1") const {
    return fmt::format("{}://{}:{}/{}", scheme, host, port_, name);
  }
  NatsPlace place() const { return nats_place(url()); }

 private:
  bool listens() const {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    const bool connected =
        ::connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(descriptor);
    return connected;
  }

  TemporaryFolder place_;
  int port_ = free_port();
  pid_t pid_ = -1;
};

/// A session of FakeTrainer that serves actors over NATS.
inline RunResult serve_nats(const Config& config, const std::filesystem::path& folder,
                            const NatsPlace& place, bool resume = false,
                            const NatsSettings& settings = quick_nats(), FakeSession session = {}) {
  session.resume = resume;
  session.learn_only = true;
  session.make_courier = [&](RunPersistence& persistence) {
    return serve_over_nats(config, persistence, place, load_fake_net, settings);
  };
  return session.run(config, folder);
}

/// An actor's process, on threads of this one.
class JoinedActor {
 public:
  JoinedActor(const NatsPlace& place, const std::filesystem::path& folder,
              const NatsSettings& settings = quick_nats(), int threads = 2)
      : spool_(join_over_nats(place, folder, settings)), thread_([this, settings, threads] {
          try {
            for (ActorEnd end = ActorEnd::NewTerms; end == ActorEnd::NewTerms && !leave_;) {
              std::optional<RunTerms> terms;
              while (!leave_ && !(terms = read_terms(spool_->post()))) {
                spool_->check();
                std::this_thread::sleep_for(settings.post.tick);
              }
              if (!terms) break;
              SpoolActor actor(spool_->post(), *terms, load_fake_net, out_, false, settings.post,
                               [this] { return spool_->trouble(); });
              end = actor.run(threads, run_on_plain_threads);
            }
          } catch (const std::exception& error) {
            failure_ = error.what();
          }
          left_ = spool_->finish();
          done_ = true;
        }) {}
  ~JoinedActor() { join(); }
  JoinedActor(const JoinedActor&) = delete;
  JoinedActor& operator=(const JoinedActor&) = delete;

  /// Does not wait for a learner any more.
  void leave() { leave_ = true; }
  void leave_at_signals() {
    while (!StopSignals::requested() && !done_)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    leave();
  }
  /// The parts that it has left in its folder.
  std::size_t join() {
    if (thread_.joinable()) thread_.join();
    return left_;
  }
  NatsSpool& spool() { return *spool_; }
  bool ended() const { return done_; }
  /// After join().
  std::string out() const { return out_.str(); }
  std::string failure() const { return failure_; }

 private:
  std::unique_ptr<NatsSpool> spool_;
  std::ostringstream out_;
  std::string failure_;
  std::atomic<bool> leave_{false}, done_{false};
  std::size_t left_ = 0;
  std::thread thread_;  // last: it uses the others
};

}  // namespace faultline::test
