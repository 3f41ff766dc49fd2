// Measurements as lines of JSON in one file, so that a program that is killed loses one row, and
// one that is started again continues with the next.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace faultline::bench {

/// Rows of a results file by key. A row is one JSON object per line: the key's fields, then what
/// was measured, or "error". The last row with a key counts.
class Results {
 public:
  /// Reads what is there; lines that are no JSON objects (cut off by a kill) are ignored. Throws
  /// std::runtime_error if the file cannot be written. `budget`: measure() starts nothing after
  /// that many seconds; 0: no limit. `again`: rows that are there are measured once more.
  /// `watch`: the first GPU's power is part of each row.
  Results(std::filesystem::path file, double budget, bool again = false, bool watch = false);

  /// Calls `run` and appends its row, unless there is one without an error already or the time is
  /// over. An exception becomes the row's "error". On a GPU a row has "device", what DeviceWatch
  /// saw.
  void measure(const nlohmann::ordered_json& key,
               const std::function<nlohmann::ordered_json()>& run);
  /// Rows that measure() did not get to, or whose measurement failed.
  int missing() const { return missing_; }
  int failed() const { return failed_; }

 private:
  std::filesystem::path file_;
  std::chrono::steady_clock::time_point end_;
  bool watch_;
  std::map<std::string, bool> good_;  // by key: whether its row has no error
  int missing_ = 0;
  int failed_ = 0;
};

}  // namespace faultline::bench
