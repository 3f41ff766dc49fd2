// What both programs do with a command line: parse, run, and turn exceptions into exit codes.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace faultline {

/// Returns the exit code: 0 done, 1 something failed, 2 bad usage or bad input (message on stderr).
/// `app` must have its subcommands; exactly one is required.
int run_command_line(CLI::App& app, int argc, char** argv);

/// The environment variable in which the launcher tells faultline-net what it was built with.
inline constexpr const char* kLauncherRules = "FAULTLINE_LAUNCHER_RULES";
/// The families and their options as one line. Two programs of one build agree on it.
std::string built_rules();

}  // namespace faultline
