// Which processors have a fast pext, for portable builds.
#include "rules/bit_extraction.h"

#if defined(FAULTLINE_PORTABLE) && defined(__BMI2__)

namespace faultline {

// The two of AMD's families that have BMI2 and come before Zen 3.
const bool pext_is_fast = __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("amdfam15h") &&
                          !__builtin_cpu_is("amdfam17h");

}  // namespace faultline

#endif
