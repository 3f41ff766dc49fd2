// The learner's side of a post: serves actors in other processes.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/actor_beat.h"
#include "cluster/game_check.h"
#include "cluster/part_intake.h"
#include "cluster/post.h"
#include "record/config.h"
#include "selfplay/courier.h"
#include "selfplay/run_persistence.h"

namespace faultline {

/// One at a time serves a post: the constructor takes office with the next epoch, and whoever held
/// it before stops (check()). All but the interface's functions is done by a thread of its own.
class FolderCourier final : public Courier {
 public:
  /// Serves in the folder post/ of the run's. Waits if a learner of another machine may be alive.
  /// Throws RunError if it is. Both must outlive it.
  /// `load_net`: see GameCheck. `least_epoch`: actors have heard of the ones below.
  FolderCourier(const Config& config, RunPersistence& persistence, LoadNet load_net,
                const PostSettings& settings = {}, std::uint64_t least_epoch = 1);
  ~FolderCourier() override { stop(); }

  void begin(const CourierLinks& links) override;
  void publish(NetworkIdentity net, std::string file) override;
  void check() override;
  std::vector<std::string> messages() override;
  int threads() const override { return threads_; }
  void end(bool run_ended) override;
  void stop() override;
  std::uint64_t epoch() const { return epoch_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// An actor's process, as its folder shows it.
  struct SeenActor {
    Watch beat = {};
    Clock::time_point next_look = {};  // at its beat
    bool ended = false;
    bool gone = false;  // ended, or silent
    int threads = 0;
    std::int64_t net_steps = 0;
    std::string state = {};
    std::string message = {};
    std::map<std::string, std::uint64_t> counts = {};  // of its last beat
    std::uint64_t stored = 0;                          // games of it
    std::uint64_t stored_before = 0;                   // at the last report
    std::uint64_t dropped = 0;                         // known already
    std::uint64_t refused = 0;                         // parts set aside
    std::vector<std::filesystem::path> parts = {};     // that are there to be taken
  };
  struct GivenRange {
    std::uint64_t end = 0;
    NetworkIdentity net = {};     // that is to play them; {}: any
    std::string holder = {};      // an actor's name; "": on offer
    std::uint64_t look = 0;       // when it was last seen
    Clock::time_point seen = {};  // likewise
  };

  void await_office();
  void take_office(std::uint64_t least_epoch);
  void require_office() const;
  std::filesystem::path epoch_file(std::uint64_t epoch) const;

  void work();
  void turn();
  void write_net();
  void write_orders();
  void look();
  void look_at(const std::filesystem::path& folder);
  void read_beat(const std::filesystem::path& folder, SeenActor& actor);
  void see_range(const std::filesystem::path& file, const std::string& holder);
  void give_back_lost_ranges();
  void take_parts();
  /// Names the actors that the check has found out; nothing of them is taken any more.
  void shut_out();
  /// Gives back what it has claimed, and says why to it.
  void keep_out(const std::filesystem::path& folder, const std::string& reason);
  void put_aside(const std::string& actor, const std::filesystem::path& part,
                 const std::vector<std::string>& faults);
  void bury();
  void give_back(const std::string& actor);
  void offer();
  void write_report(const char* state);
  void say(std::string text);

  const Config* config_;
  RunPersistence* persistence_;
  const PostSettings settings_;
  const Post post_;
  std::uint64_t epoch_ = 0;
  CourierLinks links_;
  std::optional<PartIntake> intake_;
  GameCheck check_;
  std::string terms_;
  std::atomic<int> threads_{0};

  // Of the courier's thread once that runs.
  std::map<std::string, SeenActor> actors_;
  std::map<std::uint64_t, GivenRange> ranges_;   // by their first number
  std::map<std::string, std::string> shut_out_;  // actors, with the reasons
  std::uint64_t looks_ = 0;
  bool first_look_ = true;
  std::string net_file_;
  std::deque<std::string> kept_nets_;
  std::string orders_;  // as written
  std::uint64_t beat_ = 0;
  Clock::time_point next_report_{}, last_report_{};
  std::uint64_t stored_ = 0, dropped_ = 0, refused_ = 0, bytes_ = 0;  // in all
  std::string next_actor_;                                            // whose parts are taken first

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::pair<NetworkIdentity, std::string>>
      new_net_;                        // to be written; guarded by mutex_
  std::vector<std::string> messages_;  // guarded by mutex_
  std::exception_ptr failure_;         // guarded by mutex_
  bool stopping_ = false;              // guarded by mutex_
  std::optional<bool> run_ended_;      // end() was called; guarded by mutex_
  bool actors_end_ = false;            // they were told to; guarded by mutex_
  bool all_gone_ = false;              // no actor is left; guarded by mutex_
  std::thread thread_;
};

}  // namespace faultline
