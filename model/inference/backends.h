// The two ways in which make_backend.h runs a network, and what they share. Includes ATen; for
// this folder's .cpp files and its tests only.
#pragma once

#include <memory>
#include <span>

#include "model/inference/backend.h"
#include "model/inference/folded_network.h"

namespace faultline {

/// The hand-written kernels of convolution.h and head_kernels.h, in floats. Each calling thread
/// computes alone. `network` must be folded for the CPU and float.
std::shared_ptr<Backend> make_cpu_backend(FoldedNetwork network);

/// LibTorch operations on any device; each batch in flight has a stream of its own where the
/// device has streams.
std::shared_ptr<Backend> make_device_backend(FoldedNetwork network);

/// Checks a batch's inputs against the encoding. Throws std::invalid_argument that names the part.
void check_inputs(const BackendBatch& batch, const EncodingInfo& encoding);
/// Turns `raw` ([count, 4]: value logits and moves left before its softplus) into wdl and
/// moves_left, and the logits in `priors` into probabilities.
void finish_outputs(BackendBatch& batch, std::span<const float> raw);

}  // namespace faultline
