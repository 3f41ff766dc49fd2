// Inference precision.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace faultline {

/// Bf16: weights and activations in 16 bits. Int8: convolutions of the tower in 8 bits, with scales
/// from the network's activation ranges. Which one is fastest depends on the device.
enum class Precision : std::uint8_t { Fp32, Bf16, Int8 };

inline constexpr std::array kPrecisions = {Precision::Fp32, Precision::Bf16, Precision::Int8};

/// "fp32", "bf16", "int8".
std::string_view name(Precision precision);
/// The one with this name. Throws std::invalid_argument that lists the names.
Precision precision_named(std::string_view text);

}  // namespace faultline
