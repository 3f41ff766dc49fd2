// The actors of one process that play for a learner elsewhere, through its post.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>

#include "base/progress_line.h"
#include "cluster/claimed_numbers.h"
#include "cluster/part_writer.h"
#include "cluster/post.h"
#include "cluster/terms.h"
#include "selfplay/actor_counts.h"
#include "selfplay/actor_links.h"
#include "selfplay/local_links.h"
#include "selfplay/run_threads.h"
#include "strategy/strategy.h"

namespace faultline {

/// Reads a network that the learner has written (RunTrainer::playing_file). Throws what says why it
/// cannot be read.
using LoadNet = std::function<PlayingNet(const std::filesystem::path&)>;

enum class ActorEnd : std::uint8_t {
  Run,       // the run is done, or somebody asked for it
  Signal,    // StopSignals were requested
  NewTerms,  // the run goes on with other terms: begin anew with these
};

/// Plays with the newest network that is here; networks are read beside playing. In a deterministic
/// run it plays each game with the network that its number is for. Where the learner is gone, plays
/// its numbers out and waits.
class SpoolActor {
 public:
  /// `terms`: whose configuration says with what this process plays. All references must outlive
  /// it. `out`: for progress; `terminal`: that is one. `trouble`: why nothing reaches the learner,
  /// if something else than a folder lies between; "": it does.
  SpoolActor(const Post& post, const RunTerms& terms, LoadNet load_net, std::ostream& out,
             bool terminal, const PostSettings& settings = {},
             std::function<std::string()> trouble = {});

  /// Rethrows an actor's exception. Throws RunError if the learner shuts this one out.
  ActorEnd run(int threads, const RunThreads& run_threads);

 private:
  using Clock = std::chrono::steady_clock;

  void play();        // the body of an actor's thread
  void look_after();  // the body of the calling thread
  void turn();
  void read_orders();
  void read_what_is_asked();
  void take_loaded_net();
  void give_orders();
  void claim();
  void check_claims();
  void write_beat(bool ended);
  void end(ActorEnd why);
  /// Why nothing is played; "": something is.
  std::string reason_to_wait();
  /// ": " and the trouble, if there is one.
  std::string because_of_trouble() const;
  void report();

  /// Whether the run is deterministic.
  bool in_rounds() const { return terms_->config.run.deterministic; }
  /// Whether these games are for the network that is here.
  bool can_play(const NumberRange& range) {
    return range.net == (in_rounds() ? nets_.newest().identity : NetworkIdentity{});
  }
  std::filesystem::path claim_file(const NumberRange& range) const {
    return folder_ / range_name(range);
  }

  const Post post_;
  const RunTerms* terms_;
  const LoadNet load_net_;
  const PostSettings settings_;
  const std::function<std::string()> trouble_;
  const std::string name_;
  const std::filesystem::path folder_;
  std::optional<StrategyText> strategy_;
  ProgressLine line_;

  OrderBoard orders_;
  NetBoard nets_;
  ClaimedNumbers numbers_;
  PartWriter writer_;
  ActorCounts counts_;
  int threads_ = 0;
  std::atomic<int> playing_{0};  // threads
  std::mutex mutex_;
  std::exception_ptr failure_;  // an actor's; guarded by mutex_

  // Of the calling thread.
  std::uint64_t epoch_ = 0;                    // the highest that was seen
  std::string wanted_net_;                     // its file's name
  std::string loading_, loaded_, unreadable_;  // likewise
  // Not std::async: with oneDNN and another LibTorch than Debian's in the process, a program's own
  // copy of the standard library's futures crashed (docs/research/gpu.md).
  PlayingNet net_;            // of the reader, until it has read
  std::exception_ptr error_;  // the same
  std::atomic<bool> read_ = false;
  std::jthread reader_;  // while a network is read
  bool paused_ = false;  // by the learner
  bool draining_ = false;
  std::optional<ActorEnd> end_;
  std::string shut_out_;  // why, by the learner; "": it is not
  Watch learner_;
  std::string learner_place_;
  double rate_ = 0;  // numbers that are taken in a turn
  std::minstd_rand rng_{std::random_device{}()};
  std::uint64_t beat_ = 0;
  Clock::time_point next_beat_{};
  std::string waits_;  // the reason that was said last
  Clock::time_point started_ = Clock::now();
};

}  // namespace faultline
