// What both programs do with a command line: parse, run, and turn exceptions into exit codes.
#pragma once

namespace CLI {
class App;
}

namespace faultline {

/// Returns the exit code: 0 done, 1 something failed, 2 bad usage or bad input (message on stderr).
/// `app` must have its subcommands; exactly one is required.
int run_command_line(CLI::App& app, int argc, char** argv);

}  // namespace faultline
