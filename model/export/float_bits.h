// Floats as bytes in 32 or 16 bits, as exported files hold them: little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/export/export_options.h"

namespace faultline {

/// Rounded to the nearest, ties to even. Values too large for 16 bits become infinite.
std::uint16_t fp16_bits(float value);
std::uint16_t bf16_bits(float value);
float from_fp16_bits(std::uint16_t bits);
float from_bf16_bits(std::uint16_t bits);

inline std::size_t bytes_of(ExportPrecision precision) {
  return precision == ExportPrecision::Fp32 ? 4 : 2;
}
std::string to_bytes(std::span<const float> values, ExportPrecision precision);
/// The reverse; `bytes` must be a whole number of values.
std::vector<float> from_bytes(std::string_view bytes, ExportPrecision precision);

}  // namespace faultline
