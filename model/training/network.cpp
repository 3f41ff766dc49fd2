// The network's tensors and its forward pass for training.
#include "model/training/network.h"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>

#include "model/training/policy_dots.h"

namespace faultline {
namespace {

using Shape = std::vector<std::int64_t>;

/// Collects a layout; the names here are the names in checkpoints.
class LayoutBuilder {
 public:
  void convolution(const std::string& name, std::int64_t out, std::int64_t in, std::int64_t size) {
    // He et al. 2015, for the ReLU that follows.
    weight(name, {out, in, size, size}, std::sqrt(2.0 / static_cast<double>(in * size * size)));
  }
  void batch_norm(const std::string& name, std::int64_t channels, double gain = 1) {
    constant(name + ".weight", {channels}, gain);
    constant(name + ".bias", {channels}, 0);
    statistics_.push_back({name + ".mean", {channels}, 0, 0, false});
    statistics_.push_back({name + ".var", {channels}, 0, 1, false});
  }
  void linear(const std::string& name, std::int64_t out, std::int64_t in, double std) {
    weight(name + ".weight", {out, in}, std);
    constant(name + ".bias", {out}, 0);
  }
  void weight(const std::string& name, Shape shape, double std) {
    decaying_.push_back({name, std::move(shape), std, 0, true});
  }
  void constant(const std::string& name, Shape shape, double value) {
    others_.push_back({name, std::move(shape), 0, value, false});
  }

  NetworkLayout build() && {
    NetworkLayout layout;
    for (const TensorSpec& t : decaying_)
      layout.decaying += t.numel();
    layout.parameters = std::move(decaying_);
    layout.parameters.insert(layout.parameters.end(), others_.begin(), others_.end());
    layout.statistics = std::move(statistics_);
    return layout;
  }

 private:
  std::vector<TensorSpec> decaying_, others_, statistics_;
};

std::int64_t total(const std::vector<TensorSpec>& tensors) {
  return std::accumulate(tensors.begin(), tensors.end(), std::int64_t{0},
                         [](std::int64_t sum, const TensorSpec& t) { return sum + t.numel(); });
}

/// One network at work: its weights and the mode, so that the levels below read like the paper.
class Forward {
 public:
  Forward(const NetworkWeights& weights, bool training, double momentum)
      : w_(weights), training_(training), momentum_(momentum) {}

  at::Tensor conv_norm(const at::Tensor& x, const std::string& conv,
                       const std::string& norm) const {
    const at::Tensor& kernel = w_[conv];
    const auto padding = kernel.size(2) / 2;
    const auto y = at::conv2d(x, kernel, {}, 1, padding);
    return at::batch_norm(y, w_[norm + ".weight"], w_[norm + ".bias"], w_[norm + ".mean"],
                          w_[norm + ".var"], training_, momentum_, kBatchNormEpsilon, true);
  }
  at::Tensor linear(const at::Tensor& x, const std::string& name) const {
    return at::linear(x, w_[name + ".weight"], w_[name + ".bias"]);
  }
  at::Tensor squeeze_excite(const at::Tensor& x, const std::string& name) const {
    const auto channels = x.size(1);
    const auto squeezed = linear(x.mean({2, 3}), name + ".squeeze").relu();
    const auto gates = linear(squeezed, name + ".excite").view({-1, 2 * channels, 1, 1});
    const auto parts = gates.split(channels, 1);
    return parts[0].sigmoid() * x + parts[1];
  }
  at::Tensor block(const at::Tensor& x, const std::string& name) const {
    auto y = conv_norm(x, name + ".conv1", name + ".norm1").relu();
    y = conv_norm(y, name + ".conv2", name + ".norm2");
    if (w_.config().se_ratio > 0) y = squeeze_excite(y, name + ".se");
    return (y + x).relu();
  }
  /// [batch * places, d]: a 1x1 convolution's outputs, place by place.
  at::Tensor place_vectors(const at::Tensor& x, const std::string& name) const {
    const auto y = at::conv2d(x, w_[name + ".weight"], w_[name + ".bias"]);
    return y.permute({0, 2, 3, 1}).reshape({-1, w_.config().policy_dim});
  }

