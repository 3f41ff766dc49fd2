// Backends for networks that are folded already, such as those of bundles.
#pragma once

#include <memory>

#include "model/inference/backend_registry.h"

namespace faultline {

/// Makes a backend as BackendRegistry::create() does.
std::shared_ptr<Backend> make_backend(FoldedNetwork network, const BackendRegistry& backends,
                                      const BackendOptions& options);

}  // namespace faultline
