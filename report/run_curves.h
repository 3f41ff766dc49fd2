// The curves of a training run.
#pragma once

#include <optional>

#include "base/document.h"
#include "report/metrics.h"

namespace faultline {

/// Losses, results, lengths and speeds over time, steps, games, positions and evaluations, as far
/// as the metrics have them.
Section curves_section(const Metrics& metrics);
/// The curve of the Elo of nets that were measured during the run (run.strength_minutes); nothing
/// if none was.
std::optional<Section> strength_section(const Metrics& metrics);

}  // namespace faultline
