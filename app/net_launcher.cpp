// Finds faultline-net and replaces this process with it.
#include "app/net_launcher.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/core.h>
#include <unistd.h>

#include "app/check_game.h"
#include "app/command_line.h"
#include "app/net_players.h"
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
constexpr std::string_view kNetworkCommands[] = {"actor",      "analyse",   "lab",   "match",
                                                 "play",       "strength",  "study", "survey",
                                                 "tournament", "yardsticks"};

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

/// Whether a backend of this program runs with these options on the CPU.
bool computes_here(const std::string& backend, const std::string& precision) {
  DeviceOptions options{.device = "cpu", .backend = backend};
  const std::vector<std::string> names = precision_choice_names();
  const auto found = std::ranges::find(names, precision);
  // A precision that does not exist is refused by either program.
  if (found != names.end()) options.precision = static_cast<PrecisionChoice>(found - names.begin());
  try {
    playing_choice(options);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// A driver's device file: what LibTorch would find at most.
bool has_gpu() {
  return ::access("/dev/nvidiactl", F_OK) == 0 || ::access("/dev/kfd", F_OK) == 0;
}

}  // namespace

bool needs_net_program(std::span<char* const> arguments) {
  const std::string_view command = arguments[0];
  if (command == "check") return !checks_game(arguments);
  if (command == "train" || command == "distil" || command == "verify") return true;
  if (command == "export") {
    const std::string format = value_of(arguments, "--format");
    return format == "torchscript" || format == "bundle";
  }
  if (std::ranges::find(kNetworkCommands, command) == std::end(kNetworkCommands)) return false;
  if (!net_program_exists()) return false;  // what needs it is refused by name
  const auto is_auto = [](const std::string& value) { return value.empty() || value == kAuto; };
  const std::string device = value_of(arguments, "--device");
  const std::string backend = value_of(arguments, "--backend");
  if (!is_auto(device) && device != "cpu") return true;
  if (is_auto(device) && is_auto(backend) && has_gpu()) return true;
  return !computes_here(is_auto(backend) ? kAuto : backend, value_of(arguments, "--precision"));
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
