// Whether this processor can run the loops that this build contains.
#include "model/inference/vnni_kernels.h"

#include "base/processor_features.h"

namespace faultline {

#ifdef FAULTLINE_VNNI
extern const VnniKernels vnni_loops;
#endif

const VnniKernels* vnni_kernels() {
#ifdef FAULTLINE_VNNI
  if (this_processor().avx512 && this_processor().avx512_vnni) return &vnni_loops;
#endif
  return nullptr;
}

}  // namespace faultline
