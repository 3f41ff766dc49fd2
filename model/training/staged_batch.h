// A training batch in a device's memory. Includes ATen; for the .cpp files of this folder and its
// tests only.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/Event.h>

#include "model/network_description.h"
#include "model/training/network.h"
#include "model/training/train_batch.h"

namespace faultline {

/// Whatever the sizes of a batch's tensors depend on.
struct StagedShape {
  std::int64_t positions = 0;
  std::int64_t moves = 0;
  std::int64_t longest = 0;  // moves of a position, at most

  static StagedShape of(const TrainBatch& batch);
  /// With room for more moves, so that few shapes occur.
  StagedShape padded() const;
  std::strong_ordering operator<=>(const StagedShape&) const = default;
};

/// Memory for batches of one shape: a batch is written into pinned memory in the device's layout
/// and comes to the device by one copy, which is not waited for. Moves beyond a batch's own are
/// padding: their logits go to no table and have no gradient.
class StagedBatch {
 public:
  /// `numbers`: of floats that go along with each batch.
  StagedBatch(const NetworkDescription& network, StagedShape shape, std::int64_t numbers,
              at::Device device);

  /// Copies the batch on the current stream. Its planes, moves and targets must have been checked;
  /// throws std::invalid_argument if it does not fit the shape. Waits while the memory that it
  /// writes is still being copied from, two batches later.
  void write(const TrainBatch& batch, std::span<const float> numbers = {});

  /// On the device.
  const at::Tensor& planes() const { return planes_; }  // [positions, planes, height, width] float
  const MoveIndex& moves() const { return moves_; }
  const at::Tensor& policy() const { return policy_; }          // [moves] targets, 0 for padding
  const at::Tensor& wdl() const { return wdl_; }                // [positions, 3]
  const at::Tensor& moves_left() const { return moves_left_; }  // [positions]
  const at::Tensor& numbers() const { return numbers_; }
  /// TrunkOutput's of the batch that was written last.
  const at::Tensor& existing() const { return existing_; }

 private:
  struct Part {
    std::int64_t begin;  // in bytes
    std::vector<std::int64_t> shape;
    at::ScalarType type;
  };
  struct Host {
    at::Tensor bytes;
    c10::Event copied;
    bool in_use = false;
  };
  at::Tensor on_device(const Part& part) const;
  template <class T>
  T* on_host(const Part& part);

  const NetworkDescription* network_;
  StagedShape shape_;
  Part planes_part_, table_part_, policy_part_, wdl_part_, moves_left_part_, numbers_part_,
      existing_part_;
  std::array<Host, 2> hosts_;
  std::size_t next_ = 0;  // of hosts_
  at::Tensor bytes_;      // on the device
  at::Tensor planes_, policy_, wdl_, moves_left_, numbers_, existing_;
  MoveIndex moves_;
};

/// Returns once `event` has happened, asking every 50 µs: waiting in LibTorch would keep a core
/// busy.
void wait_for(const c10::Event& event);

}  // namespace faultline
