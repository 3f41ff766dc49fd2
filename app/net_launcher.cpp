// Finds faultline-net and replaces this process with it.
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
#include "app/numeric_environment.h"

namespace faultline {
namespace {

std::filesystem::path net_program() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : self.parent_path() / "faultline-net";
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
        "faultline: '{}' needs {}, which does not exist: it was built without LibTorch, or not at "
        "all.\n"
        "Build it: scripts/setup, then scripts/build release -DFAULTLINE_TORCH=ON.\n",
        argv[1], program.empty() ? "faultline-net" : program);
    return 1;
  }
  set_numeric_environment();
  ::setenv(kLauncherRules, built_rules().c_str(), 1);
  ::execv(program.c_str(), argv);
  fmt::print(stderr, "faultline: cannot start {}: {}\n", program, std::strerror(errno));
  return 1;
}

}  // namespace faultline
