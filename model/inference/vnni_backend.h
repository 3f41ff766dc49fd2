// Inference in 8 bits with our own kernels, on processors with AVX-512 and VNNI.
#pragma once

#include <memory>

#include "base/processor_features.h"
#include "model/inference/backend.h"
#include "model/inference/folded_network.h"

namespace faultline {

/// Whether this build and this processor can.
bool has_vnni_backend();
/// The backend "cpu" in int8; `bf16_heads` as in VnniNetwork. Throws std::invalid_argument unless
/// network.ranges fit the network, std::runtime_error without has_vnni_backend().
std::shared_ptr<Backend> make_vnni_backend(const FoldedNetwork& network,
                                           bool bf16_heads = this_processor().avx512_bf16);

}  // namespace faultline
