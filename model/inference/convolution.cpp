// Convolutions for small boards on a CPU.
#include "model/inference/convolution.h"

#include <algorithm>
#include <cassert>

namespace faultline {

Convolution::Convolution(std::span<const float> weight, std::span<const float> bias, Canvas in,
                         Canvas out, const LaneKernels& kernels)
    : kernels_(&kernels),
      in_(in),
      out_(out),
      output_vectors_(rounded_up(out.channels, kernels.lanes) / kernels.lanes),
      bias_(output_vectors_ * kernels.lanes) {
  const std::size_t taps = weight.size() / (in.channels * out.channels);
  size_ = taps == 1 ? 1 : 3;
  assert(taps == size_ * size_ && weight.size() == taps * in.channels * out.channels);
  assert(bias.size() == out.channels && in.height == out.height && in.width == out.width);
  const std::size_t packed = output_vectors_ * kernels.lanes;
  weight_ = AlignedFloats(taps * in.channels * packed);
  std::ranges::copy(bias, bias_.data());
  float* to = weight_.data();
  for (std::size_t first = 0; first < packed;) {
    const std::size_t group = std::min(2 * kernels.lanes, packed - first);
    for (std::size_t tap = 0; tap < taps; ++tap)
      for (std::size_t i = 0; i < in.channels; ++i)
        for (std::size_t o = first; o < first + group; ++o, ++to)
          if (o < out.channels) *to = weight[(o * in.channels + i) * taps + tap];
    first += group;
  }
}

void Convolution::apply(const float* x, std::size_t count, const float* skip, float* y,
                        bool relu) const {
  const std::size_t inside = out_.row_begin(0);
  kernels_->convolve({.count = count,
                      .height = in_.height,
                      .width = in_.width,
                      .size = size_,
                      .inputs = in_.channels,
                      .output_vectors = output_vectors_,
                      .x = x + in_.row_begin(0),
                      .x_cell = in_.cell_stride(),
                      .x_row = in_.row_stride(),
                      .x_position = in_.floats(),
                      .weight = weight_.data(),
                      .bias = bias_.data(),
                      .skip = skip == nullptr ? nullptr : skip + inside,
                      .y = y + inside,
                      .y_cell = out_.cell_stride(),
                      .y_row = out_.row_stride(),
                      .y_position = out_.floats(),
                      .relu = relu});
}

void write_canvas(const float* planes, const BoardPlanes& chosen, const Canvas& canvas, float* to) {
  const std::size_t stride = canvas.cell_stride(), cells = canvas.height * canvas.width;
  for (std::size_t channel = 0; channel < canvas.channels; ++channel) {
    const bool none = chosen[channel] == kNoPlane;
    const float* from = none ? nullptr : planes + static_cast<std::size_t>(chosen[channel]) * cells;
    for (std::size_t row = 0; row < canvas.height; ++row) {
      float* cell = to + canvas.row_begin(row) + channel;
      for (std::size_t column = 0; column < canvas.width; ++column, cell += stride)
        *cell = none ? 0.0F : *from++;
    }
  }
}

}  // namespace faultline
