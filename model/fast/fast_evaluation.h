// A fast network as an evaluation of positions; for the sources of model/encoding/ only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "model/fast/fast_network.h"
#include "rules/types.h"
#include "search/position_evaluation.h"

namespace faultline::detail {

/// Throws FastNetworkError.
inline void require_layout(const FastNetwork& network, const FastLayout& layout,
                           const std::string& variant) {
  if (network.layout != layout)
    throw FastNetworkError(fmt::format(
        "a fast network of {} does not fit {}: its inputs are others", network.variant, variant));
}

/// `Inputs`: inputs(position, view, f) calls `f(input)` for every input that is 1.
template <class P, class Inputs>
class FastEvaluation final : public PositionEvaluation<P> {
 public:
  FastEvaluation(std::shared_ptr<const FastNetwork> network, Inputs inputs)
      : network_(std::move(network)), inputs_(inputs) {}

  int evaluate(const P& position) const override {
    const FastNetwork& net = *network_;
    const Colour mover = position.side_to_move();
    std::int32_t direct = 0;
    std::int32_t sum = 0;
    for (const int side : {0, 1}) {
      alignas(64) std::array<std::int16_t, kFastHidden> hidden;
      std::copy_n(net.bias.begin(), kFastHidden, hidden.begin());
      std::int32_t linear = 0;
      inputs_(position, side == 0 ? mover : ~mover, [&](int input) {
        const std::int16_t* const row =
            net.first.data() + static_cast<std::ptrdiff_t>(input) * kFastHidden;
        for (std::size_t h = 0; h < kFastHidden; ++h)
          hidden[h] = static_cast<std::int16_t>(hidden[h] + row[h]);
        linear += net.direct[static_cast<std::size_t>(input)];
      });
      direct += side == 0 ? linear : -linear;
      const std::int16_t* const weights = net.second.data() + side * kFastHidden;
      const auto most = static_cast<std::int16_t>(net.scale);
      for (std::size_t h = 0; h < kFastHidden; ++h)
        sum += std::clamp(hidden[h], std::int16_t{0}, most) * weights[h];
    }
    return direct / 32 + sum / (8 * net.scale) + net.output;
  }

 private:
  std::shared_ptr<const FastNetwork> network_;
  Inputs inputs_;
};

}  // namespace faultline::detail
