// A run's learner and actors with a NATS server between them instead of a folder. Both sides keep a
// post (post.h); what is here carries its files from the one to the other.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cluster/nats_place.h"
#include "cluster/post.h"
#include "cluster/spool_actor.h"
#include "record/config.h"
#include "selfplay/courier.h"
#include "selfplay/run_persistence.h"

namespace faultline {

struct NatsSettings {
  PostSettings post = {};
  std::chrono::milliseconds patience{2'000};  // with the server's answers
  std::chrono::milliseconds resend{
      15'000};  // a part that is not confirmed; then twice as long, and so on
  std::int64_t stream_bytes = 1 << 28;  // parts at the server; then actors wait
};

/// A FolderCourier that serves actors elsewhere, too. Waits for the server as long as for a learner
/// that may be alive. Throws RunError if another learner serves there, or the server refuses it.
/// `load_net`: see GameCheck. Config and persistence must outlive it.
std::unique_ptr<Courier> serve_over_nats(const Config& config, RunPersistence& persistence,
                                         const NatsPlace& place, LoadNet load_net,
                                         const NatsSettings& settings = {});

/// An actor's side: its post is a folder on this machine that is kept equal to the learner's.
class NatsSpool {
 public:
  virtual ~NatsSpool() = default;
  virtual const Post& post() const = 0;
  /// Why nothing is carried at the moment; "": something is.
  virtual std::string trouble() = 0;
  /// Throws RunError if the server or the learner refuses this process for good.
  virtual void check() = 0;
  /// Sends what is left, for some seconds at most, and ends. The number of parts that stay in the
  /// folder for the next actor that has it.
  virtual std::size_t finish() = 0;
};

/// `folder`: of this machine; its processes share it. Takes over what dead ones have left there.
std::unique_ptr<NatsSpool> join_over_nats(const NatsPlace& place,
                                          const std::filesystem::path& folder,
                                          const NatsSettings& settings = {});

/// The learner's next report, as learner.json has it. Throws RunError if none is heard in time.
nlohmann::json hear_report(const NatsPlace& place, const NatsSettings& settings = {});

}  // namespace faultline
