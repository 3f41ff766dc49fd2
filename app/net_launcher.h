// Starts `faultline-net`, the part of the command that links LibTorch, in place of this process.
#pragma once

namespace faultline {

/// True if the program is next to this one, which it is unless it was built without LibTorch.
bool net_program_exists();

/// Replaces this process by `faultline-net argv[1] …`, after setting the environment variables that
/// the numerical libraries read while they load (those the user has set stay as they are). Returns
/// only if that fails: prints why and gives the exit code.
int launch_net_program(char** argv);

}  // namespace faultline
