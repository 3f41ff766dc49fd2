// Which kernels OpenBLAS takes for a processor, and which it should take instead.
#pragma once

#include <string_view>

#include "base/processor_features.h"

namespace faultline {

/// The kernels that OpenBLAS takes by itself, by the name that it reports ("Haswell"): a table of
/// what version 0.3.21 does. Kernels for vectors of one width go by one name: all without AVX are
/// "Prescott", all with AVX "Sandybridge", AVX2 "Haswell" (Zen's too).
std::string_view openblas_own_choice(const ProcessorFeatures& processor);

/// The value of OPENBLAS_CORETYPE with which OpenBLAS uses the vectors that the processor has, or
/// "" where its own choice does that already. Its own choice is the better one among kernels for
/// equal vectors: naming SkylakeX on an Intel processor with bf16 halves its speed.
std::string_view openblas_override(const ProcessorFeatures& processor);

}  // namespace faultline
