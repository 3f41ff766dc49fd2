// What was timed before, on disk: so that a second run of the same network starts at once and with
// the same choice.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "model/inference/backend_probe.h"

namespace faultline {

/// "inference.json" in the user's cache folder: $XDG_CACHE_HOME/faultline, or ~/.cache/faultline;
/// empty if there is neither.
std::filesystem::path probe_cache_file();

/// A file of results by key. Nothing depends on it: one that is missing, damaged or written by
/// another version counts as empty, and is replaced by the next result.
class ProbeCache {
 public:
  /// An empty path: nothing is kept.
  explicit ProbeCache(std::filesystem::path file) : file_(std::move(file)) {}

  const std::filesystem::path& file() const { return file_; }
  std::optional<ProbeResult> find(const std::string& key) const;
  /// Adds the result, and drops the oldest where there are many. False, and no change, if the file
  /// cannot be written or another process is writing it.
  bool keep(const std::string& key, const ProbeResult& result) const;

 private:
  std::filesystem::path file_;
};

struct CachedProbe {
  ProbeResult result = {};
  bool from_cache = false;
};

/// The cached result for this request on this machine, or a new one, which is then kept if it is
/// complete.
/// `program`: see probe_key.
CachedProbe probe_or_recall(const ProbeRequest& request, const ProbeCache& cache,
                            const std::string& program, const ProbeTiming& timing = {});

}  // namespace faultline