 private:
  const NetworkWeights& w_;
  bool training_;
  double momentum_;
};

}  // namespace

std::int64_t TensorSpec::numel() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}
std::int64_t NetworkLayout::parameter_count() const {
  return total(parameters);
}
std::int64_t NetworkLayout::statistic_count() const {
  return total(statistics);
}

NetworkLayout network_layout(const EncodingInfo& encoding, const NetConfig& config) {
  check(config);
  LayoutBuilder net;
  const std::int64_t c = config.channels;
  net.convolution("stem.conv", c, encoding.plane_count(), 3);
  net.batch_norm("stem.norm", c);
  for (int i = 0; i < config.blocks; ++i) {
    const std::string block = "blocks." + std::to_string(i);
    net.convolution(block + ".conv1", c, c, 3);
    net.batch_norm(block + ".norm1", c);
    net.convolution(block + ".conv2", c, c, 3);
    // A block starts as the identity (Goyal et al. 2017): a deep tower then starts as calm as a
    // shallow one, before its running statistics mean anything.
    net.batch_norm(block + ".norm2", c, 0);
    if (config.se_ratio > 0) {
      const std::int64_t squeezed = std::max<std::int64_t>(1, c / config.se_ratio);
      net.linear(block + ".se.squeeze", squeezed, c, std::sqrt(2.0 / static_cast<double>(c)));
      net.linear(block + ".se.excite", 2 * c, squeezed,
                 std::sqrt(1.0 / static_cast<double>(squeezed)));
    }
  }
  // Half of the usual deviation for queries and keys: an untrained policy is then near uniform.
  const std::int64_t d = config.policy_dim;
  const double policy_std = 0.5 / std::sqrt(static_cast<double>(c));
  for (const std::string name : {"policy.query", "policy.key"}) {
    net.weight(name + ".weight", {encoding.levels * d, c, 1, 1}, policy_std);
    net.constant(name + ".bias", {encoding.levels * d}, 0);
  }
  const auto kinds = static_cast<std::int64_t>(encoding.policy_kinds.size());
  net.constant("policy.kind_query", {kinds, d}, 0);
  net.constant("policy.kind_bias", {kinds}, 0);
  net.convolution("value.conv", config.value_channels, c, 1);
  net.batch_norm("value.norm", config.value_channels);
  const std::int64_t seen = static_cast<std::int64_t>(config.value_channels) * encoding.cells();
  net.linear("value.hidden", config.value_hidden, seen, std::sqrt(2.0 / static_cast<double>(seen)));
  const double out_std = 0.5 / std::sqrt(static_cast<double>(config.value_hidden));
  net.linear("value.wdl", 3, config.value_hidden, out_std);
  net.weight("value.moves_left.weight", {1, config.value_hidden}, out_std);
  net.constant("value.moves_left.bias", {1}, 3);  // about 60 plies
  return std::move(net).build();
}

NetworkWeights::NetworkWeights(EncodingInfo encoding, NetConfig config, at::Device device)
    : encoding_(std::move(encoding)),
      config_(config),
      layout_(network_layout(encoding_, config_)),
      parameters_(at::zeros({layout_.parameter_count()}, at::device(device).dtype(at::kFloat))),
      statistics_(at::zeros({layout_.statistic_count()}, at::device(device).dtype(at::kFloat))) {
  const auto cut = [this](const std::vector<TensorSpec>& tensors, const at::Tensor& flat) {
    std::int64_t offset = 0;
    for (const TensorSpec& t : tensors) {
      views_[t.name] = flat.narrow(0, offset, t.numel()).view(t.shape).detach();
      offset += t.numel();
    }
  };
  cut(layout_.parameters, parameters_);
  cut(layout_.statistics, statistics_);
}

void NetworkWeights::initialise(std::uint64_t seed) {
  const c10::NoGradGuard no_grad;
  auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  const auto draw = [&](const std::vector<TensorSpec>& tensors) {
    for (const TensorSpec& t : tensors) {
      auto value = at::full(t.shape, t.init_mean, at::kFloat);
      if (t.init_std > 0) value.normal_(t.init_mean, t.init_std, generator);
      views_.at(t.name).copy_(value);
    }
  };
  draw(layout_.parameters);
  draw(layout_.statistics);
}

NetworkWeights NetworkWeights::clone_to(at::Device device) const {
  const c10::NoGradGuard no_grad;
  NetworkWeights copy(encoding_, config_, device);
  copy.parameters_.copy_(parameters_);
  copy.statistics_.copy_(statistics_);
  return copy;
}

