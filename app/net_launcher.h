// Starts `faultline-net`, the part of the command that links LibTorch, in place of this process.
#pragma once

#include <span>

namespace faultline {

/// True if the program is next to this one, which it is unless it was built without LibTorch.
bool net_program_exists();

/// Whether the command `arguments[0]` with its arguments has to run in faultline-net: `train` and
/// `verify` always; `export` for TorchScript and bundles; the commands that play with networks if
/// they are asked for a device, a backend or a precision that `faultline` itself does not have, or
/// the machine has a GPU for --device auto and no backend is named. (`faultline` computes networks
/// on the CPU and starts 0.3 s sooner.)
bool needs_net_program(std::span<char* const> arguments);

/// Replaces this process by `faultline-net argv[1] …`, after setting the environment variables that
/// the numerical libraries read while they load (those the user has set stay as they are). Returns
/// only if that fails: prints why and gives the exit code.
int launch_net_program(char** argv);

}  // namespace faultline
