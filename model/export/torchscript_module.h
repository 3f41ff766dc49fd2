// Runs an exported TorchScript file with LibTorch alone: none of this program's network code.
#pragma once

#include <string>

#include "model/export/module_io.h"

namespace faultline {

/// Loads the module of a .pt file onto a CPU and learns its shapes from the "encoding" and
/// "network" in it. Throws ExportError for bytes that LibTorch cannot load.
LoadedModule load_torchscript(const std::string& bytes);

}  // namespace faultline
