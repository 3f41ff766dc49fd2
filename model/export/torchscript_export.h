// A network as a TorchScript module, which LibTorch and Python's torch load without this program.
#pragma once

#include <string>

#include "model/export/export_options.h"
#include "model/inference/folded_network.h"

namespace faultline {

/// The bytes of a .pt file for torch::jit::load. Its forward takes the inputs and returns the
/// outputs that docs/export.md lists, for any batch and on any device. Throws ExportError for
/// options with a fixed batch.
std::string write_torchscript(const FoldedNetwork& network, const ExportOptions& options,
                              const ExportMetadata& metadata);

}  // namespace faultline
