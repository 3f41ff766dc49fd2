// The seam between encoded batches and whatever runs the network: LibTorch on a CPU or a GPU now;
// oneDNN and CUDA graphs can stand behind it later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/encoding/encoding.h"

namespace faultline {

/// What a backend keeps with a batch in flight.
struct BackendState {
  virtual ~BackendState() = default;
};

/// One batch, encoded. Inputs are filled by the caller, outputs by Backend::wait.
struct BackendBatch {
  // Inputs. planes: [count, planes, height, width] floats, row-major.
  std::size_t count = 0;
  std::vector<float> planes;
  std::vector<PolicyIndex> moves;         // all positions' legal moves, one after the other
  std::vector<std::uint32_t> first_move;  // count + 1 offsets into `moves`
  // Outputs. wdl: [count, 3] probabilities of win, draw, loss for the mover; moves_left: [count]
  // plies; priors: one a move, softmax over each position's moves.
  std::vector<float> wdl;
  std::vector<float> moves_left;
  std::vector<float> priors;

  std::unique_ptr<BackendState> state;
};

/// Safe for several threads, each with batches of its own.
class Backend {
 public:
  virtual ~Backend() = default;
  /// Starts the work; on a CPU it also finishes it.
  virtual void submit(BackendBatch& batch) = 0;
  /// Blocks until the outputs are there.
  virtual void wait(BackendBatch& batch) = 0;
  /// "libtorch cpu fp32, folded batch norms", for logs.
  virtual std::string describe() const = 0;
};

}  // namespace faultline
