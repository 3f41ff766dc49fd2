// The environment variables that the numerical libraries read while they load, with reasons.
#include "app/numeric_environment.h"

#include <cstdlib>

#include <fmt/core.h>

#include "app/openblas_core.h"

namespace faultline {

std::vector<EnvironmentSetting> numeric_environment(const ProcessorFeatures& processor) {
  constexpr const char* kOneThread =
      "Evaluators run in parallel; threads inside an operation only cost time.";
  constexpr const char* kKeepMemory =
      "Returning a training step's activations to the kernel costs a seventh of it in page faults.";
  std::vector<EnvironmentSetting> settings = {
      {"OMP_WAIT_POLICY", "PASSIVE",
       "OpenMP's busy waiting is up to 90 times slower on a machine with other work."},
      {"OMP_NUM_THREADS", "1", kOneThread},
      {"OPENBLAS_NUM_THREADS", "1", kOneThread},
      {"MALLOC_MMAP_THRESHOLD_", "33554432", kKeepMemory},  // the largest that glibc takes
      {"MALLOC_TRIM_THRESHOLD_", "4294967296", kKeepMemory},
  };
  if (const std::string_view core = openblas_override(processor); !core.empty())
    settings.push_back(
        {"OPENBLAS_CORETYPE", std::string(core),
         "OpenBLAS goes by the processor's model, which says less than its features."});
  if (processor.avx512)
    settings.push_back({"ATEN_CPU_CAPABILITY", "avx512",
                        "LibTorch's own loops stop at AVX2 unless told otherwise."});
  return settings;
}

void set_numeric_environment() {
  constexpr int kKeep = 0;
  for (const EnvironmentSetting& setting : numeric_environment(this_processor()))
    ::setenv(setting.name, setting.value.c_str(), kKeep);
}

std::string environment_script() {
  std::string script;
  for (const EnvironmentSetting& setting : numeric_environment(this_processor()))
    script += fmt::format("# {}\nexport {}=${{{}-{}}}\n", setting.why, setting.name, setting.name,
                          setting.value);
  return script;
}

}  // namespace faultline
