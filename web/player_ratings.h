// Players whose strength was measured, so that an opponent can be chosen by its Elo.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "report/report_json.h"
#include "web/lab_folder.h"

namespace faultline::web {

/// Thread-safe.
class PlayerRatings {
 public:
  /// `lab` must outlive it.
  explicit PlayerRatings(const LabFolder& lab) : lab_(&lab) {}

  /// The reply to `ratings` (page/src/lab/desk.ts): a scale for each strength curve of a run
  /// (lab/strength_curve.h) and tournament of `entries` (folder_entries()) whose games are of the
  /// variant, and for each match that scripts/nets notes in the network that comes with the
  /// program for it. Only players that are there are listed, as they played then: their names
  /// have the limits of their moves. Ratings are computed again when their files change.
  ReportJson of(const std::string& variant, const ReportJson& entries);

 private:
  struct Kept {
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type changed;
    ReportJson scales;
  };
  /// The variant's scales by a file: `scales()`, if it is not the file that is known.
  ReportJson kept(const std::filesystem::path& file, const std::string& variant,
                  const std::function<ReportJson()>& scales);

  const LabFolder* lab_;
  std::mutex mutex_;
  std::map<std::pair<std::filesystem::path, std::string>, Kept> kept_;  // guarded by mutex_
};

}  // namespace faultline::web
