// A batch as an exported network takes it, and what it gives.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

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

using RunModule = std::function<ModuleOutputs(const ModuleInputs&)>;

}  // namespace faultline
