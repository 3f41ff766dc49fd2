// Compiled like the rest of the program, and so told by the compiler what that may use. Contains no
// code.
#include "app/required_features.h"

namespace faultline {

constinit const std::uint64_t required_features = 0
#ifdef __SSE3__
                                                  | bit_of(Feature::Sse3)
#endif
#ifdef __SSSE3__
                                                  | bit_of(Feature::Ssse3)
#endif
#ifdef __SSE4_1__
                                                  | bit_of(Feature::Sse41)
#endif
#ifdef __SSE4_2__
                                                  | bit_of(Feature::Sse42)
#endif
#ifdef __POPCNT__
                                                  | bit_of(Feature::Popcnt)
#endif
#ifdef __MOVBE__
                                                  | bit_of(Feature::Movbe)
#endif
#ifdef __F16C__
                                                  | bit_of(Feature::F16c)
#endif
#ifdef __AVX__
                                                  | bit_of(Feature::Avx)
#endif
#ifdef __FMA__
                                                  | bit_of(Feature::Fma)
#endif
#ifdef __LZCNT__
                                                  | bit_of(Feature::Lzcnt)
#endif
#ifdef __BMI__
                                                  | bit_of(Feature::Bmi1)
#endif
#ifdef __BMI2__
                                                  | bit_of(Feature::Bmi2)
#endif
#ifdef __AVX2__
                                                  | bit_of(Feature::Avx2)
#endif
#ifdef __AVX512F__
                                                  | bit_of(Feature::Avx512F)
#endif
#ifdef __AVX512DQ__
                                                  | bit_of(Feature::Avx512Dq)
#endif
#ifdef __AVX512IFMA__
                                                  | bit_of(Feature::Avx512Ifma)
#endif
#ifdef __AVX512CD__
                                                  | bit_of(Feature::Avx512Cd)
#endif
#ifdef __AVX512BW__
                                                  | bit_of(Feature::Avx512Bw)
#endif
#ifdef __AVX512VL__
                                                  | bit_of(Feature::Avx512Vl)
#endif
#ifdef __AVX512VBMI__
                                                  | bit_of(Feature::Avx512Vbmi)
#endif
#ifdef __AVX512VBMI2__
                                                  | bit_of(Feature::Avx512Vbmi2)
#endif
#ifdef __AVX512VNNI__
                                                  | bit_of(Feature::Avx512Vnni)
#endif
#ifdef __AVX512BITALG__
                                                  | bit_of(Feature::Avx512Bitalg)
#endif
#ifdef __AVX512VPOPCNTDQ__
                                                  | bit_of(Feature::Avx512Vpopcntdq)
#endif
#ifdef __AVXVNNI__
                                                  | bit_of(Feature::AvxVnni)
#endif
#ifdef __AVX512BF16__
                                                  | bit_of(Feature::Avx512Bf16)
#endif
    ;

}  // namespace faultline
