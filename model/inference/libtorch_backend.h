// Inference with LibTorch operations on any device; each batch in flight has its own stream if the
// device has streams. Includes no LibTorch headers.
#pragma once

#include <memory>
#include <string>

#include "model/inference/backend.h"
#include "model/inference/backend_registry.h"
#include "model/inference/folded_network.h"

namespace faultline {

/// `device`: see resolve_device in model/torch_compat.h. Convolutions compute in `precision`; what
/// follows them (move kinds, value) stays in fp32. Throws std::invalid_argument for a device that
/// is absent.
std::shared_ptr<Backend> make_libtorch_backend(const FoldedNetwork& network,
                                               const std::string& device, Precision precision);

/// "libtorch": every device of resolve_device, fp32 and bf16. On a CPU, where the other backends
/// are faster, it must be named.
void register_libtorch_backend(BackendRegistry& registry);

/// cpu_backends() and "libtorch": for programs that link LibTorch.
const BackendRegistry& all_backends();

}  // namespace faultline
