// The curves of a training run.
#pragma once

#include <optional>

#include "report/metrics.h"
#include "report/report_json.h"

namespace faultline {

/// "curves": "axes", the quantities that a run can be drawn over, each with its values; "charts",
/// each with series over them. A chart without any series is left out.
ReportJson curves_section(const Metrics& metrics);
/// The curve of the Elo of nets that were measured during the run (run.strength_minutes); nothing
/// if none was.
std::optional<ReportJson> strength_section(const Metrics& metrics);

}  // namespace faultline
