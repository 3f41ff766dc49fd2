// Timing: which backend, precision and batch computes a network fastest on this machine.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/device_options.h"
#include "model/inference/backend_choice.h"
#include "model/inference/backend_registry.h"
#include "model/network_description.h"

namespace faultline {

/// What is to be chosen, and among what.
struct ProbeRequest {
  const BackendRegistry* backends = nullptr;
  NetworkDescription network = {};
  DeviceOptions options = {};                       // what they name is not chosen
  std::vector<Precision> precisions = {};           // that may be chosen
  std::optional<std::size_t> batch = std::nullopt;  // if it is given
  std::size_t largest_batch = 64;                   // that the caller can fill
  ProcessorFeatures processor = this_processor();   // for what is not timed in time
};

/// How it is timed.
struct ProbeTiming {
  /// The time for all candidates together, with making them, once the network has its random
  /// weights. No candidate is begun after it, so that it is exceeded only where one takes long.
  double seconds = 1.5;
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

struct ProbeRate {
  InferenceChoice choice = {};
  double positions_per_second = 0;
  friend bool operator==(const ProbeRate&, const ProbeRate&) = default;
};

struct ProbeResult {
  ProbeRate best = {};
  std::vector<ProbeRate> rates = {};  // of everything that was timed
  double seconds = 0;                 // that it took
  bool complete = true;               // all candidates were timed
  friend bool operator==(const ProbeResult&, const ProbeResult&) = default;
};

/// The batches to try on a device: powers of two that suit it, at most `largest`; at most half of
/// that where two batches are in flight, each with half of the games.
std::vector<std::size_t> probed_batches(const BackendAttributes& attributes, std::size_t largest);

/// Times one thread that computes a network of this shape with random weights. First every backend
/// and precision with one batch, beginning with choose_by_processor's, then the fastest of them
/// with the others; of two batches that are equally fast within the noise, the smaller one wins.
///
/// Only warm timings are compared: a network's first evaluation is slower than all others. Large
/// networks leave no time for batches of every candidate; they are then compared by single
/// positions, and choose_by_processor's choice stands if there is no time even for its second one.
///
/// A backend that cannot be made for this network is left out. Throws as backend_candidates does,
/// and what the last backend throws if none can be made.
ProbeResult probe_backends(const ProbeRequest& request, const ProbeTiming& timing = {});

/// A text with everything the result depends on besides the machine's load: processor,
/// candidates, network shape, `program` (its version and build).
std::string probe_key(const ProbeRequest& request, const std::string& program,
                      const std::string& processor);

}  // namespace faultline
