// Finds faultline-net and replaces this process with it.
#include "app/net_launcher.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/core.h>
#include <unistd.h>

#include "app/command_line.h"
#include "app/numeric_environment.h"
#include "model/inference/backend_registry.h"

namespace faultline {
namespace {

std::filesystem::path net_program() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : self.parent_path() / "faultline-net";
}

/// The commands of both programs.
constexpr std::string_view kNetworkCommands[] = {"analyse", "match", "play", "strength",
                                                 "tournament"};

/// The value of "--option X" or "--option=X", the last one given; "" if it is not.
std::string value_of(std::span<char* const> arguments, std::string_view option) {
  std::string value;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == option && i + 1 < arguments.size()) value = arguments[i + 1];
    if (argument.starts_with(option) && argument.substr(option.size()).starts_with('='))
      value = argument.substr(option.size() + 1);
  }
  return value;
}

/// Whether this program itself computes networks in the precision of that name.
bool computes_in(std::string_view precision) {
  return std::ranges::any_of(kPrecisions, [&](Precision known) {
    return name(known) == precision &&
           std::ranges::any_of(cpu_backends().all(), [&](const BackendInfo& backend) {
             return backend.attributes({.device = "cpu", .precision = known}).has_value();
           });
  });
}

/// A driver's device file: what LibTorch would find at most.
bool has_gpu() {
  return ::access("/dev/nvidiactl", F_OK) == 0 || ::access("/dev/kfd", F_OK) == 0;
}

}  // namespace

bool needs_net_program(std::span<char* const> arguments) {
  const std::string_view command = arguments[0];
  if (command == "train") return true;
  if (std::ranges::find(kNetworkCommands, command) == std::end(kNetworkCommands)) return false;
  if (!net_program_exists()) return false;  // what needs it is refused by name
  const std::string device = value_of(arguments, "--device");
  const std::string precision = value_of(arguments, "--precision");
  if (!precision.empty() && !computes_in(precision)) return true;
  if (device == "cpu") return false;
  if (!device.empty() && device != "auto") return true;
  return has_gpu();
}

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
