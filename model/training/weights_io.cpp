// Network weights to and from checkpoint files.
#include "model/training/weights_io.h"

#include <c10/core/GradMode.h>

namespace faultline {

std::vector<float> to_floats(const at::Tensor& tensor) {
  const auto host = tensor.detach().to(at::kCPU, at::kFloat).contiguous();
  const float* data = host.data_ptr<float>();
  return {data, data + host.numel()};
}

void from_floats(const std::vector<float>& values, at::Tensor tensor) {
  const c10::NoGradGuard no_grad;
  const auto host = at::empty({static_cast<std::int64_t>(values.size())}, at::kFloat);
  std::ranges::copy(values, host.data_ptr<float>());
  tensor.copy_(host.view(tensor.sizes()));
}

void write_weights(CheckpointFile& file, const std::string& part, const NetworkWeights& weights) {
  file.arrays[part + "/parameters"] = to_floats(weights.parameters());
  file.arrays[part + "/statistics"] = to_floats(weights.statistics());
}

void read_weights(const CheckpointFile& file, const std::filesystem::path& path,
                  const std::string& part, NetworkWeights& weights) {
  const auto read = [&](const std::string& name, const at::Tensor& tensor) {
    from_floats(file.array(path, part + "/" + name, static_cast<std::size_t>(tensor.numel())),
                tensor);
  };
  read("parameters", weights.parameters());
  read("statistics", weights.statistics());
}

nlohmann::json layout_to_json(const NetworkLayout& layout) {
  const auto list = [](const std::vector<TensorSpec>& tensors) {
    auto json = nlohmann::json::array();
    for (const TensorSpec& t : tensors)
      json.push_back({{"name", t.name}, {"shape", t.shape}});
    return json;
  };
  return {{"parameters", list(layout.parameters)}, {"statistics", list(layout.statistics)}};
}

}  // namespace faultline
