// One queue of batches for all threads that use a device: their batches are parts of larger ones,
// in which the device is fastest, and only one thread submits to it. Several devices have one queue
// each.
//
// A larger batch lies in a slot. A thread's batch reserves a range of an open slot, whose memory
// its inputs are written to and its outputs are read from. A slot closes when it is full, or, while
// its device is idle, a moment after its first reservation, and at once if nobody is left who could
// add to it. It then goes to the device as soon as all its ranges are written. There are as many
// slots as it takes, so that no thread waits for memory that another one holds.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/inference/backend.h"

namespace faultline {

/// Makes a device's backend for a network.
using MakeBackend = std::function<std::shared_ptr<Backend>(const FoldedNetwork&)>;

struct ServiceSettings {
  std::size_t slot = 1024;  // positions
  /// From a slot's first reservation until it is submitted to an idle device.
  std::chrono::microseconds patience{200};
  /// A device that takes longer for a batch is taken for dead.
  std::chrono::milliseconds longest{30'000};
};

/// What a device has done.
struct ServedBatches {
  std::uint64_t batches = 0, positions = 0;
};

/// A backend whose batches are parts of other backends' batches. Its network can be replaced while
/// batches are in flight: there are two backends per device, so that the weights of one are written
/// while the other computes, and a batch says which network computed it. The first error of a
/// device is thrown to all who wait, now and later.
class BatchService final : public Backend {
 public:
  /// One element of `devices` each. Throws what they throw.
  BatchService(std::vector<MakeBackend> devices, const FoldedNetwork& network,
               const NetworkIdentity& identity, const ServiceSettings& settings = {});
  /// All batches must be gone. A thread that a dead device holds is left behind.
  ~BatchService() override;

  const BackendAttributes& attributes() const override;
  std::unique_ptr<BackendBatch> make_batch() const override;
  void submit(BackendBatch& batch) override;
  void wait(BackendBatch& batch) override;
  bool is_done(const BackendBatch& batch) const override;
  /// For one thread at a time. Waits for batches with the network before the last, and no others.
  bool replace(const FoldedNetwork& network, const NetworkIdentity& identity) override;
  std::string describe() const override;

  /// By device.
  std::vector<ServedBatches> served() const;

 private:
  class Core;
  class Part;
  std::shared_ptr<Core> core_;  // the devices' threads have it, too
};

}  // namespace faultline
