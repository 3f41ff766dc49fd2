// What was timed before, on disk.
#include "model/inference/probe_cache.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/file_lock.h"
#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/processor.h"
#include "base/processor_features.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr std::size_t kMostEntries = 200;
constexpr std::uintmax_t kLargestFile = 16U << 20;

Json to_json(const ProbeRate& rate) {
  Json json = faultline::to_json(rate.choice);
  json["positions_per_second"] = rate.positions_per_second;
  return json;
}

ProbeRate rate_from(const nlohmann::json& json) {
  ProbeRate rate{.choice = inference_choice_from_json(json, "rate"),
                 .positions_per_second = json_field<double>(json, "positions_per_second", "rate")};
  constexpr double kImpossible = 1e15;
  if (!(rate.positions_per_second > 0 && rate.positions_per_second < kImpossible))
    throw std::runtime_error("rate: out of range");
  return rate;
}

Json to_json(const ProbeResult& result) {
  Json json = {{"best", to_json(result.best)}, {"seconds", result.seconds}};
  json["rates"] = Json::array();
  for (const ProbeRate& rate : result.rates)
    json["rates"].push_back(to_json(rate));
  return json;
}

ProbeResult result_from(const nlohmann::json& json) {
  ProbeResult result;
  result.best = rate_from(json_field<nlohmann::json>(json, "best", "result"));
  result.seconds = json_field<double>(json, "seconds", "result");
  for (const auto& rate : json_field<nlohmann::json>(json, "rates", "result"))
    result.rates.push_back(rate_from(rate));
  return result;
}

/// The entries, {key, result} each, the oldest first; none in a file that is not a cache.
Json entries_in(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::file_size(file, error) > kLargestFile || error) return Json::array();
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  const Json json = Json::parse(text.str(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("format", Json()) != kFormat || !json.contains("entries") ||
      !json["entries"].is_array())
    return Json::array();
  return json["entries"];
}

/// Whether a result could be that of probe_backends: the file may have been edited.
bool answers(const ProbeResult& result, const ProbeRequest& request) {
  const InferenceChoice& best = result.best.choice;
  for (const BackendAttributes& candidate :
       backend_candidates(*request.backends, request.options, request.precisions)) {
    if (candidate.name != best.backend || candidate.device != best.device ||
        candidate.precision != best.precision)
      continue;
    const auto batches = request.batch ? std::vector<std::size_t>{*request.batch}
                                       : probed_batches(candidate, request.largest_batch);
    return std::ranges::find(batches, best.batch) != batches.end();
  }
  return false;
}

bool is_for(const Json& entry, const std::string& key) {
  return entry.is_object() && entry.contains("key") && entry["key"] == key;
}

}  // namespace

std::filesystem::path probe_cache_file() {
  const auto folder = [](const char* variable) {
    const char* value = std::getenv(variable);
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  std::filesystem::path caches = folder("XDG_CACHE_HOME");
  // The specification says to ignore a relative path.
  if (!caches.is_absolute()) {
    const std::filesystem::path home = folder("HOME");
    if (!home.is_absolute()) return {};
    caches = home / ".cache";
  }
  return caches / "faultline" / "inference.json";
}

std::optional<ProbeResult> ProbeCache::find(const std::string& key) const {
  if (file_.empty()) return std::nullopt;
  for (const Json& entry : entries_in(file_)) {
    if (!is_for(entry, key)) continue;
    try {
      return result_from(json_field<nlohmann::json>(entry, "result", "entry"));
    } catch (const std::exception&) {  // damaged: time it again
      return std::nullopt;
    }
  }
  return std::nullopt;
}

bool ProbeCache::keep(const std::string& key, const ProbeResult& result) const {
  if (file_.empty()) return false;
  try {
    std::filesystem::create_directories(file_.parent_path());
    std::filesystem::path lock_file = file_;
    lock_file += ".lock";
    const FileLock lock(lock_file);
    if (!lock.held()) return false;
    Json kept = Json::array();
    for (Json& entry : entries_in(file_))
      if (entry.is_object() && !is_for(entry, key)) kept.push_back(std::move(entry));
    if (kept.size() >= kMostEntries)
      kept.erase(kept.begin(),
                 kept.begin() + static_cast<std::ptrdiff_t>(kept.size() - kMostEntries + 1));
    kept.push_back({{"key", key}, {"result", to_json(result)}});
    write_file_atomically(file_, json_text(Json{{"format", kFormat}, {"entries", kept}}, 1) + "\n");
    return true;
  } catch (const std::exception&) {  // a home that cannot be written to, a full disk
    return false;
  }
}

CachedProbe probe_or_recall(const ProbeRequest& request, const ProbeCache& cache,
                            const std::string& program, const ProbeTiming& timing) {
  const std::string key =
      probe_key(request, program, processor_name() + "; " + describe(this_processor()));
  if (auto known = cache.find(key); known && answers(*known, request))
    return {.result = std::move(*known), .from_cache = true};
  CachedProbe probed{.result = probe_backends(request, timing), .from_cache = false};
  if (probed.result.complete) cache.keep(key, probed.result);
  return probed;
}

}  // namespace faultline
