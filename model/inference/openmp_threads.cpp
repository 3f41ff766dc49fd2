// Keeping OpenMP to one thread in programs that do not control the environment in which it loads.
#include "model/inference/openmp_threads.h"

#include <dlfcn.h>

namespace faultline {

void use_one_openmp_thread() {
  // Looked up, because which OpenMP library there is, if any, is another library's choice.
  using SetThreads = void(int);
  thread_local const bool done = [] {
    if (auto* const set = reinterpret_cast<SetThreads*>(::dlsym(RTLD_DEFAULT, "omp_set_num_threads")))
      set(1);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace faultline
