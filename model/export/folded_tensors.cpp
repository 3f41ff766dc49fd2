// The walk over a folded network's tensors.
#include "model/export/folded_tensors.h"

#include <cstddef>
#include <variant>

namespace faultline {
namespace {

using Visit = std::function<void(const std::string&, FloatTensor&)>;

/// A convolution or a linear layer.
template <class Layer>
void visit_layer(const std::string& name, Layer& layer, const Visit& visit) {
  visit(name + ".weight", layer.weight);
  visit(name + ".bias", layer.bias);
}

struct BlockVisitor {
  const std::string& name;
  const Visit& visit;
  void operator()(FoldedStem& stem) const {
    visit_layer(name + ".conv", stem.convolution, visit);
    if (stem.exchange) visit_layer(name + ".exchange", *stem.exchange, visit);
  }
  void operator()(FoldedResidualBlock& block) const {
    visit_layer(name + ".conv1", block.first, visit);
    visit_layer(name + ".conv2", block.second, visit);
    if (!block.squeeze_excite) return;
    visit_layer(name + ".se.squeeze", block.squeeze_excite->squeeze, visit);
    visit_layer(name + ".se.excite", block.squeeze_excite->excite, visit);
  }
};

}  // namespace

std::string block_name(std::size_t index) {
  return index == 0 ? "stem" : "blocks." + std::to_string(index - 1);
}

void for_each_tensor(FoldedNetwork& network, const Visit& visit) {
  for (std::size_t i = 0; i < network.trunk.size(); ++i) {
    const std::string name = block_name(i);
    std::visit(BlockVisitor{name, visit}, network.trunk[i]);
  }
  visit_layer("heads", network.heads, visit);
  visit("policy.kind_queries", network.kind_queries);
  visit("policy.kind_biases", network.kind_biases);
  visit_layer("value.hidden", network.value_hidden, visit);
  visit_layer("value.out", network.value_out, visit);
}

void for_each_tensor(const FoldedNetwork& network,
                     const std::function<void(const std::string&, const FloatTensor&)>& visit) {
  // The walk itself changes nothing.
  for_each_tensor(const_cast<FoldedNetwork&>(network),
                  [&](const std::string& name, FloatTensor& tensor) { visit(name, tensor); });
}

}  // namespace faultline
