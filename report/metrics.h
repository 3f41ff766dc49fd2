// A run's metrics.jsonl as columns of numbers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

/// Every number of a line under its key: "steps", "loss.policy" in an object, "elo_95.0" in an
/// array.
class Metrics {
 public:
  Metrics() = default;
  /// Lines that are not JSON objects are counted and left out. Lines of steps that a run did again,
  /// after it was killed and resumed from an earlier state, replace the first ones.
  explicit Metrics(std::istream& in);
  /// An absent file has no lines.
  static Metrics of_file(const std::filesystem::path& file);

  std::size_t lines() const { return lines_; }
  std::size_t damaged_lines() const { return damaged_; }
  std::size_t replaced_lines() const { return replaced_; }

  /// Whether any line has the key.
  bool has(std::string_view key) const;
  /// A value per line; NaN where it is missing, and an empty column for a key that no line has.
  const std::vector<double>& column(std::string_view key) const;
  /// The last value of the key; NaN if there is none.
  double last(std::string_view key) const;

  /// Metrics of at most so many lines, each of which stands for as many of the original ones:
  /// amounts that only grow (seconds, steps, games, …) are the last of them, all others means.
  Metrics thinned(std::size_t most) const;

 private:
  void take_back();

  std::map<std::string, std::vector<double>, std::less<>> columns_;
  std::size_t lines_ = 0;
  std::size_t damaged_ = 0;
  std::size_t replaced_ = 0;
};

}  // namespace faultline
