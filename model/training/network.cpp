// The network's values as tensors and its forward pass for training.
#include "model/training/network.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <tuple>
#include <variant>

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>

#include "model/training/flat_tensors.h"
#include "model/training/norm_kernels.h"
#include "model/training/norm_relu.h"

namespace faultline {
namespace {

/// A forward pass: the weights and the mode, so that the layers below read like the paper.
class Forward {
 public:
  Forward(const NetworkWeights& weights, ForwardMode mode) : w_(weights), mode_(mode) {}

  at::Tensor convolve(const ConvolutionNormSpec& spec, const at::Tensor& x) const {
    const auto kernel = w_.in(mode_.type, spec.kernel, mode_.training);
    return at::conv2d(x, kernel, {}, 1, kernel.size(2) / 2);
  }
  at::Tensor norm(const ConvolutionNormSpec& spec, const at::Tensor& x) const {
    return at::batch_norm(x, w_[spec.gain], w_[spec.bias], w_[spec.mean], w_[spec.variance],
                          mode_.training, kBatchNormMomentum, kBatchNormEpsilon, true);
  }
  BatchNormTensors tensors(const ConvolutionNormSpec& spec) const {
    return {w_[spec.gain], w_[spec.bias], w_[spec.mean], w_[spec.variance]};
  }
  /// relu(norm(kernel * x) + residual), the residual may be undefined.
  at::Tensor apply(const ConvolutionNormSpec& spec, const at::Tensor& x,
                   const at::Tensor& residual = {}) const {
    const auto y = convolve(spec, x);
    if (mode_.training) return norm_relu(y, tensors(spec), residual);
    const auto normed = norm(spec, y);
    return (residual.defined() ? normed + residual : normed).relu();
  }
  at::Tensor apply(const LinearSpec& spec, const at::Tensor& x) const {
    return at::linear(x, w_[spec.weight], w_[spec.bias]);
  }
  at::Tensor apply(const SqueezeExciteSpec& spec, const at::Tensor& x) const {
    const auto channels = x.size(1);
    const auto squeezed = apply(spec.squeeze, x.mean({2, 3}, false, at::kFloat)).relu();
    const auto gates =
        apply(spec.excite, squeezed).view({-1, 2 * channels, 1, 1}).split(channels, 1);
    return gates[0].sigmoid().to(mode_.type) * x + gates[1].to(mode_.type);
  }
  void apply(const StemSpec& spec, TrunkOutput& out) const {
    out.x = apply(spec.convolution, out.x);
    if (!spec.exchange) return;
    const auto channels = out.x.size(1);
    const auto means =
        all_boards(out.x.mean({2, 3}, false, at::kFloat), out).view({-1, boards(), channels});
    const auto count = all_boards(at::ones_like(out.existing, at::kFloat).view({-1, 1}), out)
                           .view({-1, boards(), 1})
                           .sum(1, true);
    // A board of zeroes before the first and after the last: those above begin at 0, below at 2.
    const auto padded = at::constant_pad_nd(means, {0, 0, 1, 1});
    const auto seen = at::cat({padded.narrow(1, 0, boards()), padded.narrow(1, 2, boards()),
                               (means.sum(1, true) / count).expand_as(means)},
                              2)
                          .flatten(0, 1)
                          .index_select(0, out.existing);
    const auto offsets = apply(*spec.exchange, seen).view({-1, channels, 1, 1});
    out.x = (out.x + offsets.to(mode_.type)).relu();
  }
  void apply(const ResidualBlockSpec& spec, TrunkOutput& out) const { out.x = apply(spec, out.x); }
  at::Tensor apply(const ResidualBlockSpec& spec, const at::Tensor& x) const {
    const auto y = apply(spec.first, x);
    if (!spec.squeeze_excite) return apply(spec.second, y, x);
    const auto z = convolve(spec.second, y);
    if (mode_.training && norm_kernels_fit(z)) {
      const SqueezeExciteSpec& layers = *spec.squeeze_excite;
      return norm_squeeze_excite_by_kernels(z, tensors(spec.second), x,
                                            {w_[layers.squeeze.weight], w_[layers.squeeze.bias],
                                             w_[layers.excite.weight], w_[layers.excite.bias]});
    }
    return apply(*spec.squeeze_excite, norm(spec.second, z)).add_(x).relu_();
  }
  void apply(const PolicyHeadSpec&, const TrunkOutput& trunk, NetworkOutput& out) const {
    const at::Tensor& x = trunk.x;
    const auto cells = x.permute({0, 2, 3, 1}).reshape({-1, x.size(1)});  // no copy: channels last
    const auto weight = w_.policy_weight(mode_.type, mode_.training).flatten(1);
    const auto bias = w_.policy_bias(mode_.type, mode_.training);
    const auto vectors = at::addmm(bias, cells, weight.t()).to(at::kFloat);
    out.policy_vectors =
        all_boards(vectors.view({x.size(0), -1}), trunk).view({-1, vectors.size(1)});
  }
  void apply(const ValueHeadSpec& spec, const TrunkOutput& trunk, NetworkOutput& out) const {
    // Cells outermost, channels innermost: the channels-last memory order.
    const auto seen = apply(spec.convolution, trunk.x).to(at::kFloat);
    auto hidden = apply(spec.hidden, seen.permute({0, 2, 3, 1}).flatten(1)).relu();
    if (trunk.existing.defined())
      hidden = all_boards(hidden, trunk).view({trunk.positions, boards(), -1}).sum(1);
    const auto outputs = at::linear(hidden, w_.value_weight(), w_.value_bias());
    out.wdl_logits = outputs.narrow(1, 0, 3);
    out.moves_left = at::softplus(outputs.select(1, 3));
  }
  /// The trunk's input: the boards that exist, with the planes that each has.
  TrunkOutput boards_of(const at::Tensor& planes, const at::Tensor& existing) const {
    TrunkOutput out{.x = planes, .existing = {}, .positions = planes.size(0)};
    if (!w_.config().share_levels) return out;
    const auto all = at::constant_pad_nd(planes, {0, 0, 0, 0, 0, 1})
                         .index_select(1, w_.board_planes())
                         .view({out.positions * boards(), -1, planes.size(2), planes.size(3)});
    // A board's first plane shows its squares (level_boards.h).
    out.existing = existing.defined()
                       ? existing
                       : all.select(1, 0).flatten(1).select(1, 0).nonzero().flatten();
    out.x = all.index_select(0, out.existing);
    return out;
  }

