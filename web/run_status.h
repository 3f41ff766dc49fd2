// Whether a run goes on, and how far it has come.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/report_json.h"
#include "web/run_control.h"

namespace faultline::web {

struct RunStatus {
  bool running = false;
  std::string state = {};                                       // "running: 45 %, step 1,200"
  std::optional<double> seconds_left = {};                      // to the nearest limit
  std::vector<std::pair<std::string, std::string>> facts = {};  // of the last row
};

/// Whether pages can watch it: a run's folder, or one that a run was started in.
bool holds_run(const std::filesystem::path& folder);

/// `last`: the last row of its metrics (run_rows.h).
RunStatus run_status(const std::filesystem::path& folder, const ReportJson& last,
                     const HeldLocks& locks, RunControl& control);

/// The variant that a run plays, as its files say it; "" if they do not.
std::string variant_of_run(const std::filesystem::path& folder);

}  // namespace faultline::web
