// The environment variables that the numerical libraries read while they load, with reasons.
#include "app/numeric_environment.h"

#include <cstdlib>

#include <fmt/core.h>

namespace faultline {
namespace {

/// The subset introduced with Skylake servers, which libraries mean by "AVX-512".
bool has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

}  // namespace

std::vector<EnvironmentSetting> numeric_environment() {
  constexpr const char* kOneThread =
      "Evaluators run in parallel; threads inside an operation only cost time.";
  constexpr const char* kKeepMemory =
      "Returning a training step's activations to the kernel costs a seventh of it in page faults.";
  constexpr const char* kOpenBlasCore =
      "OpenBLAS treats processors newer than itself as one of 2004, five times slower.";
  std::vector<EnvironmentSetting> settings = {
      {"OMP_WAIT_POLICY", "PASSIVE",
       "OpenMP's busy waiting is up to 90 times slower on a machine with other work."},
      {"OMP_NUM_THREADS", "1", kOneThread},
      {"OPENBLAS_NUM_THREADS", "1", kOneThread},
      {"MALLOC_MMAP_THRESHOLD_", "33554432", kKeepMemory},  // the largest that glibc takes
      {"MALLOC_TRIM_THRESHOLD_", "4294967296", kKeepMemory},
  };
  if (has_avx512()) {
    settings.push_back({"OPENBLAS_CORETYPE", "SkylakeX", kOpenBlasCore});
    settings.push_back({"ATEN_CPU_CAPABILITY", "avx512",
                        "LibTorch's own loops stop at AVX2 unless told otherwise."});
  } else if (has_avx2()) {
    settings.push_back({"OPENBLAS_CORETYPE", "Haswell", kOpenBlasCore});
  }
  return settings;
}

void set_numeric_environment() {
  constexpr int kKeep = 0;
  for (const EnvironmentSetting& setting : numeric_environment())
    ::setenv(setting.name, setting.value, kKeep);
}

std::string environment_script() {
  std::string script;
  for (const EnvironmentSetting& setting : numeric_environment())
    script += fmt::format("# {}\nexport {}=${{{}-{}}}\n", setting.why, setting.name, setting.name,
                          setting.value);
  return script;
}

}  // namespace faultline
