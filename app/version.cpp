// `faultline version`: the build, its target processor, and this processor's features.
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/net_launcher.h"
#include "app/net_players.h"
#include "app/numeric_environment.h"
#include "model/inference/lane_kernels.h"
#include "rules/bit_extraction.h"

namespace faultline {
namespace version_command {
namespace {

void append(std::string& list, bool present, const char* name) {
  if (!present) return;
  if (!list.empty()) list += ' ';
  list += name;
}

std::string built_for() {
  std::string list;
#ifdef __SSE4_2__
  append(list, true, "sse4.2");
#endif
#ifdef __POPCNT__
  append(list, true, "popcnt");
#endif
#ifdef __BMI2__
  append(list, true, "bmi2");
#endif
#ifdef __AVX2__
  append(list, true, "avx2");
#endif
#ifdef __AVX512F__
  append(list, true, "avx512f");
#endif
#ifdef __AVX512VNNI__
  append(list, true, "avx512vnni");
#endif
#ifdef __AVX512BF16__
  append(list, true, "avx512bf16");
#endif
#ifdef __ARM_NEON
  append(list, true, "neon");
#endif
  return list.empty() ? "the architecture's baseline" : list;
}

std::string processor_has() {
  std::string list;
#if defined(__x86_64__)
  append(list, __builtin_cpu_supports("sse4.2") != 0, "sse4.2");
  append(list, __builtin_cpu_supports("popcnt") != 0, "popcnt");
  append(list, __builtin_cpu_supports("bmi2") != 0, "bmi2");
  append(list, __builtin_cpu_supports("avx2") != 0, "avx2");
  append(list, __builtin_cpu_supports("avx512f") != 0, "avx512f");
  append(list, __builtin_cpu_supports("avx512vnni") != 0, "avx512vnni");
  append(list, __builtin_cpu_supports("avx512bf16") != 0, "avx512bf16");
#endif
  return list.empty() ? "not known on this architecture" : list;
}

const char* slider_attacks() {
  return uses_pext() ? "pext" : "portable";
}

/// The loops of CPU inference that were chosen for this processor.
std::string network_kernels() {
  const LaneKernels& kernels = lane_kernels();
  return fmt::format("{}, {} lanes", kernels.name, kernels.lanes);
}

constexpr const char* compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

void print_backends() {
  for (const BackendInfo& backend : program_backends().all())
    fmt::print("{:<16}{} ({})\n", &backend == &program_backends().all().front() ? "inference" : "",
               backend.name, backend.help);
  fmt::print("  auto here     {}\n", describe_backend(playing_choice({.device = "cpu"})));
}

}  // namespace
}  // namespace version_command

void add_version(CLI::App& app) {
  using namespace version_command;
  CLI::App* command =
      app.add_subcommand("version", "print versions, instruction sets and LibTorch's devices");
  auto environment = std::make_shared<bool>(false);
  command->add_flag("--environment", *environment,
                    "print the variables set for the numerical libraries, as shell commands");
  command->callback([environment] {
    if (*environment) {
      fmt::print("{}", environment_script());
      return;
    }
    fmt::print("faultline       {}\n", FAULTLINE_VERSION);
    fmt::print("compiler        {}\n", compiler());
    fmt::print("build           {}\n", FAULTLINE_BUILD);
    fmt::print("built for       {}\n", built_for());
    fmt::print("processor has   {}\n", processor_has());
    fmt::print("slider attacks  {}\n", slider_attacks());
    fmt::print("CPU kernels     {}\n", network_kernels());
    print_backends();
    if (!net_program_exists()) {
      fmt::print(
          "LibTorch        not built in: no train, check or verify, no GPU, no TorchScript or "
          "bundles\n");
      return;
    }
    std::fflush(stdout);
    std::string program = "faultline", name = "version";
    char* arguments[] = {program.data(), name.data(), nullptr};
    throw CLI::RuntimeError(launch_net_program(arguments));
  });
}

}  // namespace faultline
