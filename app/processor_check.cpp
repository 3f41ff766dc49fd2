// Ends the program with one line if the processor lacks instructions that it was compiled with,
// before the first of them is reached. A program that merely starts would otherwise die of SIGILL,
// perhaps in the initialisation of a global variable.
//
// The dynamic linker calls what is in .preinit_array before all constructors, the shared libraries'
// included. This file is compiled for the x86-64 baseline and calls only what needs no
// initialisation.
#include "app/required_features.h"

#if defined(__x86_64__) && defined(__ELF__)

#include <cstddef>

#include <cpuid.h>
#include <unistd.h>

namespace faultline {
namespace {

struct Registers {
  unsigned a, b, c, d;
};

Registers cpuid(unsigned leaf, unsigned subleaf) {
  Registers r{};
  if (__get_cpuid_max(leaf & 0x80000000U, nullptr) >= leaf)
    __cpuid_count(leaf, subleaf, r.a, r.b, r.c, r.d);
  return r;
}

/// Where cpuid reports a feature, and which registers the system must save for it.
struct FeatureBit {
  const char* name;
  unsigned leaf, subleaf;
  unsigned Registers::*where;
  unsigned bit;
  unsigned state;
};

constexpr unsigned kNoState = 0, kAvxState = 0x6, kAvx512State = 0xe6;
// Intel's manual, volume 2, CPUID; AMD's, volume 3, appendix E.
constexpr FeatureBit kFeatures[] = {
    {"SSE3", 1, 0, &Registers::c, 0, kNoState},
    {"SSSE3", 1, 0, &Registers::c, 9, kNoState},
    {"SSE4.1", 1, 0, &Registers::c, 19, kNoState},
    {"SSE4.2", 1, 0, &Registers::c, 20, kNoState},
    {"POPCNT", 1, 0, &Registers::c, 23, kNoState},
    {"MOVBE", 1, 0, &Registers::c, 22, kNoState},
    {"F16C", 1, 0, &Registers::c, 29, kAvxState},
    {"AVX", 1, 0, &Registers::c, 28, kAvxState},
    {"FMA", 1, 0, &Registers::c, 12, kAvxState},
    {"LZCNT", 0x80000001, 0, &Registers::c, 5, kNoState},
    {"BMI1", 7, 0, &Registers::b, 3, kNoState},
    {"BMI2", 7, 0, &Registers::b, 8, kNoState},
    {"AVX2", 7, 0, &Registers::b, 5, kAvxState},
    {"AVX512F", 7, 0, &Registers::b, 16, kAvx512State},
    {"AVX512DQ", 7, 0, &Registers::b, 17, kAvx512State},
    {"AVX512IFMA", 7, 0, &Registers::b, 21, kAvx512State},
    {"AVX512CD", 7, 0, &Registers::b, 28, kAvx512State},
    {"AVX512BW", 7, 0, &Registers::b, 30, kAvx512State},
    {"AVX512VL", 7, 0, &Registers::b, 31, kAvx512State},
    {"AVX512VBMI", 7, 0, &Registers::c, 1, kAvx512State},
    {"AVX512VBMI2", 7, 0, &Registers::c, 6, kAvx512State},
    {"AVX512VNNI", 7, 0, &Registers::c, 11, kAvx512State},
    {"AVX512BITALG", 7, 0, &Registers::c, 12, kAvx512State},
    {"AVX512VPOPCNTDQ", 7, 0, &Registers::c, 14, kAvx512State},
    {"AVXVNNI", 7, 1, &Registers::a, 4, kAvxState},
    {"AVX512BF16", 7, 1, &Registers::a, 5, kAvx512State},
};
static_assert(sizeof kFeatures / sizeof *kFeatures == static_cast<std::size_t>(Feature::Count));

/// The registers that the system saves, as XCR0 counts them; 0 if it does not say.
unsigned saved_state() {
  constexpr unsigned kOsxsave = 1U << 27;
  if ((cpuid(1, 0).c & kOsxsave) == 0) return 0;
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/// A line of text, without anything from a library.
class Line {
 public:
  void add(const char* text) {
    while (*text != '\0' && size_ < sizeof text_)
      text_[size_++] = *text++;
  }
  void write() const {
    // Nothing could be done about a failure.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text_, size_);
  }

 private:
  char text_[1024];
  std::size_t size_ = 0;
};

void check_processor() {
  const unsigned state = saved_state();
  Line line;
  bool complete = true;
  for (std::size_t i = 0; i < sizeof kFeatures / sizeof *kFeatures; ++i) {
    if ((required_features & bit_of(static_cast<Feature>(i))) == 0) continue;
    const FeatureBit& feature = kFeatures[i];
    const unsigned found = cpuid(feature.leaf, feature.subleaf).*feature.where >> feature.bit & 1;
    if (found == 1 && (state & feature.state) == feature.state) continue;
    line.add(complete ? "faultline: this build needs a processor with " : ", ");
    line.add(feature.name);
    complete = false;
  }
  if (complete) return;
  line.add("; build it on this machine instead: scripts/build\n");
  line.write();
  ::_exit(1);
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const at_start)() = check_processor;

}  // namespace
}  // namespace faultline

#endif
