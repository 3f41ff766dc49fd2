// Reports of what lies in the lab's folder, made once.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "report/report_json.h"

namespace faultline::web {

/// Thread-safe.
class Documents {
 public:
  /// What report_json() makes of a folder or a file. It is made anew when a file in it has another
  /// size or time, but not sooner than ten times as long after it was made as that took: reports of
  /// large runs, which change every few seconds, take seconds. Throws RequestError with the field
  /// "path" for what no report can be made of.
  ReportJson document(const std::filesystem::path& path);

 private:
  struct Made {
    std::uint64_t stamp = 0;  // of its files
    std::chrono::steady_clock::time_point when = {};
    std::chrono::steady_clock::duration cost = {};
    std::shared_ptr<const ReportJson> document;
  };
  struct Place {
    std::mutex making;  // a document is made once for all who ask meanwhile
    Made made;
  };

  std::mutex mutex_;
  std::map<std::filesystem::path, std::shared_ptr<Place>> places_;  // guarded by mutex_
};

}  // namespace faultline::web
