// What is read from cpuid, with processors that tests make up.
#include "base/processor_features.h"

#include <map>
#include <utility>

#include <gtest/gtest.h>

namespace faultline {
namespace {

/// A Sapphire Rapids server, as far as these registers go.
std::map<std::pair<std::uint32_t, std::uint32_t>, CpuidRegisters> server() {
  return {{{0, 0}, {0x20, 0x756e6547, 0x6c65746e, 0x49656e69}},
          {{1, 0}, {0x000806f8, 0, (1U << 12) | (1U << 27) | (1U << 28), 0}},
          {{7, 0},
           {1, (1U << 5) | (1U << 16) | (1U << 17) | (1U << 30) | (1U << 31), 1U << 11,
            (1U << 22) | (1U << 24) | (1U << 25)}},
          {{7, 1}, {(1U << 4) | (1U << 5), 0, 0, 0}}};
}
ProcessorFeatures decoded(
    const std::map<std::pair<std::uint32_t, std::uint32_t>, CpuidRegisters>& leaves,
    std::uint64_t saved_state) {
  return decode_processor(
      [&](std::uint32_t leaf, std::uint32_t subleaf) {
        const auto found = leaves.find({leaf, subleaf});
        return found == leaves.end() ? CpuidRegisters{} : found->second;
      },
      saved_state);
}

constexpr std::uint64_t kEverything = 0x600e7;

TEST(ProcessorFeatures, AServersFieldsAndInstructionSetsAreRead) {
  const ProcessorFeatures p = decoded(server(), kEverything);
  EXPECT_EQ(p.vendor, "GenuineIntel");
  EXPECT_EQ(p.family, 6);
  EXPECT_EQ(p.model, 15);
  EXPECT_EQ(p.extended_model, 8);
  EXPECT_EQ(describe(p),
            "GenuineIntel 6.0 15.8, avx avx2 avx512 avx512_vnni avx512_bf16 avx_vnni amx_int8 "
            "amx_bf16");
}

TEST(ProcessorFeatures, WhatTheSystemDoesNotSaveCannotBeUsed) {
  EXPECT_EQ(describe(decoded(server(), 0xe7)),
            "GenuineIntel 6.0 15.8, avx avx2 avx512 avx512_vnni avx512_bf16 avx_vnni");
  EXPECT_EQ(describe(decoded(server(), 0x7)), "GenuineIntel 6.0 15.8, avx avx2 avx_vnni");
  EXPECT_EQ(describe(decoded(server(), 0)), "GenuineIntel 6.0 15.8,");
}

TEST(ProcessorFeatures, OneMissingPartOfAvx512IsNoAvx512) {
  for (const int bit : {16, 17, 30, 31}) {
    auto leaves = server();
    leaves[{7, 0}].ebx &= ~(1U << bit);
    const ProcessorFeatures p = decoded(leaves, kEverything);
    EXPECT_TRUE(p.avx2);
    EXPECT_FALSE(p.avx512 || p.avx512_bf16 || p.amx_bf16) << bit;
  }
}

TEST(ProcessorFeatures, AnAmdProcessorsExtendedFamilyIsKept) {
  auto leaves = server();
  leaves[{0, 0}] = {0x10, 0x68747541, 0x444d4163, 0x69746e65};
  leaves[{1, 0}].eax = 0x00b00f20;
  const ProcessorFeatures p = decoded(leaves, kEverything);
  EXPECT_EQ(p.vendor, "AuthenticAMD");
  EXPECT_EQ(p.family, 15);
  EXPECT_EQ(p.extended_family, 11);
}

TEST(ProcessorFeatures, ThisMachinesAgreeWithTheCompilersOwnTest) {
#if defined(__x86_64__)
  EXPECT_EQ(this_processor().avx2,
            __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0);
  EXPECT_EQ(this_processor().avx512,
            __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0);
  EXPECT_EQ(this_processor().avx512_bf16, __builtin_cpu_supports("avx512bf16") != 0);
  EXPECT_FALSE(this_processor().vendor.empty());
#else
  EXPECT_EQ(this_processor(), ProcessorFeatures{});
#endif
}

}  // namespace
}  // namespace faultline
