// Reads a run's metrics.jsonl.
#pragma once

#include <cstddef>
#include <functional>
#include <istream>

#include <nlohmann/json_fwd.hpp>

namespace faultline {

struct MetricsLines {
  std::function<void(const nlohmann::json& line)> add;
  /// Takes back the last line that was added and not taken back: the run was killed and resumed
  /// from a state before it.
  std::function<void()> take_back;
  std::size_t damaged = 0;   // lines that are not JSON objects, which are left out
  std::size_t replaced = 0;  // lines that were taken back
};

/// Gives the lines to `lines`, so that the run's steps and seconds only grow.
void read_metrics(std::istream& in, MetricsLines& lines);

}  // namespace faultline
