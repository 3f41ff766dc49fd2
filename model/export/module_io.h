// A batch as an exported network takes it, and what it gives.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/export/export_options.h"
#include "model/inference/folded_network.h"

namespace faultline {

struct ModuleInputs {
  std::int64_t batch = 0;
  std::vector<float> planes;             // [batch, planes, height, width]
  std::int64_t moves = 0;                // of the position that has most
  std::vector<std::int64_t> move_slots;  // [batch, moves], -1 behind the last
};

struct ModuleOutputs {
  std::vector<float> policy;      // [batch, moves] or, as logits, [batch, slots]
  std::vector<float> wdl;         // [batch, 3]
  std::vector<float> moves_left;  // [batch]
};

/// Throws ExportError for inputs that are not of the module's shapes, and what is no such output.
using RunModule = std::function<ModuleOutputs(const ModuleInputs&)>;

/// A TorchScript file, ready to run.
struct LoadedModule {
  RunModule run;
  std::map<std::string, FloatTensor> tensors;  // by attribute_name(), widened to fp32
  ExportMetadata metadata;                     // "encoding", "network"
};

}  // namespace faultline
