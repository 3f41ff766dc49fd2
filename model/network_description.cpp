// Building the network's description, and the order of its tensors.
#include "model/network_description.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "model/encoding/attack_planes.h"

namespace faultline {
namespace {

using Visit = std::function<void(const TensorSpec&)>;

TensorSpec constant(std::string name, std::vector<std::int64_t> shape, double value) {
  return {std::move(name), std::move(shape), TensorRole::Plain, 0, value};
}

/// `gain`: the initial gains of the norm.
ConvolutionNormSpec convolution_norm(const std::string& conv, const std::string& norm,
                                     std::int64_t out, std::int64_t in, std::int64_t size,
                                     double gain = 1) {
  // He et al. 2015, for the ReLU that follows.
  const double std = std::sqrt(2.0 / static_cast<double>(in * size * size));
  return {.kernel = {conv, {out, in, size, size}, TensorRole::Weight, std, 0},
          .gain = constant(norm + ".weight", {out}, gain),
          .bias = constant(norm + ".bias", {out}, 0),
          .mean = {norm + ".mean", {out}, TensorRole::Mean, 0, 0},
          .variance = {norm + ".var", {out}, TensorRole::Variance, 0, 1}};
}

LinearSpec linear(const std::string& name, std::int64_t out, std::int64_t in, double std,
                  double bias = 0) {
  return {.weight = {name + ".weight", {out, in}, TensorRole::Weight, std, 0},
          .bias = constant(name + ".bias", {out}, bias)};
}

/// A linear layer that is applied to each cell: a 1x1 convolution.
LinearSpec cell_linear(const std::string& name, std::int64_t out, std::int64_t in, double std) {
  LinearSpec spec = linear(name, out, in, std);
  spec.weight.shape = {out, in, 1, 1};
  return spec;
}

StemSpec stem(const std::vector<BoardPlanes>& boards, const NetConfig& config) {
  const auto planes = static_cast<std::int64_t>(boards.front().size());
  const std::int64_t c = config.channels;
  StemSpec spec{.convolution = convolution_norm("stem.conv", "stem.norm", c, planes, 3),
                .exchange = std::nullopt};
  if (config.share_levels)
    spec.exchange =
        linear("stem.exchange", c, 3 * c, 0.5 / std::sqrt(3.0 * static_cast<double>(c)));
  return spec;
}

ResidualBlockSpec residual_block(const std::string& name, const NetConfig& config) {
  const std::int64_t c = config.channels;
  // A block starts as the identity (Goyal et al. 2017): a deep tower is then as stable at the start
  // as a shallow one, before its running statistics have settled.
  ResidualBlockSpec block{
      .first = convolution_norm(name + ".conv1", name + ".norm1", c, c, 3),
      .second = convolution_norm(name + ".conv2", name + ".norm2", c, c, 3, /*gain=*/0),
      .squeeze_excite = std::nullopt};
  if (config.se_ratio > 0) {
    const std::int64_t squeezed = std::max<std::int64_t>(1, c / config.se_ratio);
    block.squeeze_excite = {.squeeze = linear(name + ".se.squeeze", squeezed, c,
                                              std::sqrt(2.0 / static_cast<double>(c))),
                            .excite = linear(name + ".se.excite", 2 * c, squeezed,
                                             std::sqrt(1.0 / static_cast<double>(squeezed)))};
  }
  return block;
}

PolicyHeadSpec policy_head(const EncodingInfo& encoding, const NetConfig& config) {
  const int levels = config.share_levels ? 1 : encoding.levels;
  const std::int64_t c = config.channels, d = config.policy_dim, width = levels * d;
  const auto kinds = static_cast<std::int64_t>(encoding.policy_kinds.size());
  // Half the usual deviation: an untrained policy is then nearly uniform.
  const double std = 0.5 / std::sqrt(static_cast<double>(c));
  return {.query = cell_linear("policy.query", width, c, std),
          .key = cell_linear("policy.key", width, c, std),
          .kind_query = constant("policy.kind_query", {kinds, d}, 0),
          .kind_bias = constant("policy.kind_bias", {kinds}, 0),
          .dim = config.policy_dim,
          .levels = levels,
          .boards = encoding.levels / levels};
}

ValueHeadSpec value_head(const EncodingInfo& encoding, const NetConfig& config) {
  const std::int64_t seen = std::int64_t{config.value_channels} * encoding.cells();
  const std::int64_t hidden = config.value_hidden;
  const double out_std = 0.5 / std::sqrt(static_cast<double>(hidden));
  return {
      .convolution =
          convolution_norm("value.conv", "value.norm", config.value_channels, config.channels, 1),
      .hidden = linear("value.hidden", hidden, seen, std::sqrt(2.0 / static_cast<double>(seen))),
      .wdl = linear("value.wdl", 3, hidden, out_std),
      // softplus(3): about 60 plies.
      .moves_left = linear("value.moves_left", 1, hidden, out_std, 3)};
}

std::vector<BoardPlanes> boards(const EncodingInfo& encoding, const NetConfig& config) {
  if (config.share_levels) return level_boards(encoding);
  BoardPlanes all(encoding.planes.size());
  std::iota(all.begin(), all.end(), 0);
  return {all};
}

void visit_tensors(const ConvolutionNormSpec& spec, const Visit& visit) {
  for (const TensorSpec* t : {&spec.kernel, &spec.gain, &spec.bias, &spec.mean, &spec.variance})
    visit(*t);
}
void visit_tensors(const LinearSpec& spec, const Visit& visit) {
  visit(spec.weight);
  visit(spec.bias);
}
void visit_tensors(const StemSpec& spec, const Visit& visit) {
  visit_tensors(spec.convolution, visit);
  if (spec.exchange) visit_tensors(*spec.exchange, visit);
}
void visit_tensors(const ResidualBlockSpec& spec, const Visit& visit) {
  visit_tensors(spec.first, visit);
  visit_tensors(spec.second, visit);
  if (!spec.squeeze_excite) return;
  visit_tensors(spec.squeeze_excite->squeeze, visit);
  visit_tensors(spec.squeeze_excite->excite, visit);
}
void visit_tensors(const PolicyHeadSpec& spec, const Visit& visit) {
  visit_tensors(spec.query, visit);
  visit_tensors(spec.key, visit);
  visit(spec.kind_query);
  visit(spec.kind_bias);
}
void visit_tensors(const ValueHeadSpec& spec, const Visit& visit) {
  visit_tensors(spec.convolution, visit);
  visit_tensors(spec.hidden, visit);
  visit_tensors(spec.wdl, visit);
  visit_tensors(spec.moves_left, visit);
}

void check_limit(const char* field, std::size_t value, std::size_t most) {
  if (value < 1 || value > most)
    throw std::invalid_argument("encoding." + std::string(field) + " is " + std::to_string(value) +
                                "; it must lie between 1 and " + std::to_string(most));
}

/// The encoding may come from a file: its sizes must be such that no product of them overflows.
void check_sizes(const EncodingInfo& encoding) {
  const auto size = [](int value) { return static_cast<std::size_t>(std::max(value, 0)); };
  check_limit("height", size(encoding.height), 64);
  check_limit("width", size(encoding.width), 64);
  check_limit("levels", size(encoding.levels), 64);
  check_limit("planes", encoding.planes.size(), 4096);
  check_limit("policy_kinds", encoding.policy_kinds.size(), 65'536);
}

std::int64_t total(const std::vector<TensorSpec>& tensors) {
  return std::accumulate(tensors.begin(), tensors.end(), std::int64_t{0},
                         [](std::int64_t sum, const TensorSpec& t) { return sum + t.numel(); });
}

}  // namespace

std::int64_t TensorSpec::numel() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

void NetworkDescription::for_each_tensor(
    const std::function<void(const TensorSpec&)>& visit) const {
  for (const TrunkBlockSpec& block : trunk)
    std::visit([&](const auto& spec) { visit_tensors(spec, visit); }, block);
  visit_tensors(policy, visit);
  visit_tensors(value, visit);
}

NetworkDescription describe_network(const EncodingInfo& encoding, const NetConfig& config) {
  check_sizes(encoding);
  check(config);
  NetworkDescription net{.encoding = encoding,
                         .config = config,
                         .boards = boards(encoding, config),
                         .trunk = {},
                         .policy = policy_head(encoding, config),
                         .value = value_head(encoding, config)};
  net.config.attack_planes = has_attack_planes(encoding);
  net.trunk.emplace_back(stem(net.boards, config));
  for (int i = 0; i < config.blocks; ++i)
    net.trunk.emplace_back(residual_block("blocks." + std::to_string(i), config));
  return net;
}

std::int64_t NetworkLayout::parameter_count() const {
  return total(parameters);
}
std::int64_t NetworkLayout::statistic_count() const {
  return total(statistics);
}

NetworkLayout network_layout(const NetworkDescription& description) {
  NetworkLayout layout;
  std::vector<TensorSpec> plain;
  description.for_each_tensor([&](const TensorSpec& t) {
    switch (t.role) {
      case TensorRole::Weight:
        layout.decaying += t.numel();
        layout.parameters.push_back(t);
        break;
      case TensorRole::Plain:
        plain.push_back(t);
        break;
      case TensorRole::Mean:
      case TensorRole::Variance:
        layout.statistics.push_back(t);
        break;
    }
  });
  layout.parameters.insert(layout.parameters.end(), plain.begin(), plain.end());
  return layout;
}

}  // namespace faultline
