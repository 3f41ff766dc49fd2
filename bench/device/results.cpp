// Measurements as lines of JSON in one file.
#include "bench/device/results.h"

#include <cstdio>
#include <exception>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "bench/device/device_power.h"

namespace faultline::bench {

using nlohmann::ordered_json;

Results::Results(std::filesystem::path file, double budget, bool again, bool watch)
    : file_(std::move(file)), end_(std::chrono::steady_clock::time_point::max()), watch_(watch) {
  if (budget > 0)
    end_ = std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(
               std::chrono::duration<double>(budget));
  std::ifstream in(file_);
  for (std::string line; std::getline(in, line);) {
    const ordered_json row = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!again && row.is_object() && row.contains("key"))
      good_[row["key"].dump()] = !row.contains("error");
  }
  if (!std::ofstream(file_, std::ios::app))
    throw std::runtime_error(file_.string() + ": cannot be written");
}

void Results::measure(const ordered_json& key, const std::function<ordered_json()>& run) {
  const auto known = good_.find(key.dump());
  if (known != good_.end() && known->second) return;
  if (std::chrono::steady_clock::now() >= end_) {
    ++missing_;
    return;
  }
  ordered_json row = {{"key", key}};
  try {
    std::optional<DeviceWatch> watch;
    if (watch_) watch.emplace();
    row.update(run());
    if (watch) row["device"] = watch->end();
  } catch (const std::exception& error) {
    row["error"] = error.what();
    ++failed_;
  }
  const std::string line = row.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  // A line that a kill cut off must not swallow this one.
  std::ofstream out(file_, std::ios::app);
  std::ifstream in(file_, std::ios::binary | std::ios::ate);
  if (in.tellg() > 0) {
    in.seekg(-1, std::ios::end);
    if (in.get() != '\n') out << '\n';
  }
  out << line << '\n' << std::flush;
  if (!out) throw std::runtime_error(file_.string() + ": cannot be written");
  fmt::print("{}\n", line);
  std::fflush(stdout);
  good_[key.dump()] = !row.contains("error");
}

}  // namespace faultline::bench
