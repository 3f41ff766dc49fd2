// Extensions of the x86-64 instruction set that a compiler uses by itself when it may.
#pragma once

#include <cstdint>

namespace faultline {

/// Numbered as processor_check.cpp lists them.
enum class Feature : unsigned {
  Sse3,
  Ssse3,
  Sse41,
  Sse42,
  Popcnt,
  Movbe,
  F16c,
  Avx,
  Fma,
  Lzcnt,
  Bmi1,
  Bmi2,
  Avx2,
  Avx512F,
  Avx512Dq,
  Avx512Ifma,
  Avx512Cd,
  Avx512Bw,
  Avx512Vl,
  Avx512Vbmi,
  Avx512Vbmi2,
  Avx512Vnni,
  Avx512Bitalg,
  Avx512Vpopcntdq,
  AvxVnni,
  Avx512Bf16,
  Count
};

constexpr std::uint64_t bit_of(Feature feature) {
  return std::uint64_t{1} << static_cast<unsigned>(feature);
}

/// Those that this build uses wherever it likes. A constant, so that reading it runs no code.
extern const std::uint64_t required_features;

}  // namespace faultline
