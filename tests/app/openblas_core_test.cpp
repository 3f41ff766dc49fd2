// Where OpenBLAS is told which kernels to use, on processors that tests make up.
#include "app/openblas_core.h"

#include <string>

#include <gtest/gtest.h>

#include "app/numeric_environment.h"

namespace faultline {
namespace {

ProcessorFeatures with_avx2(ProcessorFeatures p) {
  p.avx = p.avx2 = true;
  return p;
}
ProcessorFeatures with_avx512(ProcessorFeatures p) {
  p = with_avx2(p);
  p.avx512 = p.avx512_vnni = true;
  return p;
}
ProcessorFeatures with_bf16(ProcessorFeatures p) {
  p = with_avx512(p);
  p.avx512_bf16 = true;
  return p;
}
ProcessorFeatures intel(int model) {
  return {.vendor = "GenuineIntel", .family = 6, .model = model % 16, .extended_model = model / 16};
}
ProcessorFeatures amd(int extended_family) {
  return {.vendor = "AuthenticAMD", .family = 15, .extended_family = extended_family};
}

/// The kernels taken, and the override if there is one: "Haswell", "Haswell -> SkylakeX".
std::string choice(const ProcessorFeatures& p) {
  std::string text(openblas_own_choice(p));
  if (const auto better = openblas_override(p); !better.empty())
    text += " -> " + std::string(better);
  return text;
}

TEST(OpenBlasCore, ProcessorsThatOpenBlasKnowsAreLeftToIt) {
  EXPECT_EQ(choice(intel(0x2a)), "Prescott");  // a system that does not save AVX's registers
  EXPECT_EQ(choice(with_avx2(intel(0x3c))), "Haswell");
  EXPECT_EQ(choice(with_avx2(intel(0x9e))), "Haswell");     // Coffee Lake
  EXPECT_EQ(choice(with_avx512(intel(0x55))), "SkylakeX");  // Skylake servers
  EXPECT_EQ(choice(with_bf16(intel(0x55))), "Cooperlake");  // their successor of that name
  EXPECT_EQ(choice(with_avx512(intel(0x6a))), "SkylakeX");  // Ice Lake servers
  EXPECT_EQ(choice(with_bf16(intel(0x8f))), "Cooperlake");  // Sapphire Rapids
  EXPECT_EQ(choice(with_avx2(intel(0x97))), "Haswell");     // Alder Lake
  EXPECT_EQ(choice(with_avx2(amd(8))), "Haswell");          // Zen 2
  EXPECT_EQ(choice(with_avx2(amd(10))), "Haswell");         // Zen 3
  EXPECT_EQ(choice(with_bf16(amd(10))), "Cooperlake");      // Zen 4
}

TEST(OpenBlasCore, UnknownModelsGetKernelsByTheirFeatures) {
  EXPECT_EQ(choice(with_bf16(amd(11))), "Cooperlake");      // Zen 5
  EXPECT_EQ(choice(with_bf16(intel(0xad))), "Cooperlake");  // Granite Rapids
  EXPECT_EQ(choice(with_avx2(intel(0xbd))), "Haswell");     // Lunar Lake
  EXPECT_EQ(choice(with_avx512({.vendor = "Somebody", .family = 6})), "SkylakeX");
}

TEST(OpenBlasCore, AnOldModelInFrontOfAModernMachineIsOverridden) {
  const ProcessorFeatures qemu_opteron{
      .vendor = "AuthenticAMD", .family = 15, .model = 11, .extended_model = 6};
  EXPECT_EQ(choice(qemu_opteron), "Prescott");
  EXPECT_EQ(choice(with_avx2(qemu_opteron)), "Prescott -> Haswell");
  EXPECT_EQ(choice(with_bf16(qemu_opteron)), "Prescott -> SkylakeX");
  const ProcessorFeatures pentium_4{.vendor = "GenuineIntel", .family = 15, .model = 6};
  EXPECT_EQ(choice(with_avx512(pentium_4)), "Prescott -> SkylakeX");
  ProcessorFeatures avx_only = intel(0x1a);  // "Nehalem"
  avx_only.avx = true;
  EXPECT_EQ(choice(avx_only), "Prescott -> Sandybridge");
  EXPECT_EQ(choice(with_avx512(intel(0x3c))), "Haswell -> SkylakeX");
}

TEST(OpenBlasCore, RowsWrittenTooLowAreOverridden) {
  EXPECT_EQ(choice(with_avx512(intel(0x66))), "Haswell -> SkylakeX");  // Cannon Lake
  EXPECT_EQ(choice(with_avx2({.vendor = "CentaurHauls", .family = 7, .extended_model = 3})),
            "Prescott -> Haswell");
}

TEST(OpenBlasCore, TheEnvironmentNamesACoreOnlyWhereItIsOverridden) {
  const auto core_in = [](const ProcessorFeatures& p) {
    for (const EnvironmentSetting& setting : numeric_environment(p))
      if (std::string_view(setting.name) == "OPENBLAS_CORETYPE") return setting.value;
    return std::string("none");
  };
  EXPECT_EQ(core_in(with_bf16(amd(11))), "none");
  EXPECT_EQ(core_in(with_bf16(intel(0x8f))), "none");
  EXPECT_EQ(core_in(with_avx2(amd(0))), "Haswell");
}

}  // namespace
}  // namespace faultline
