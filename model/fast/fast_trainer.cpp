// Training of fast networks.
#include "model/fast/fast_trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

namespace faultline {
namespace {

constexpr std::size_t kHidden = kFastHidden;
constexpr float kBeta1 = 0.9F;
constexpr float kBeta2 = 0.999F;

float logistic(float x) {
  return 1 / (1 + std::exp(-x));
}

/// In nats, without overflow.
double cross_entropy(float logit, float target) {
  const double x = logit;
  return std::max(x, 0.0) - x * target + std::log1p(std::exp(-std::abs(x)));
}

}  // namespace

FastTrainer::FastTrainer(FastLayout layout, std::uint64_t seed) : layout_(std::move(layout)) {
  const std::size_t inputs = layout_.inputs();
  if (layout_.levels > 1) {
    const auto levels = static_cast<std::size_t>(layout_.levels);
    for (const FastInputGroup& group : layout_.groups) {
      const auto size = static_cast<std::size_t>(group.size);
      for (std::size_t i = 0; i < size; ++i)
        shared_.push_back(
            static_cast<std::uint32_t>(shared_count_ + (group.by_cell ? i / levels : i)));
      shared_count_ += group.by_cell ? size / levels : size;
    }
  }
  at_.direct = inputs * kHidden;
  at_.shared_first = at_.direct + inputs;
  at_.shared_direct = at_.shared_first + shared_count_ * kHidden;
  at_.bias = at_.shared_direct + shared_count_;
  at_.second = at_.bias + kHidden;
  at_.output = at_.second + 2 * kHidden;
  at_.end = at_.output + 1;
  // What is particular to a level learns more slowly and decays faster than what levels share.
  const bool shares = shared_count_ > 0;
  rates_ = {{at_.first, at_.direct, shares ? 0.5F : 1.0F, shares ? 0.003F : 0.0005F},
            {at_.direct, at_.shared_first, shares ? 2.0F : 8.0F, shares ? 0.002F : 0.0002F},
            {at_.shared_first, at_.shared_direct, 1.0F, 0.0005F},
            {at_.shared_direct, at_.bias, 8.0F, 0.0002F},
            {at_.bias, at_.end, 1.0F, 0.0F}};
  values_.assign(at_.end, 0);
  gradient_.assign(at_.end, 0);
  first_moments_.assign(at_.end, 0);
  second_moments_.assign(at_.end, 0);
  std::mt19937_64 rng(seed);
  std::normal_distribution<float> normal(0, 0.05F);
  const std::size_t begin = shares ? at_.shared_first : at_.first;
  const std::size_t end = shares ? at_.shared_direct : at_.direct;
  for (std::size_t i = begin; i < end; ++i)
    values_[i] = normal(rng);
  std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(at_.bias), kHidden, 0.2F);
}

float FastTrainer::forward(const FastBatch& batch, std::size_t i, float* hidden) const {
  const float* const w = values_.data();
  float logit = w[at_.output];
  for (std::size_t side = 0; side < 2; ++side) {
    float* const h = hidden + side * kHidden;
    std::copy_n(w + at_.bias, kHidden, h);
    float direct = 0;
    for (const std::uint16_t input : batch.of(i, side)) {
      const float* const row = w + at_.first + input * kHidden;
      direct += w[at_.direct + input];
      if (shared_.empty()) {
        for (std::size_t k = 0; k < kHidden; ++k)
          h[k] += row[k];
      } else {
        const std::size_t shared = shared_of(input);
        const float* const common = w + at_.shared_first + shared * kHidden;
        direct += w[at_.shared_direct + shared];
        for (std::size_t k = 0; k < kHidden; ++k)
          h[k] += row[k] + common[k];
      }
    }
    logit += side == 0 ? direct / 2 : -direct / 2;
    const float* const second = w + at_.second + side * kHidden;
    for (std::size_t k = 0; k < kHidden; ++k)
      logit += std::clamp(h[k], 0.0F, 1.0F) * second[k];
  }
  return logit;
}

void FastTrainer::backward(const FastBatch& batch, std::size_t i, const float* hidden,
                           float slope) {
  float* const g = gradient_.data();
  g[at_.output] += slope;
  for (std::size_t side = 0; side < 2; ++side) {
    const float* const h = hidden + side * kHidden;
    const float* const second = values_.data() + at_.second + side * kHidden;
    float* const to_second = g + at_.second + side * kHidden;
    alignas(64) std::array<float, kHidden> inner;
    for (std::size_t k = 0; k < kHidden; ++k) {
      to_second[k] += slope * std::clamp(h[k], 0.0F, 1.0F);
      inner[k] = h[k] > 0 && h[k] < 1 ? slope * second[k] : 0;
      g[at_.bias + k] += inner[k];
    }
    const float direct = side == 0 ? slope / 2 : -slope / 2;
    for (const std::uint16_t input : batch.of(i, side)) {
      float* const row = g + at_.first + input * kHidden;
      g[at_.direct + input] += direct;
      for (std::size_t k = 0; k < kHidden; ++k)
        row[k] += inner[k];
      if (shared_.empty()) continue;
      const std::size_t shared = shared_of(input);
      float* const common = g + at_.shared_first + shared * kHidden;
      g[at_.shared_direct + shared] += direct;
      for (std::size_t k = 0; k < kHidden; ++k)
        common[k] += inner[k];
    }
  }
}

