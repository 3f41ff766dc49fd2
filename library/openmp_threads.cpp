// The number of OpenMP's threads; without oneDNN nobody changes it.
#include "library/openmp_threads.h"

#ifdef FAULTLINE_ONEDNN

#include <omp.h>

namespace faultline {

KeepsOpenMpThreads::KeepsOpenMpThreads() : threads_(omp_get_max_threads()) {}
KeepsOpenMpThreads::~KeepsOpenMpThreads() {
  if (omp_get_max_threads() != threads_) omp_set_num_threads(threads_);
}

}  // namespace faultline

#else

namespace faultline {

KeepsOpenMpThreads::KeepsOpenMpThreads() : threads_(0) {}
KeepsOpenMpThreads::~KeepsOpenMpThreads() = default;

}  // namespace faultline

#endif
