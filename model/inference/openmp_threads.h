// Keeping OpenMP to one thread in programs that do not control the environment in which it loads.
#pragma once

namespace faultline {

/// From now on OpenMP regions that the calling thread enters run on that thread alone. Call it on
/// every thread that makes a backend or computes with one: the number is a thread's own (a new
/// thread starts with OMP_NUM_THREADS or the number of cores), and a library may read it when it
/// makes a computation. Cheap; does nothing if the program has loaded no OpenMP library.
///
/// Setting OMP_NUM_THREADS and OMP_WAIT_POLICY in main() would be too late, since OpenMP reads them
/// while it loads. With one thread there is no team, and so nothing that waits: the policy does
/// not matter.
void use_one_openmp_thread();

}  // namespace faultline
