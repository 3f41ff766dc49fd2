// A run's metrics.jsonl as columns of numbers.
#include "report/metrics.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <istream>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

namespace faultline {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

using Line = std::map<std::string, double, std::less<>>;

void flatten(const nlohmann::json& json, const std::string& key, Line& line) {
  const std::string prefix = key.empty() ? "" : key + ".";
  if (json.is_number()) {
    line[key] = json.get<double>();
  } else if (json.is_object()) {
    for (const auto& [name, value] : json.items())
      flatten(value, prefix + name, line);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i)
      flatten(json[i], prefix + std::to_string(i), line);
  }
}

double value_of(const Line& line, std::string_view key) {
  const auto found = line.find(key);
  return found == line.end() ? kMissing : found->second;
}

bool only_grows(std::string_view key) {
  constexpr std::string_view kTotals[] = {"seconds",     "games", "positions",  "steps",
                                          "cpu_seconds", "done",  "evaluations"};
  return std::ranges::find(kTotals, key) != std::end(kTotals);
}

}  // namespace

Metrics::Metrics(std::istream& in) {
  std::vector<Line> lines;
  for (std::string text; std::getline(in, text);) {
    if (text.empty()) continue;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) {
      ++damaged_;
      continue;
    }
    Line line;
    flatten(json, "", line);
    while (!lines.empty() && value_of(lines.back(), "steps") > value_of(line, "steps")) {
      lines.pop_back();
      ++replaced_;
    }
    lines.push_back(std::move(line));
  }
  lines_ = lines.size();
  for (std::size_t i = 0; i < lines_; ++i)
    for (const auto& [key, value] : lines[i])
      columns_.try_emplace(key, lines_, kMissing).first->second[i] = value;
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
