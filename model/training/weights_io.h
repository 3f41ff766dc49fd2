// Network weights to and from checkpoint files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "model/checkpoint_file.h"
#include "model/training/network.h"

namespace faultline {

std::vector<float> to_floats(const at::Tensor& tensor);
/// Copies `values` over the tensor, which has as many elements.
void from_floats(const std::vector<float>& values, at::Tensor tensor);

/// Arrays "PART/parameters" and "PART/statistics".
void write_weights(CheckpointFile& file, const std::string& part, const NetworkWeights& weights);
/// Throws CheckpointError if they are missing or do not fit.
void read_weights(const CheckpointFile& file, const std::filesystem::path& path,
                  const std::string& part, NetworkWeights& weights);

/// Names and shapes of the network's tensors in the order in which the flat arrays hold them, for
/// whoever reads a checkpoint without this program.
nlohmann::json layout_to_json(const NetworkLayout& layout);

}  // namespace faultline
