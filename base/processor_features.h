// What the processor is and can do, by its own account (cpuid).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace faultline {

/// The features that this program's choices depend on, and no others. Each flag includes that the
/// system saves the registers. All false, and an empty vendor, on other architectures than x86-64.
struct ProcessorFeatures {
  std::string vendor = {};  // "GenuineIntel", "AuthenticAMD"
  // The fields of leaf 1 as they are, not added up: family 15 with extended family 10 is Zen 3.
  int family = 0, extended_family = 0;
  int model = 0, extended_model = 0;
  bool avx = false;
  bool avx2 = false;    // with FMA
  bool avx512 = false;  // F, BW, DQ and VL: what servers have had since Skylake
  bool avx512_vnni = false;
  bool avx512_bf16 = false;
  bool avx_vnni = false;
  bool amx_int8 = false;
  bool amx_bf16 = false;

  friend bool operator==(const ProcessorFeatures&, const ProcessorFeatures&) = default;
};

/// The registers that cpuid returns.
struct CpuidRegisters {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};
/// cpuid for a leaf and a subleaf; zeroes for those that the processor does not have.
using Cpuid = std::function<CpuidRegisters(std::uint32_t leaf, std::uint32_t subleaf)>;

/// Reads the features from cpuid. `saved_state`: the register XCR0, what the system saves on a
/// context switch; 0 if it cannot be read.
ProcessorFeatures decode_processor(const Cpuid& cpuid, std::uint64_t saved_state);

/// Those of this machine.
const ProcessorFeatures& this_processor();

/// "AuthenticAMD 15.11 2.0, avx2 avx512 avx512_vnni avx512_bf16": family and model with their
/// extensions, and the instruction sets. Equal for processors between which no choice of this
/// program differs.
std::string describe(const ProcessorFeatures& processor);

}  // namespace faultline