double FastTrainer::step(const FastBatch& batch, double learning_rate) {
  const std::size_t count = batch.count();
  double loss = 0;
  alignas(64) std::array<float, 2 * kHidden> hidden;
  for (std::size_t i = 0; i < count; ++i) {
    const float logit = forward(batch, i, hidden.data());
    loss += cross_entropy(logit, batch.expected[i]);
    backward(batch, i, hidden.data(),
             (logistic(logit) - batch.expected[i]) / static_cast<float>(count));
  }
  update(learning_rate);
  return loss / static_cast<double>(count);
}

void FastTrainer::update(double learning_rate) {
  ++steps_;
  const auto n = static_cast<double>(steps_);
  const auto scale1 = static_cast<float>(1 / (1 - std::pow(double{kBeta1}, n)));
  const auto scale2 = static_cast<float>(1 / (1 - std::pow(double{kBeta2}, n)));
  for (const Rates& part : rates_) {
    const float rate = part.rate * static_cast<float>(learning_rate);
    float* const w = values_.data();
    float* const g = gradient_.data();
    float* const m = first_moments_.data();
    float* const v = second_moments_.data();
    for (std::size_t i = part.begin; i < part.end; ++i) {
      m[i] = kBeta1 * m[i] + (1 - kBeta1) * g[i];
      v[i] = kBeta2 * v[i] + (1 - kBeta2) * g[i] * g[i];
      w[i] -= rate * (scale1 * m[i] / (std::sqrt(scale2 * v[i]) + 1e-8F) + part.decay * w[i]);
      g[i] = 0;
    }
  }
}

double FastTrainer::evaluate(const FastBatch& batch) const {
  double loss = 0;
  alignas(64) std::array<float, 2 * kHidden> hidden;
  for (std::size_t i = 0; i < batch.count(); ++i)
    loss += cross_entropy(forward(batch, i, hidden.data()), batch.expected[i]);
  return loss / static_cast<double>(batch.count());
}

void FastTrainer::restore(std::int64_t steps, std::vector<float> parameters,
                          std::vector<float> first_moments, std::vector<float> second_moments) {
  for (const auto* part : {&parameters, &first_moments, &second_moments})
    if (part->size() != at_.end)
      throw std::invalid_argument("a fast network of this layout has " + std::to_string(at_.end) +
                                  " parameters, not " + std::to_string(part->size()));
  steps_ = steps;
  values_ = std::move(parameters);
  first_moments_ = std::move(first_moments);
  second_moments_ = std::move(second_moments);
}

namespace {

/// The largest power of two, up to 256, by which hidden units can be multiplied so that they fit
/// into 16 bits in every position: a cell holds one of the groups by cell at most.
int largest_scale(const FastLayout& layout, const std::vector<float>& first, const float* bias) {
  double most = 1;  // hidden units are compared with it
  for (std::size_t k = 0; k < kHidden; ++k) {
    std::vector<double> by_cell;
    double sum = std::abs(bias[k]);
    std::size_t input = 0;
    for (const FastInputGroup& group : layout.groups) {
      const auto size = static_cast<std::size_t>(group.size);
      by_cell.resize(std::max(by_cell.size(), group.by_cell ? size : 0));
      double largest = 0;
      for (std::size_t i = 0; i < size; ++i, ++input) {
        const double weight = std::abs(first[input * kHidden + k]);
        if (group.by_cell)
          by_cell[i] = std::max(by_cell[i], weight);
        else
          largest = std::max(largest, weight);
      }
      sum += largest;
    }
    for (const double weight : by_cell)
      sum += weight;
    most = std::max(most, sum);
  }
  int scale = 256;
  while (scale > 1 && scale * most > 32000)
    scale /= 2;
  return scale;
}

template <class Whole>
Whole rounded(double value) {
  constexpr double kMost = std::numeric_limits<Whole>::max();
  return static_cast<Whole>(std::lround(std::clamp(value, -kMost, kMost)));
}

}  // namespace

FastNetwork FastTrainer::network(const std::string& variant) const {
  const std::size_t inputs = layout_.inputs();
  const float* const w = values_.data();
  std::vector<float> first(w + at_.first, w + at_.direct);
  std::vector<float> direct(w + at_.direct, w + at_.shared_first);
  for (std::size_t i = 0; i < inputs && !shared_.empty(); ++i) {
    const std::size_t shared = shared_of(i);
    direct[i] += w[at_.shared_direct + shared];
    for (std::size_t k = 0; k < kHidden; ++k)
      first[i * kHidden + k] += w[at_.shared_first + shared * kHidden + k];
  }
  FastNetwork net;
  net.layout = layout_;
  net.variant = variant;
  net.steps = steps_;
  net.scale = largest_scale(layout_, first, w + at_.bias);
  for (const float weight : first)
    net.first.push_back(rounded<std::int16_t>(double{weight} * net.scale));
  for (const float weight : direct)
    net.direct.push_back(std::clamp(rounded<std::int32_t>(16 * kFastCentipawns * weight),
                                    -kMostDirect, kMostDirect));
  for (std::size_t k = 0; k < kHidden; ++k)
    net.bias.push_back(rounded<std::int16_t>(double{w[at_.bias + k]} * net.scale));
  for (std::size_t k = 0; k < 2 * kHidden; ++k)
    net.second.push_back(rounded<std::int16_t>(8 * kFastCentipawns * w[at_.second + k]));
  net.output = rounded<std::int16_t>(kFastCentipawns * w[at_.output]);
  return net;
}

FastNetwork fast_network_of(const FastLayout& layout, const std::string& variant,
                            std::int64_t steps, std::vector<float> parameters) {
  FastTrainer trainer(layout, 0);
  const std::vector<float> none(parameters.size());
  trainer.restore(steps, std::move(parameters), none, none);
  return trainer.network(variant);
}

}  // namespace faultline
