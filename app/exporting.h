// The subcommands that write networks for other programs and check what was written.
#pragma once

#include "model/export/bundle_writer.h"

namespace CLI {
class App;
}

namespace faultline {

/// In both programs; TorchScript and bundles in `faultline-net`.
void add_export(CLI::App& app);
/// In `faultline-net`, which links LibTorch; `faultline` starts it (app/net_launcher.h).
void add_verify(CLI::App& app);

inline constexpr const char* kVerifySummary =
    "check a bundle: its hashes, and its network's outputs by LibTorch alone";

/// write_torchscript in faultline-net; empty in faultline, which does not link LibTorch. Defined
/// next to each program's main().
const WriteTorchScript& program_torchscript();

}  // namespace faultline