 private:
  std::int64_t boards() const { return static_cast<std::int64_t>(w_.description().boards.size()); }
  /// [existing boards, n] as [all boards, n], with zeroes for those that do not exist.
  at::Tensor all_boards(const at::Tensor& rows, const TrunkOutput& of) const {
    if (!of.existing.defined()) return rows;
    return at::zeros({of.positions * boards(), rows.size(1)}, rows.options())
        .index_copy(0, of.existing, rows);
  }

  const NetworkWeights& w_;
  ForwardMode mode_;
};

/// The second ones of stacked tensors.
bool follows_its_pair(const NetworkDescription& network, const TensorSpec& tensor) {
  const auto& [policy, value] = std::tie(network.policy, network.value);
  return std::ranges::any_of(
      std::initializer_list<const TensorSpec*>{&policy.key.weight, &policy.key.bias,
                                               &value.moves_left.weight, &value.moves_left.bias},
      [&](const TensorSpec* second) { return second->name == tensor.name; });
}

}  // namespace

NetworkWeights::NetworkWeights(const EncodingInfo& encoding, const NetConfig& config,
                               at::Device device)
    : description_(describe_network(encoding, config)),
      layout_(network_layout(description_)),
      board_planes_(
          at::tensor(chosen_planes(description_.boards, encoding.plane_count()), at::kLong)
              .to(device)) {
  const auto place = [&](const std::vector<TensorSpec>& tensors, FlatTensors& places) {
    std::vector<std::int64_t> begins;
    for (const TensorSpec& t : tensors)
      begins.push_back(places.append(t.numel(), follows_its_pair(description_, t)));
    auto flat = at::zeros({places.size()}, at::device(device).dtype(at::kFloat));
    for (std::size_t i = 0; i < tensors.size(); ++i)
      views_[tensors[i].name] =
          flat.narrow(0, begins[i], tensors[i].numel()).view(tensors[i].shape).detach();
    return flat;
  };
  parameters_ = place(layout_.parameters, parameter_places_);
  statistics_ = place(layout_.statistics, statistic_places_);
  for (const TensorSpec& t : layout_.parameters)
    if (t.role == TensorRole::Weight)
      decaying_ = std::max(decaying_, (*this)[t].storage_offset() + t.numel());
  stack(kPolicyWeight, description_.policy.query.weight, description_.policy.key.weight);
  stack(kPolicyBias, description_.policy.query.bias, description_.policy.key.bias);
  stack(kValueWeight, description_.value.wdl.weight, description_.value.moves_left.weight);
  stack(kValueBias, description_.value.wdl.bias, description_.value.moves_left.bias);
}

void NetworkWeights::stack(const char* name, const TensorSpec& first, const TensorSpec& second) {
  const at::Tensor &one = (*this)[first], &two = (*this)[second];
  if (one.storage_offset() + one.numel() != two.storage_offset())
    throw std::logic_error(second.name + " does not follow " + first.name);
  auto shape = one.sizes().vec();
  shape[0] += two.size(0);
  views_[name] =
      parameters_.narrow(0, one.storage_offset(), one.numel() + two.numel()).view(shape).detach();
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

NetworkValues NetworkWeights::values() const {
  return {description_, parameter_places_.values(parameters_),
          statistic_places_.values(statistics_)};
}

void NetworkWeights::set_values(const NetworkValues& values) {
  if (values.parameters.size() != static_cast<std::size_t>(layout_.parameter_count()) ||
      values.statistics.size() != static_cast<std::size_t>(layout_.statistic_count()))
    throw std::invalid_argument("network: the values are those of another network");
  parameter_places_.set_values(values.parameters, parameters_);
  statistic_places_.set_values(values.statistics, statistics_);
}

namespace {

at::Tensor part_like(const at::Tensor& view, const at::Tensor& flat) {
  return flat.narrow(0, view.storage_offset(), view.numel()).view(view.sizes());
}

/// Makes `view` a leaf. Autograd accumulates into an existing gradient, so the flat tensor is
/// filled in place.
void require_gradient(at::Tensor& view, const at::Tensor& gradient) {
  view.set_requires_grad(true);
  view.mutable_grad() = part_like(view, gradient);
}

}  // namespace

at::Tensor NetworkWeights::require_gradients() {
  auto gradient = at::zeros_like(parameters_);
  for (auto& [name, view] : views_)
    if (view.is_alias_of(parameters_)) require_gradient(view, gradient);  // no running statistic
  return gradient;
}

void NetworkWeights::begin_pass(at::ScalarType type) {
  const c10::NoGradGuard no_grad;
  if (type == at::kFloat) {
    rounded_.reset();
    return;
  }
  if (!rounded_ || rounded_->parameters.scalar_type() != type) {
    const auto options = parameters_.options().dtype(type);
    rounded_.emplace(Rounded{.parameters = at::zeros(parameters_.sizes(), options),
                             .gradient = at::zeros(parameters_.sizes(), options),
                             .views = {}});
    for (const auto& [name, view] : views_) {
      if (!view.is_alias_of(parameters_)) continue;
      auto& own = rounded_->views[name] = part_like(view, rounded_->parameters).detach();
      require_gradient(own, rounded_->gradient);
    }
  }
  rounded_->parameters.copy_(parameters_);
  rounded_->gradient.zero_();
}

void NetworkWeights::gather_gradients(const at::Tensor& gradient) {
  const c10::NoGradGuard no_grad;
  if (rounded_) at::Tensor(gradient).add_(rounded_->gradient);
}

at::Tensor NetworkWeights::in(at::ScalarType type, const std::string& name, bool training) const {
  if (training && rounded_ && rounded_->parameters.scalar_type() == type)
    return rounded_->views.at(name);
  return views_.at(name).to(type);
}

TrunkOutput forward_trunk(const NetworkWeights& weights, const at::Tensor& planes, ForwardMode mode,
                          const at::Tensor& existing) {
  const Forward net(weights, mode);
  TrunkOutput out = net.boards_of(planes, existing);
  out.x = out.x.to(mode.type).contiguous(at::MemoryFormat::ChannelsLast);
  for (const TrunkBlockSpec& block : weights.description().trunk)
    std::visit([&](const auto& spec) { net.apply(spec, out); }, block);
  return out;
}

NetworkOutput forward_heads(const NetworkWeights& weights, const TrunkOutput& trunk,
                            ForwardMode mode) {
  const Forward net(weights, mode);
  NetworkOutput out;
  net.apply(weights.description().policy, trunk, out);
  net.apply(weights.description().value, trunk, out);
  return out;
}

NetworkOutput forward(const NetworkWeights& weights, const at::Tensor& planes, ForwardMode mode,
                      const at::Tensor& existing) {
  return forward_heads(weights, forward_trunk(weights, planes, mode, existing), mode);
}

MoveIndex move_index(std::span<const PolicyIndex> moves, std::span<const std::uint32_t> first_move,
                     const NetworkDescription& network, at::Device device) {
  MoveIndex index;
  index.batch = static_cast<std::int64_t>(first_move.size()) - 1;
  const auto count = static_cast<std::int64_t>(moves.size());
  for (std::size_t i = 0; i + 1 < first_move.size(); ++i)
    index.longest = std::max<std::int64_t>(index.longest, first_move[i + 1] - first_move[i]);

  auto table = at::empty({4, count}, at::kLong);
  write_move_table(moves, first_move, network, index.longest,
                   {table.data_ptr<std::int64_t>(), static_cast<std::size_t>(4 * count)});
  table = table.to(device);
  index.from = table[0];
  index.to = table[1];
  index.kind = table[2];
  index.padded = table[3];
  return index;
}

void write_move_table(std::span<const PolicyIndex> moves, std::span<const std::uint32_t> first_move,
                      const NetworkDescription& network, std::int64_t longest,
                      std::span<std::int64_t> table) {
  const PolicyHeadSpec& policy = network.policy;
  const std::int32_t cells = network.encoding.cells(),
                     policy_cells = network.encoding.policy_cells();
  const std::size_t room = table.size() / 4;
  const auto from = table.first(room), to = table.subspan(room, room),
             kind = table.subspan(2 * room, room), padded = table.subspan(3 * room, room);
  const auto positions = static_cast<std::int64_t>(first_move.size()) - 1;
  std::size_t m = 0;
  for (std::int64_t i = 0; i < positions; ++i)
    for (std::int64_t column = 0; m < first_move[static_cast<std::size_t>(i) + 1]; ++m, ++column) {
      const PolicyIndex& move = moves[m];
      from[m] = i * policy_cells + policy.row(move.from, cells);
      to[m] = i * policy_cells + policy.row(move.to, cells);
      kind[m] = move.kind;
      padded[m] = i * longest + column;
    }
  for (const auto part : {from, to, kind})
    std::fill(part.begin() + static_cast<std::ptrdiff_t>(m), part.end(), 0);
  std::fill(padded.begin() + static_cast<std::ptrdiff_t>(m), padded.end(), positions * longest);
}

at::Tensor policy_logits(const NetworkWeights& weights, const at::Tensor& policy_vectors,
                         const MoveIndex& moves) {
  const PolicyHeadSpec& policy = weights.description().policy;
  const auto half = policy_vectors.size(1) / 2;  // queries, then keys
  const auto rows = [&](std::int64_t first) {
    return policy_vectors.narrow(1, first, half).reshape({-1, policy.dim});
  };
  // Of each move its kind's own query, then its bias: by a product, as the gradient of a gather
  // would add up a batch's moves in these few rows one after another.
  const at::Tensor& kind_query = weights[policy.kind_query];
  const auto chosen = at::arange(kind_query.size(0), moves.kind.options())
                          .eq(moves.kind.unsqueeze(1))
                          .to(at::kFloat);
  const auto of_kind =
      at::mm(chosen, at::cat({kind_query, weights[policy.kind_bias].unsqueeze(1)}, 1));
  const auto queries = rows(0).index_select(0, moves.from) + of_kind.narrow(1, 0, policy.dim);
  const auto keys = rows(half).index_select(0, moves.to);
  const double scale = 1.0 / std::sqrt(static_cast<double>(policy.dim));
  return (queries * keys).sum(1) * scale + of_kind.select(1, policy.dim);
}

at::Tensor policy_log_softmax(const at::Tensor& logits, const MoveIndex& moves) {
  constexpr double kNoMove = -1e30;
  const std::int64_t size = moves.batch * moves.longest;
  const auto table = at::full({size + 1}, kNoMove, logits.options())
                         .scatter(0, moves.padded, logits)
                         .narrow(0, 0, size);
  return at::log_softmax(table.view({moves.batch, moves.longest}), 1);
}

}  // namespace faultline
