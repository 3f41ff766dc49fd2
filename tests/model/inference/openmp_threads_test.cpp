// OpenMP's number of threads, in a program that links it and was started without its variables.
#include "model/inference/openmp_threads.h"

#include <atomic>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>
#include <omp.h>

namespace faultline {
namespace {

/// The threads that take part in a region entered by this one.
int threads_of_a_region() {
  std::atomic<int> threads{0};
#pragma omp parallel
  ++threads;
  return threads;
}

/// The threads of a region, and of one that asks for as many as were available when it was made.
struct Seen {
  int region = 0;
  int available = 0;
};
Seen seen_by_a_thread(bool limited) {
  Seen seen;
  std::thread([&] {
    if (limited) use_one_openmp_thread();
    seen = {threads_of_a_region(), omp_get_max_threads()};
  }).join();
  return seen;
}

TEST(OpenMpThreads, AThreadThatIsLimitedStartsNoOthers) {
  // Each std::thread begins with OpenMP's initial number, as if there were three cores.
  ASSERT_EQ(seen_by_a_thread(false).available, 3) << "OMP_NUM_THREADS=3 was not read";
  EXPECT_EQ(seen_by_a_thread(false).region, 3);
  EXPECT_EQ(seen_by_a_thread(true).region, 1);
  EXPECT_EQ(seen_by_a_thread(true).available, 1);
  EXPECT_EQ(seen_by_a_thread(false).region, 3) << "other threads keep theirs";
}

TEST(OpenMpThreads, VariablesSetInTheProgramComeTooLate) {
  // Why use_one_openmp_thread exists.
  setenv("OMP_NUM_THREADS", "1", 1);
  EXPECT_EQ(seen_by_a_thread(false).available, 3);
  setenv("OMP_NUM_THREADS", "3", 1);
}

}  // namespace
}  // namespace faultline
