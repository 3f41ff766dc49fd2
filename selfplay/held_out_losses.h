// Losses on games that the network had not learned from.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace faultline {

/// A sum of policy and value loss, in nats, that no working network has.
inline constexpr double kDiverged = 20;

/// Means over `positions` that arrived lately, in nats.
struct HeldOutLosses {
  double positions = 0;
  double policy = 0;
  double policy_entropy = 0;  // the least that `policy` can be
  double value = 0;
  std::array<double, 3> wdl = {};  // of the value targets

  /// The value loss of a predictor that knows these means and nothing else.
  double constant_value() const {
    double loss = 0;
    for (const double p : wdl)
      if (p > 0) loss -= p * std::log(p);
    return loss;
  }
  /// Whether the network's answers are senseless: a uniform guess among 300 moves and three results
  /// has a loss of 6.8 nats.
  bool diverged() const { return !(policy + value < kDiverged); }

  /// Adds another mean; what is older than about `memory` positions fades, and a mean that diverged
  /// is forgotten, since it would hide for long how the network recovers.
  void add(const HeldOutLosses& other, double memory = 20'000) {
    if (diverged()) {
      *this = other;
      return;
    }
    const double kept = positions + other.positions > memory ? positions / 2 : positions;
    const double all = kept + other.positions;
    const auto mix = [&](double& mean, double more) {
      mean = (kept * mean + other.positions * more) / all;
    };
    mix(policy, other.policy);
    mix(policy_entropy, other.policy_entropy);
    mix(value, other.value);
    for (std::size_t i = 0; i < wdl.size(); ++i)
      mix(wdl[i], other.wdl[i]);
    positions = all;
  }
};

}  // namespace faultline
