// A run's metrics.jsonl as columns of numbers.
#include "report/metrics.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <istream>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "record/metrics_lines.h"

namespace faultline {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

using Columns = std::map<std::string, std::vector<double>, std::less<>>;

/// Adds a value for the line of this number; lines before it without the key have none.
void flatten(const nlohmann::json& json, const std::string& key, std::size_t line,
             Columns& columns) {
  const std::string prefix = key.empty() ? "" : key + ".";
  if (json.is_number()) {
    std::vector<double>& column = columns[key];
    column.resize(line, kMissing);
    column.push_back(json.get<double>());
  } else if (json.is_object()) {
    for (const auto& [name, value] : json.items())
      flatten(value, prefix + name, line, columns);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i)
      flatten(json[i], prefix + std::to_string(i), line, columns);
  }
}

bool only_grows(std::string_view key) {
  constexpr std::string_view kTotals[] = {"seconds",     "games", "positions",  "steps",
                                          "cpu_seconds", "done",  "evaluations"};
  return std::ranges::find(kTotals, key) != std::end(kTotals);
}

}  // namespace

Metrics::Metrics(std::istream& in) {
  MetricsLines lines{
      .add = [this](const nlohmann::json& line) { flatten(line, "", lines_++, columns_); },
      .take_back = [this] { take_back(); }};
  read_metrics(in, lines);
  damaged_ = lines.damaged;
  replaced_ = lines.replaced;
  for (auto& [key, values] : columns_)
    values.resize(lines_, kMissing);
}

void Metrics::take_back() {
  --lines_;
  for (auto& [key, values] : columns_)
    values.resize(std::min(values.size(), lines_));
}

Metrics Metrics::of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return Metrics(in);
}

bool Metrics::has(std::string_view key) const {
  return columns_.contains(key);
}

const std::vector<double>& Metrics::column(std::string_view key) const {
  static const std::vector<double> none;
  const auto found = columns_.find(key);
  return found == columns_.end() ? none : found->second;
}

double Metrics::last(std::string_view key) const {
  const std::vector<double>& values = column(key);
  for (std::size_t i = values.size(); i-- > 0;)
    if (!std::isnan(values[i])) return values[i];
  return kMissing;
}

Metrics Metrics::thinned(std::size_t most) const {
  if (lines_ <= most) return *this;
  Metrics result;
  const std::size_t together = (lines_ + most - 1) / most;
  result.lines_ = (lines_ + together - 1) / together;
  result.damaged_ = damaged_;
  result.replaced_ = replaced_;
  for (const auto& [key, values] : columns_) {
    std::vector<double>& thin = result.columns_[key];
    for (std::size_t begin = 0; begin < lines_; begin += together) {
      double sum = 0, last = kMissing;
      int count = 0;
      for (std::size_t i = begin; i < std::min(lines_, begin + together); ++i) {
        if (std::isnan(values[i])) continue;
        last = values[i];
        sum += last;
        ++count;
      }
      thin.push_back(only_grows(key) || count == 0 ? last : sum / count);
    }
  }
  return result;
}

}  // namespace faultline
