// Folding batch norms into convolutions.
#include "model/inference/folded_network.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <Eigen/Core>

namespace faultline {
namespace {

/// A tensor with its first dimension as rows, all others as columns.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/// Weight [out, rest] and bias [out] during folding.
struct Affine {
  Matrix weight;
  Vector bias;
};

FloatTensor rounded(const Matrix& matrix, std::vector<std::int64_t> shape) {
  FloatTensor tensor{std::move(shape), std::vector<float>(static_cast<std::size_t>(matrix.size()))};
  Eigen::Map<Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      tensor.values.data(), matrix.rows(), matrix.cols()) = matrix.cast<float>();
  return tensor;
}

FloatTensor rounded(const Vector& vector) {
  FloatTensor tensor{{vector.size()}, std::vector<float>(static_cast<std::size_t>(vector.size()))};
  Eigen::Map<Eigen::VectorXf>(tensor.values.data(), vector.size()) = vector.cast<float>();
  return tensor;
}

/// Several, stacked vertically.
Affine stacked(std::span<const Affine> parts) {
  Eigen::Index rows = 0;
  for (const Affine& part : parts)
    rows += part.weight.rows();
  Affine all{Matrix(rows, parts.front().weight.cols()), Vector(rows)};
  Eigen::Index row = 0;
  for (const Affine& part : parts) {
    all.weight.middleRows(row, part.weight.rows()) = part.weight;
    all.bias.segment(row, part.bias.size()) = part.bias;
    row += part.weight.rows();
  }
  return all;
}

/// Finds tensors in the flat arrays and folds layers.
class Folder {
 public:
  explicit Folder(const NetworkValues& network) {
    const NetworkLayout layout = network_layout(network.description);
    cut(layout.parameters, network.parameters, "parameters");
    cut(layout.statistics, network.statistics, "statistics");
  }

  Matrix matrix(const TensorSpec& spec) const {
    const std::span<const float> values = values_.at(spec.name);
    const Eigen::Index rows = spec.shape.front();
    return Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
               values.data(), rows, static_cast<Eigen::Index>(values.size()) / rows)
        .cast<double>();
  }
  Vector vector(const TensorSpec& spec) const {
    const std::span<const float> values = values_.at(spec.name);
    return Eigen::Map<const Eigen::VectorXf>(values.data(),
                                             static_cast<Eigen::Index>(values.size()))
        .cast<double>();
  }

  Affine affine(const ConvolutionNormSpec& spec) const {
    const Vector gain =
        vector(spec.gain).array() / (vector(spec.variance).array() + kBatchNormEpsilon).sqrt();
    Affine folded{matrix(spec.kernel), vector(spec.bias) - vector(spec.mean).cwiseProduct(gain)};
    folded.weight.array().colwise() *= gain.array();
    return folded;
  }
  Affine affine(const LinearSpec& spec, double scale = 1) const {
    return {matrix(spec.weight) * scale, vector(spec.bias) * scale};
  }

  FoldedConvolution folded(const ConvolutionNormSpec& spec) const {
    const Affine values = affine(spec);
    return {rounded(values.weight, spec.kernel.shape), rounded(values.bias)};
  }
  static FoldedLinear linear(const Affine& values) {
    return {rounded(values.weight, {values.weight.rows(), values.weight.cols()}),
            rounded(values.bias)};
  }
  FoldedLinear folded(const LinearSpec& spec) const { return linear(affine(spec)); }

  FoldedTrunkBlock operator()(const StemSpec& spec) const {
    FoldedStem stem{folded(spec.convolution), std::nullopt};
    if (spec.exchange) stem.exchange = folded(*spec.exchange);
    return stem;
  }
  FoldedTrunkBlock operator()(const ResidualBlockSpec& spec) const {
    FoldedResidualBlock block{folded(spec.first), folded(spec.second), std::nullopt};
    if (spec.squeeze_excite)
      block.squeeze_excite = {folded(spec.squeeze_excite->squeeze),
                              folded(spec.squeeze_excite->excite)};
    return block;
  }

 private:
  void cut(const std::vector<TensorSpec>& tensors, std::span<const float> flat, const char* what) {
    std::size_t offset = 0;
    for (const TensorSpec& t : tensors) {
      const auto count = static_cast<std::size_t>(t.numel());
      if (count > flat.size() - offset)
        throw std::invalid_argument("network: " + std::to_string(flat.size()) + " " + what +
                                    " end before '" + t.name + "'");
      values_[t.name] = flat.subspan(offset, count);
      offset += count;
    }
    if (offset != flat.size())
      throw std::invalid_argument("network: " + std::to_string(flat.size()) + " " + what +
                                  "; its description has " + std::to_string(offset));
  }

  std::map<std::string, std::span<const float>> values_;
};

}  // namespace

FoldedNetwork fold(const NetworkValues& network) {
  const Folder folder(network);
  const NetworkDescription& description = network.description;
  const PolicyHeadSpec& policy = description.policy;
  const ValueHeadSpec& value = description.value;

  FoldedNetwork net;
  net.encoding = description.encoding;
  net.config = description.config;
  net.boards = description.boards;
  net.ranges = network.ranges;
  for (const TrunkBlockSpec& block : description.trunk)
    net.trunk.push_back(std::visit(folder, block));

  const double scale = 1.0 / std::sqrt(static_cast<double>(policy.dim));
  const Affine heads =
      stacked(std::vector<Affine>{folder.affine(policy.query, scale), folder.affine(policy.key),
                                  folder.affine(value.convolution)});
  net.heads = {rounded(heads.weight, {heads.weight.rows(), heads.weight.cols(), 1, 1}),
               rounded(heads.bias)};
  net.kind_queries =
      rounded(Matrix(folder.matrix(policy.kind_query) * scale), policy.kind_query.shape);
  net.kind_biases = rounded(folder.vector(policy.kind_bias));
  net.value_hidden = folder.folded(value.hidden);
  net.value_out = Folder::linear(
      stacked(std::vector<Affine>{folder.affine(value.wdl), folder.affine(value.moves_left)}));
  return net;
}

}  // namespace faultline
