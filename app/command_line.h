// Command-line handling of both programs: parse, run, and turn exceptions into exit codes.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace faultline {

/// Returns the exit code: 0 done, 1 something failed, 2 bad usage or bad input (message on stderr),
/// 141 nobody reads the output any more.
/// `app` must have its subcommands; exactly one is required.
int run_command_line(CLI::App& app, int argc, char** argv);

/// The environment variable in which the launcher passes its build's families to faultline-net.
inline constexpr const char* kLauncherRules = "FAULTLINE_LAUNCHER_RULES";
/// The families and their options on one line. It is equal in two programs of the same build.
std::string built_rules();

}  // namespace faultline