at::Tensor NetworkWeights::require_gradients() {
  auto gradient = at::zeros_like(parameters_);
  std::int64_t offset = 0;
  for (const TensorSpec& t : layout_.parameters) {
    at::Tensor& view = views_.at(t.name);
    view.set_requires_grad(true);
    // Autograd adds into a gradient that is already there, so the flat tensor fills in place.
    view.mutable_grad() = gradient.narrow(0, offset, t.numel()).view(t.shape);
    offset += t.numel();
  }
  return gradient;
}

NetworkOutput forward(const NetworkWeights& weights, const at::Tensor& planes, bool training,
                      double momentum) {
  const Forward net(weights, training, momentum);
  auto x = planes.contiguous(at::MemoryFormat::ChannelsLast);
  x = net.conv_norm(x, "stem.conv", "stem.norm").relu();
  for (int i = 0; i < weights.config().blocks; ++i)
    x = net.block(x, "blocks." + std::to_string(i));

  NetworkOutput out;
  out.queries = net.place_vectors(x, "policy.query");
  out.keys = net.place_vectors(x, "policy.key");
  // Cells outermost, channels innermost: the order in which channels-last memory lies.
  const auto seen = net.conv_norm(x, "value.conv", "value.norm").relu();
  const auto hidden = net.linear(seen.permute({0, 2, 3, 1}).flatten(1), "value.hidden").relu();
  out.wdl_logits = net.linear(hidden, "value.wdl");
  out.moves_left = at::softplus(net.linear(hidden, "value.moves_left")).squeeze(1);
  return out;
}

MoveIndex move_index(std::span<const PolicyIndex> moves, std::span<const std::uint32_t> first_move,
                     int places, at::Device device) {
  MoveIndex index;
  index.batch = static_cast<std::int64_t>(first_move.size()) - 1;
  const auto count = static_cast<std::int64_t>(moves.size());
  for (std::size_t i = 0; i + 1 < first_move.size(); ++i)
    index.longest = std::max<std::int64_t>(index.longest, first_move[i + 1] - first_move[i]);

  auto table = at::empty({4, count}, at::kLong);
  auto* from = table.data_ptr<std::int64_t>();
  auto* to = from + count;
  auto* kind = to + count;
  auto* padded = kind + count;
  std::int64_t m = 0;
  for (std::int64_t i = 0; i < index.batch; ++i) {
    const auto end = static_cast<std::int64_t>(first_move[static_cast<std::size_t>(i) + 1]);
    for (std::int64_t column = 0; m < end; ++m, ++column) {
      const PolicyIndex& move = moves[static_cast<std::size_t>(m)];
      from[m] = i * places + move.from;
      to[m] = i * places + move.to;
      kind[m] = move.kind;
      padded[m] = i * index.longest + column;
    }
  }
  table = table.to(device);
  index.from = table[0];
  index.to = table[1];
  index.kind = table[2];
  index.padded = table[3];
  return index;
}

at::Tensor policy_logits_by_gathers(const NetworkWeights& weights, const NetworkOutput& out,
                                    const MoveIndex& moves) {
  const auto queries = out.queries.index_select(0, moves.from) +
                       weights["policy.kind_query"].index_select(0, moves.kind);
  const auto keys = out.keys.index_select(0, moves.to);
  const double scale = 1.0 / std::sqrt(static_cast<double>(weights.config().policy_dim));
  return (queries * keys).sum(1) * scale + weights["policy.kind_bias"].index_select(0, moves.kind);
}

at::Tensor policy_logits(const NetworkWeights& weights, const NetworkOutput& out,
                         const MoveIndex& moves) {
  if (!out.queries.is_cpu()) return policy_logits_by_gathers(weights, out, moves);
  return policy_dots(out.queries, out.keys, weights["policy.kind_query"],
                     weights["policy.kind_bias"], moves);
}

at::Tensor policy_log_softmax(const at::Tensor& logits, const MoveIndex& moves) {
  constexpr double kNoMove = -1e30;
  const auto table = at::full({moves.batch * moves.longest}, kNoMove, logits.options())
                         .scatter(0, moves.padded, logits);
  return at::log_softmax(table.view({moves.batch, moves.longest}), 1);
}

}  // namespace faultline
