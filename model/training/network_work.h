// What evaluating a position costs at least, from the network's description: operations and bytes.
#pragma once

#include "model/network_description.h"
#include "model/training/train_batch.h"

namespace faultline {

/// Per position.
struct NetworkWork {
  /// Multiplications and additions of the forward pass, without the policy's (few) products.
  double flops = 0;
  /// Values that every convolution reads and writes at least once, with bias, ReLU and the residual
  /// addition fused into it: times the precision's size, the fewest bytes through the device's
  /// memory. Weights are shared by the batch and left out.
  double activations = 0;
  /// Bytes from the host and to it: planes as floats, three indices and a logit per move, four
  /// values.
  double to_device = 0, from_device = 0;
};

/// `moves`: legal moves per position; `boards`: of those that the network sees, the ones that exist
/// (level_boards.h), per position.
NetworkWork network_work(const NetworkDescription& network, double moves, double boards);
/// The work of a network with the batch's means.
NetworkWork network_work(const NetworkDescription& network, const TrainBatch& batch);

}  // namespace faultline
