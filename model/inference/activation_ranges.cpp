// Calibration: one pass over some positions in fp32.
#include "model/inference/activation_ranges.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "model/inference/cpu_trunk.h"

namespace faultline {
namespace {

constexpr double kPercentile = 0.99999;

/// Counts of non-negative values in bins whose ends are half a per cent to a per cent apart: the
/// upper bits of a float, which are ordered as the floats are.
class Histogram {
 public:
  Histogram() : counts_(std::size_t{1} << 15) {}
  void add(float value) { ++counts_[std::bit_cast<std::uint32_t>(value) >> kDropped & 0x7FFF]; }

  /// An end of a bin below which lies that share of the values, `values` of which there are (zeroes
  /// need not have been added).
  float percentile(double share, std::size_t values) const {
    const auto above = static_cast<std::uint64_t>((1 - share) * static_cast<double>(values));
    std::uint64_t seen = 0;
    std::uint32_t bin = 0x7F7F;  // the last one with finite values
    for (; bin > 0; --bin) {
      seen += counts_[bin];
      if (seen > above) break;
    }
    return std::bit_cast<float>(std::min((bin + 1) << kDropped, 0x7F7FFFFFU));
  }

 private:
  static constexpr int kDropped = 16;
  std::vector<std::uint64_t> counts_;
};

/// A range must not be zero, even where all activations are.
float usable(float range) {
  constexpr float kSmallest = 1e-6F;
  return std::max(range, kSmallest);
}

}  // namespace

ActivationRanges calibrate(const FoldedNetwork& network, std::span<const float> planes) {
  const std::size_t floats = network.encoding.floats();
  if (planes.empty() || planes.size() % floats != 0)
    throw std::invalid_argument("calibration: " + std::to_string(planes.size()) +
                                " floats of planes; a position has " + std::to_string(floats));
  const CpuTrunk trunk(network);
  const Canvas& canvas = trunk.canvases().trunk;
  CpuTrunkMemory memory(trunk.canvases(), trunk.group(), trunk.boards());
  std::vector<Histogram> histograms(network.trunk.size() * 2 - 1);  // the stem has one activation
  const std::size_t positions = planes.size() / floats;
  std::size_t boards = 0;  // that exist
  for (std::size_t first = 0; first < positions; first += trunk.group()) {
    const std::size_t count = std::min(trunk.group(), positions - first);
    auto histogram = histograms.begin();
    trunk.apply(planes.data() + first * floats, count, memory,
                [&](const float* activations, std::size_t given) {
                  for (std::size_t i = 0; i < given * canvas.floats(); ++i)
                    if (activations[i] > 0) histogram->add(activations[i]);
                  ++histogram;
                });
    boards += memory.first_board.back();
  }
  ActivationRanges ranges;
  const std::size_t values = boards * canvas.height * canvas.width * canvas.channels;
  for (const Histogram& histogram : histograms)
    ranges.values.push_back(usable(histogram.percentile(kPercentile, values)));
  return ranges;
}

}  // namespace faultline
