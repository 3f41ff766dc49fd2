// The environment that LibTorch, OpenMP and OpenBLAS need before they load, and the exec.
#include "app/net_launcher.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include <fmt/core.h>
#include <unistd.h>

#include "app/command_line.h"

namespace faultline {
namespace {

std::filesystem::path net_program() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : self.parent_path() / "faultline-net";
}

void set_unless_set(const char* name, const char* value) {
  constexpr int kKeep = 0;
  ::setenv(name, value, kKeep);
}

/// The subset that Skylake servers brought and that libraries mean by "AVX-512".
bool has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

/// OpenBLAS takes processors newer than itself for one of 2004, which costs a factor of five. It
/// accepts being told which kernels to use; null where there is nothing better to say.
const char* openblas_core_type() {
  if (has_avx512()) return "SkylakeX";
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

void prepare_environment() {
  // One thread an evaluator and many evaluators: threads inside an operation only cost here, and
  // OpenMP's busy waiting slows them by 90 when the machine has other work.
  set_unless_set("OMP_WAIT_POLICY", "PASSIVE");
  set_unless_set("OMP_NUM_THREADS", "1");
  set_unless_set("OPENBLAS_NUM_THREADS", "1");
  // A training step frees and asks again for some hundred MB of activations. Given back to the
  // kernel each time, they cost a seventh of the step in page faults; 32 MB is the largest that
  // glibc takes.
  set_unless_set("MALLOC_MMAP_THRESHOLD_", "33554432");
  set_unless_set("MALLOC_TRIM_THRESHOLD_", "4294967296");
  if (const char* core = openblas_core_type()) set_unless_set("OPENBLAS_CORETYPE", core);
  // LibTorch's own loops: AVX2 unless told otherwise, whatever the processor has.
  if (has_avx512()) set_unless_set("ATEN_CPU_CAPABILITY", "avx512");
}

}  // namespace

bool net_program_exists() {
  return ::access(net_program().c_str(), X_OK) == 0;
}

int launch_net_program(char** argv) {
  const std::string program = net_program().string();
  if (!net_program_exists()) {
    fmt::print(
        stderr,
        "faultline: '{}' needs {}, which is not there: it was built without LibTorch, or not at "
        "all.\n"
        "Build it: scripts/setup, then scripts/build release -DFAULTLINE_TORCH=ON.\n",
        argv[1], program.empty() ? "faultline-net" : program);
    return 1;
  }
  prepare_environment();
  ::setenv(kLauncherRules, built_rules().c_str(), 1);
  ::execv(program.c_str(), argv);
  fmt::print(stderr, "faultline: cannot start {}: {}\n", program, std::strerror(errno));
  return 1;
}

}  // namespace faultline
