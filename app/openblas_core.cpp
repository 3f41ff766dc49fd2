// Which kernels OpenBLAS takes for a processor, and which it should take instead.
//
// From reading driver/others/dynamic.c of OpenBLAS 0.3.21, which is Debian 12's (built with
// DYNAMIC_ARCH and DYNAMIC_OLDER): it looks vendor, family and model up. A model that it does not
// know gets the widest kernels for the instruction sets that cpuid reports; a model that it does
// know gets those of its row, whatever cpuid reports besides. The latter goes wrong where the model
// says less than the features: in virtual machines that show an old model (QEMU's default ones are
// an Opteron and a Pentium 4) with the features of the machine below, and on the few processors
// whose row was written too low. Later versions differ only by knowing more models.
#include "app/openblas_core.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace faultline {
namespace {

constexpr std::string_view kNoAvx = "Prescott";
constexpr std::string_view kAvx = "Sandybridge";
constexpr std::string_view kAvx2 = "Haswell";
constexpr std::string_view kAvx512 = "SkylakeX";
constexpr std::string_view kBf16 = "Cooperlake";

/// The most that a row of the table may use, if the processor has it.
enum class Most : std::uint8_t { NoAvx, Avx, Avx2, Avx512, Bf16 };

std::string_view kernels(const ProcessorFeatures& p, Most most) {
  if (most >= Most::Bf16 && p.avx512_bf16) return kBf16;
  if (most >= Most::Avx512 && p.avx512) return kAvx512;
  if (most >= Most::Avx2 && p.avx2) return kAvx2;
  if (most >= Most::Avx && p.avx) return kAvx;
  return kNoAvx;
}

// Intel's family 6 by model with its extension, as in 0x55 for Skylake servers. Models that are in
// none of the lists are treated by their features.
constexpr std::array kNoAvxModels = {0x16, 0x17, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f, 0x25,
                                     0x2c, 0x2e, 0x2f, 0x37, 0x4c, 0x4d, 0x5c, 0x5f, 0x7a};
constexpr std::array kAvxModels = {0x2a, 0x2d, 0x3a, 0x3e};  // Sandy Bridge, Ivy Bridge
constexpr std::array kAvx2Models = {
    0x3c, 0x3d, 0x3f, 0x45, 0x46, 0x47, 0x4e, 0x4f,
    0x56, 0x57, 0x5e, 0x66, 0x8e, 0x9e, 0xa5, 0xa6};                  // Haswell to Comet Lake
constexpr std::array kAvx512Models = {0x7d, 0x7e, 0x8c, 0x8d, 0xa7};  // Ice Lake to Rocket Lake

Most intel_most(int model) {
  const auto is_in = [model](const auto& models) { return std::ranges::count(models, model) > 0; };
  constexpr int kUnlisted = 0x0c;  // among the models of before 64-bit processors
  if ((model < 0x10 && model != kUnlisted) || is_in(kNoAvxModels)) return Most::NoAvx;
  if (is_in(kAvxModels)) return Most::Avx;
  if (is_in(kAvx2Models)) return Most::Avx2;
  if (is_in(kAvx512Models)) return Most::Avx512;
  return Most::Bf16;
}

std::string_view intel_choice(const ProcessorFeatures& p) {
  constexpr int kPentium4 = 15;
  if (p.family == kPentium4) return kNoAvx;
  return kernels(p, p.family == 6 ? intel_most(16 * p.extended_model + p.model) : Most::Bf16);
}

std::string_view amd_choice(const ProcessorFeatures& p) {
  if (p.family != 15) return kernels(p, Most::Bf16);
  switch (p.extended_family) {
    case 0:  // Opteron
    case 2:
    case 5:  // Bobcat
    case 7:
      return kNoAvx;
    case 6:  // Bulldozer to Excavator
      return kernels(p, Most::Avx);
    case 8:  // Zen, Zen 2, and Hygon's
    case 9:
      return kernels(p, Most::Avx2);
    default:  // Zen 3 and Zen 4 by its table, others because it does not know them
      return kernels(p, Most::Bf16);
  }
}

}  // namespace

std::string_view openblas_own_choice(const ProcessorFeatures& p) {
  if (p.vendor == "GenuineIntel") return intel_choice(p);
  if (p.vendor == "AuthenticAMD" || p.vendor == "HygonGenuine") return amd_choice(p);
  if (p.vendor == "CentaurHauls" || p.vendor == "  Shanghai  ")
    return kernels(p, p.family == 7 && p.extended_model == 5 ? Most::Avx2 : Most::NoAvx);
  return kernels(p, Most::Bf16);
}

std::string_view openblas_override(const ProcessorFeatures& p) {
  // 0.3.21 refuses the name Cooperlake; SkylakeX's kernels have vectors of the same width.
  const std::string_view best = kernels(p, Most::Avx512);
  const std::string_view own = openblas_own_choice(p);
  return own == best || own == kBf16 ? std::string_view() : best;
}

}  // namespace faultline
