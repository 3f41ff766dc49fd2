// Conversions between 32-bit and 16-bit floats.
#include "model/export/float_bits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace faultline {
namespace {

static_assert(std::endian::native == std::endian::little, "floats are written as in memory");

}  // namespace

std::uint16_t bf16_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);  // stays a NaN
  const std::uint32_t half_of_last = 0x7fffU + ((bits >> 16) & 1U);
  return static_cast<std::uint16_t>((bits + half_of_last) >> 16);
}

float from_bf16_bits(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

std::uint16_t fp16_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const float size = std::fabs(value);
  constexpr float kInfiniteFrom = 65520.0F;  // halfway between 65504 and 65536
  constexpr float kSmallestNormal = 0x1p-14F;
  std::uint32_t rest = 0;
  if (std::isnan(value)) {
    rest = 0x7e00U;
  } else if (size >= kInfiniteFrom) {
    rest = 0x7c00U;
  } else if (size < kSmallestNormal) {
    rest = static_cast<std::uint32_t>(std::nearbyint(size * 0x1p24F));  // multiples of 2^-24
  } else {
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    const std::uint32_t half_of_last = 0xfffU + ((magnitude >> 13) & 1U);
    rest = ((magnitude + half_of_last) >> 13) - ((127U - 15U) << 10);
  }
  return static_cast<std::uint16_t>(sign | rest);
}

float from_fp16_bits(std::uint16_t bits) {
  const unsigned exponent = (bits >> 10U) & 0x1fU;
  const unsigned mantissa = bits & 0x3ffU;
  const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
  if (exponent == 0x1fU) return mantissa != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * static_cast<float>(mantissa) * 0x1p-24F;
  return sign * std::ldexp(static_cast<float>(mantissa | 0x400U), static_cast<int>(exponent) - 25);
}

std::string to_bytes(std::span<const float> values, ExportPrecision precision) {
  std::string bytes(values.size() * bytes_of(precision), '\0');
  if (precision == ExportPrecision::Fp32) {
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint16_t bits =
        precision == ExportPrecision::Fp16 ? fp16_bits(values[i]) : bf16_bits(values[i]);
    std::memcpy(bytes.data() + i * sizeof bits, &bits, sizeof bits);
  }
  return bytes;
}

std::vector<float> from_bytes(std::string_view bytes, ExportPrecision precision) {
  std::vector<float> values(bytes.size() / bytes_of(precision));
  if (precision == ExportPrecision::Fp32) {
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * sizeof bits, sizeof bits);
    values[i] = precision == ExportPrecision::Fp16 ? from_fp16_bits(bits) : from_bf16_bits(bits);
  }
  return values;
}

}  // namespace faultline
