// Number formats for inference.
#pragma once

#include <cstdint>
#include <string_view>

namespace faultline {

/// Bf16 is meant for GPUs and for CPUs with AMX; on others it is slower than Fp32.
enum class Precision : std::uint8_t { Fp32, Bf16 };

/// "fp32", "bf16".
std::string_view name(Precision precision);
/// Throws std::invalid_argument that names what is allowed.
Precision parse_precision(std::string_view text);

}  // namespace faultline
