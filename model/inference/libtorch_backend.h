// Inference by LibTorch operations on any device; each batch in flight has a stream of its own
// where the device has streams. Includes nothing of LibTorch.
#pragma once

#include <memory>
#include <string>

#include "model/inference/backend.h"
#include "model/inference/backend_registry.h"
#include "model/inference/folded_network.h"

namespace faultline {

/// `device`: see resolve_device in model/torch_compat.h. Convolutions compute in `precision`; what
/// follows them (move kinds, value) stays float. Throws std::invalid_argument for a device that is
/// not there.
std::shared_ptr<Backend> make_libtorch_backend(const FoldedNetwork& network,
                                               const std::string& device, Precision precision);

/// "libtorch": every device of resolve_device, fp32 and bf16.
void register_libtorch_backend(BackendRegistry& registry);

/// "cpu" and "libtorch": what programs that link LibTorch choose from.
const BackendRegistry& all_backends();

}  // namespace faultline
