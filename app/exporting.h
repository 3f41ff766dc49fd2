// What only one of the two programs can write.
#pragma once

#include "model/export/bundle_writer.h"

namespace faultline {

/// write_torchscript in faultline-net; empty in faultline, which does not link LibTorch. Defined
/// next to each program's main().
const WriteTorchScript& program_torchscript();

}  // namespace faultline
