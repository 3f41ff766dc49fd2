// How large a network's activations become, which 8-bit inference needs to know.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace faultline {

struct FoldedNetwork;

/// Upper ends of the ranges in which a network's activations are rounded to 8 bits. All are
/// positive and finite.
struct ActivationRanges {
  /// [1 + 2 * blocks]: the stem's output; then of each block what is between its convolutions, and
  /// its output.
  std::vector<float> values;

  static constexpr std::size_t input_of(std::size_t block) { return 2 * block; }
  static constexpr std::size_t middle_of(std::size_t block) { return 2 * block + 1; }
  static constexpr std::size_t count(std::size_t blocks) { return 1 + 2 * blocks; }
  friend bool operator==(const ActivationRanges&, const ActivationRanges&) = default;
};

/// Positions that calibrate() needs; more change the ranges by a few per cent.
inline constexpr std::size_t kCalibrationPositions = 64;

/// Evaluates `planes` ([positions, planes, height, width]) in fp32 and takes the 99.999th
/// percentile of each activation: rarer ones are cut off, and in return all others are rounded more
/// finely. (Of 99.9, 99.99, 99.999 and the maximum it gives the least differences:
/// docs/research/measurements.md.) (Wu et al. 2020, "Integer Quantization for Deep Learning
/// Inference", section 4.2, compares percentiles.) Same input, same ranges, bit for bit on one
/// processor type. Throws std::invalid_argument unless `planes` holds at least one position of the
/// network's encoding.
ActivationRanges calibrate(const FoldedNetwork& network, std::span<const float> planes);

}  // namespace faultline
