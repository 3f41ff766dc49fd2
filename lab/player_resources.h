// What the players of matches share.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "model/encoding/encoding.h"
#include "model/inference/backend_choice.h"
#include "model/inference/backend_registry.h"

namespace faultline {

class UciEnginePool;

/// What players are made of, kept from one match to the next: networks loaded on a device, and
/// engines' processes. Thread-safe.
class PlayerResources {
 public:
  /// `backends` must outlive it. What `options` leave to "auto" follows from the processor. Throws
  /// std::invalid_argument for a device that is missing, or that none of them runs on, also where
  /// no player needs it.
  PlayerResources(const BackendRegistry& backends, const DeviceOptions& options);
  ~PlayerResources();
  PlayerResources(const PlayerResources&) = delete;
  PlayerResources& operator=(const PlayerResources&) = delete;

  /// The checkpoint's network, loaded at the first call; in the precision of all nets unless one is
  /// given. Throws CheckpointError, and std::invalid_argument for a missing device or a precision
  /// that nothing computes in.
  std::shared_ptr<Backend> backend(const std::filesystem::path& net, const EncodingInfo& encoding,
                                   std::optional<Precision> precision = std::nullopt);
  /// `engine`: as PlayerSpec::engine. Throws UciSpecError, and SearcherFailure for a program that
  /// does not speak UCI.
  std::shared_ptr<UciEnginePool> engines(const std::string& engine, const std::string& variant);
  /// Sees to it that the machine can run up to `processes` of these, beside those that other
  /// matches have reserved, while the result lives. Throws MachineShortage if it cannot.
  std::shared_ptr<void> reserve(const std::shared_ptr<UciEnginePool>& engines, int processes);
  /// What a match has left of its openings for the next one with this key, which names their
  /// variant, source and seed; null if there is nothing, or another match has it. To draw them anew
  /// in every part of a long match would take longer from part to part.
  std::shared_ptr<void> take_openings(const std::string& key);
  /// Leaves them; `bytes`: the memory that they take. They are dropped if too much would be kept.
  void leave_openings(const std::string& key, std::shared_ptr<void> openings, std::size_t bytes);
  /// The number of positions that a batch should have.
  std::size_t best_batch() const { return choice_.batch; }

 private:
  const BackendRegistry* backends_;
  DeviceOptions options_;
  InferenceChoice choice_;  // of players without a precision of their own
  std::mutex mutex_;
  // By path or engine, and variant (and precision); guarded by mutex_.
  std::map<std::tuple<std::string, std::string, Precision>, std::shared_ptr<Backend>> networks_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<UciEnginePool>> engines_;
  struct KeptOpenings {
    std::shared_ptr<void> openings;
    std::size_t bytes = 0;
  };
  std::map<std::string, KeptOpenings> openings_;  // guarded by mutex_
  std::size_t opening_bytes_ = 0;                 // of all; guarded by mutex_
};

}  // namespace faultline
