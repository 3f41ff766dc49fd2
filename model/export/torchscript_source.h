// The source of the TorchScript module, a text: no LibTorch.
#pragma once

#include <string>

#include "model/export/export_options.h"
#include "model/inference/folded_network.h"

namespace faultline {

/// "blocks_0_conv1_weight" for "blocks.0.conv1.weight": the module's attribute that holds a tensor.
std::string attribute_name(std::string tensor);

/// Whether a tensor belongs to a convolution, which is computed in the file's precision.
bool is_convolution(const FloatTensor& tensor, const std::string& name);

/// `def forward(self, …)`.
std::string torchscript_source(const FoldedNetwork& network, PolicyForm policy);

}  // namespace faultline
