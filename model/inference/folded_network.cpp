// Folding batch norms into convolutions.
#include "model/inference/folded_network.h"

#include <cmath>
#include <string>
#include <utility>

#include <c10/core/InferenceMode.h>

namespace faultline {
namespace {

/// Folds on the CPU in double precision, then converts.
class Folder {
 public:
  Folder(const NetworkWeights& weights, at::Device device, at::ScalarType type)
      : w_(weights), device_(device), type_(type) {}

  at::Tensor wide(const std::string& name) const { return w_[name].to(at::kDouble); }

  /// Kernel and bias of a convolution with its batch norm, as doubles.
  std::pair<at::Tensor, at::Tensor> folded(const std::string& conv, const std::string& norm) const {
    const auto gain = wide(norm + ".weight") / (wide(norm + ".var") + kBatchNormEpsilon).sqrt();
    return {wide(conv) * gain.view({-1, 1, 1, 1}),
            wide(norm + ".bias") - wide(norm + ".mean") * gain};
  }
  FoldedConv conv_norm(const std::string& conv, const std::string& norm) const {
    const auto [kernel, bias] = folded(conv, norm);
    return convolution(kernel, bias);
  }
  FoldedConv convolution(const at::Tensor& weight, const at::Tensor& bias) const {
    return {weight.to(device_, type_).contiguous(at::MemoryFormat::ChannelsLast),
            bias.to(device_, type_)};
  }
  at::Tensor plain(const at::Tensor& value) const {
    return value.to(device_, at::kFloat).contiguous();
  }
  FoldedLinear linear(const std::string& name) const {
    return {plain(wide(name + ".weight")), plain(wide(name + ".bias"))};
  }

 private:
  const NetworkWeights& w_;
  at::Device device_;
  at::ScalarType type_;
};

}  // namespace

FoldedNetwork fold(const NetworkWeights& weights, at::Device device, at::ScalarType type) {
  const c10::InferenceMode inference;
  const NetworkWeights host = weights.clone_to(at::kCPU);
  const Folder folder(host, device, type);

  FoldedNetwork net;
  net.encoding = weights.encoding();
  net.config = weights.config();
  net.stem = folder.conv_norm("stem.conv", "stem.norm");
  for (int i = 0; i < net.config.blocks; ++i) {
    const std::string name = "blocks." + std::to_string(i);
    FoldedBlock block{folder.conv_norm(name + ".conv1", name + ".norm1"),
                      folder.conv_norm(name + ".conv2", name + ".norm2"), std::nullopt};
    if (net.config.se_ratio > 0)
      block.squeeze_excite = {folder.linear(name + ".se.squeeze"),
                              folder.linear(name + ".se.excite")};
    net.blocks.push_back(std::move(block));
  }

  const double scale = 1.0 / std::sqrt(static_cast<double>(net.config.policy_dim));
  const auto value = folder.folded("value.conv", "value.norm");
  net.heads = folder.convolution(at::cat({folder.wide("policy.query.weight") * scale,
                                          folder.wide("policy.key.weight"), value.first}),
                                 at::cat({folder.wide("policy.query.bias") * scale,
                                          folder.wide("policy.key.bias"), value.second}));
  net.kind_queries = folder.plain(folder.wide("policy.kind_query") * scale);
  net.kind_biases = folder.plain(folder.wide("policy.kind_bias"));
  net.value_hidden = folder.linear("value.hidden");
  net.value_out = {
      folder.plain(
          at::cat({folder.wide("value.wdl.weight"), folder.wide("value.moves_left.weight")})),
      folder.plain(at::cat({folder.wide("value.wdl.bias"), folder.wide("value.moves_left.bias")}))};
  return net;
}

}  // namespace faultline
