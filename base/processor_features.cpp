// What the processor is and can do, by its own account (cpuid).
#include "base/processor_features.h"

#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace faultline {
namespace {

bool has_bit(std::uint32_t word, int bit) {
  return ((word >> bit) & 1U) != 0;
}

int bits(std::uint32_t word, int first, std::uint32_t mask) {
  return static_cast<int>((word >> first) & mask);
}

#if defined(__x86_64__)
CpuidRegisters native_cpuid(std::uint32_t leaf, std::uint32_t subleaf) {
  CpuidRegisters r;
  if (__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx) == 0) return {};
  return r;
}

std::uint64_t native_saved_state() {
  constexpr int kXgetbvAllowed = 27;
  if (!has_bit(native_cpuid(1, 0).ecx, kXgetbvAllowed)) return 0;
  std::uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32) | low;
}
#endif

}  // namespace

ProcessorFeatures decode_processor(const Cpuid& cpuid, std::uint64_t saved_state) {
  const auto saves = [&](std::uint64_t mask) { return (saved_state & mask) == mask; };
  constexpr std::uint64_t kYmm = 0x6;        // xmm, ymm
  constexpr std::uint64_t kZmm = 0xe6;       // and opmask, both parts of zmm
  constexpr std::uint64_t kTiles = 0x60000;  // tile configuration and data
  ProcessorFeatures p;
  const CpuidRegisters name = cpuid(0, 0);
  for (const std::uint32_t part : {name.ebx, name.edx, name.ecx}) {
    std::array<char, sizeof part> letters{};
    std::memcpy(letters.data(), &part, sizeof part);
    for (const char letter : letters)
      if (letter != '\0') p.vendor += letter;
  }
  const CpuidRegisters one = cpuid(1, 0);
  p.family = bits(one.eax, 8, 0xf);
  p.extended_family = bits(one.eax, 20, 0xff);
  p.model = bits(one.eax, 4, 0xf);
  p.extended_model = bits(one.eax, 16, 0xf);
  const CpuidRegisters seven = cpuid(7, 0);
  const CpuidRegisters more = cpuid(7, 1);
  p.avx = has_bit(one.ecx, 28) && saves(kYmm);
  p.avx2 = p.avx && has_bit(seven.ebx, 5) && has_bit(one.ecx, 12);
  p.avx512 = p.avx2 && saves(kZmm) && has_bit(seven.ebx, 16) && has_bit(seven.ebx, 17) &&
             has_bit(seven.ebx, 30) && has_bit(seven.ebx, 31);
  p.avx512_vnni = p.avx512 && has_bit(seven.ecx, 11);
  p.avx512_bf16 = p.avx512 && has_bit(more.eax, 5);
  p.avx_vnni = p.avx2 && has_bit(more.eax, 4);
  const bool tiles = p.avx512 && saves(kTiles) && has_bit(seven.edx, 24);
  p.amx_bf16 = tiles && has_bit(seven.edx, 22);
  p.amx_int8 = tiles && has_bit(seven.edx, 25);
  return p;
}

const ProcessorFeatures& this_processor() {
#if defined(__x86_64__)
  static const ProcessorFeatures features = decode_processor(native_cpuid, native_saved_state());
#else
  static const ProcessorFeatures features;
#endif
  return features;
}

std::string describe(const ProcessorFeatures& p) {
  if (p.vendor.empty()) return "no cpuid";
  std::string text = p.vendor + ' ' + std::to_string(p.family) + '.' +
                     std::to_string(p.extended_family) + ' ' + std::to_string(p.model) + '.' +
                     std::to_string(p.extended_model) + ',';
  const auto add = [&](bool present, const char* feature) {
    if (present) text += std::string(" ") + feature;
  };
  add(p.avx, "avx");
  add(p.avx2, "avx2");
  add(p.avx512, "avx512");
  add(p.avx512_vnni, "avx512_vnni");
  add(p.avx512_bf16, "avx512_bf16");
  add(p.avx_vnni, "avx_vnni");
  add(p.amx_int8, "amx_int8");
  add(p.amx_bf16, "amx_bf16");
  return text;
}

}  // namespace faultline
