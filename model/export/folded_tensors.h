// The names of a folded network's tensors, the same in every exported format.
#pragma once

#include <functional>
#include <string>

#include "model/inference/folded_network.h"

namespace faultline {

/// "stem.conv", "blocks.0.conv1", …: the prefix of the tensors of trunk block `index`.
std::string block_name(std::size_t index);

/// Calls `visit` with every tensor and its name ("blocks.0.conv1.weight"), in the order in which
/// the network uses them.
void for_each_tensor(FoldedNetwork& network,
                     const std::function<void(const std::string&, FloatTensor&)>& visit);
void for_each_tensor(const FoldedNetwork& network,
                     const std::function<void(const std::string&, const FloatTensor&)>& visit);

}  // namespace faultline
