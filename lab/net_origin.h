// What a run's folder knows of one of its nets: for those who get the net alone.
#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "model/checkpoint.h"

namespace faultline {

/// {"run": {"name", "net", "games", "positions", "evaluations", "seconds"}, "strength": {the
/// settings of the table, "rows": [{"opponent", "result", "seconds", "processor"}]}} of a
/// checkpoint in a run's folder nets/. Both are null for a net of no run; "strength" also if the
/// run's strength.json is about other weights, and the cost is left out if the run has no metrics.
/// Throws ExperimentError.
nlohmann::ordered_json net_origin(const std::filesystem::path& net, const CheckpointInfo& info);

}  // namespace faultline
