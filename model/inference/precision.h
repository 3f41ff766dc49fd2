// Inference precision.
#pragma once

#include <cstdint>
#include <string_view>

namespace faultline {

/// Bf16 is meant for GPUs and for CPUs with AMX; on others it is slower than Fp32.
enum class Precision : std::uint8_t { Fp32, Bf16 };

/// "fp32", "bf16".
std::string_view name(Precision precision);

}  // namespace faultline
