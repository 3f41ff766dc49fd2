// A device that takes the time of a device and computes nothing: for tests and measurements of what
// surrounds one.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "model/inference/backend.h"

namespace faultline {

struct SimulatedDevice {
  std::size_t floats = 64;  // of a position's planes
  std::size_t planes = 0;   // their number, if they are to be bits
  double rate = 1e6;  // positions per second, of which sizes between powers of two lose a part
  std::chrono::microseconds latency{30};  // of each batch, besides
  std::string name = "simulated:0";
  // What goes wrong, from which batch on, counted from 1; 0: never.
  std::uint64_t fails_at = 0;  // wait() throws
  std::uint64_t hangs_at = 0;  // the batch is never done
  std::uint64_t stuck_at = 0;  // submit() does not return before the backend is released
};

/// Asynchronous, one batch after another. A position's value logits are its first number, the
/// network's steps (see Backend::replace; 0 at first) and its last number (of bits, 0); the
/// moves-left output is 0, and a move's logit is its `from`.
class SimulatedBackend : public Backend {
 public:
  /// Ends submit() of a device that is stuck.
  virtual void release() = 0;
  /// So many batches were there at once, submitted and not waited for.
  virtual std::size_t most_in_flight() const = 0;
};
std::shared_ptr<SimulatedBackend> make_simulated_backend(const SimulatedDevice& device);

}  // namespace faultline
