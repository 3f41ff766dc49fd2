// The heads after their convolution, for the backends that compute on the thread that submits a
// batch.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/inference/backend.h"
#include "model/inference/folded_network.h"
#include "model/inference/head_kernels.h"

namespace faultline {

/// A batch in ordinary memory.
class HostBatch : public BackendBatch {
 public:
  using BackendBatch::check_inputs;

 protected:
  using BackendBatch::BackendBatch;

 private:
  friend class NetworkHeads;
  std::span<float> allocate_planes(std::size_t floats) override {
    if (planes_.size() < floats) planes_.resize(floats);
    return planes_;
  }
  std::vector<float> planes_;
  // Of the value head: for all boards of all positions, then for all positions.
  std::vector<float> seen_, hidden_, summed_, raw_;
  std::vector<std::size_t> boards_;  // by position
  std::size_t all_boards_ = 0;       // their sum
};

/// Never modified after its construction.
class NetworkHeads {
 public:
  explicit NetworkHeads(const FoldedNetwork& network);

  /// Call before the first position of a batch is read.
  void begin(HostBatch& batch) const;
  /// `heads`: the convolution's results for the `boards` boards that exist in a position, whose
  /// cells lie as `places` says and each hold the channels of FoldedNetwork::heads. To be called
  /// for one position after the other.
  void read(HostBatch& batch, std::size_t position, std::size_t boards, const CellPlaces& places,
            const float* heads) const;
  /// Computes the batch's outputs; to be called after all positions. Throws what
  /// BackendBatch::finish_outputs does.
  void finish(HostBatch& batch) const;

 private:
  std::size_t height_, width_, boards_;
  PolicyHead policy_;
  std::size_t value_begin_;  // the first channel of the value head
  std::size_t value_channels_;
  DenseLayer value_hidden_, value_out_;
};

}  // namespace faultline
