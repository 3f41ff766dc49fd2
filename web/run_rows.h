// The rows of a run's metrics.jsonl that a page draws, while the file grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "report/report_json.h"

namespace faultline::web {

/// The last complete line of a metrics.jsonl as a row; an empty object if there is none.
ReportJson last_row(const std::filesystem::path& metrics);

/// Knows where the rows are and keeps none of them: 32 bytes each. A row is a complete line, a JSON
/// object; a damaged one is a row
/// without numbers. Rows about steps that a run did again are hidden, as reports do
/// (record/metrics_lines.h). Of long files only every 2nd, 4th, … line counts, so that at most
/// 2 * kMost rows are shown, and the last. Used by one thread at a time.
class RunRows {
 public:
  static constexpr std::size_t kMost = 1000;

  explicit RunRows(std::filesystem::path file) : file_(std::move(file)) {}

  /// Reads what was appended since the last call. An absent file has no rows.
  void update();

  std::size_t size() const { return rows_.size(); }
  /// Whether every line is a row, and none was ever hidden: then the rows that an earlier object
  /// showed are the first of these.
  bool complete() const { return step_ == 1 && !replaced_; }
  /// Grows with each update() after which rows that were there are not, or are others.
  std::uint64_t edition() const { return edition_; }
  /// The run's time at a row, in seconds.
  double seconds(std::size_t row) const { return rows_[row].seconds; }

  /// Rows of [from, size()): numbers by their keys, "loss.policy" in objects, "strength.elo_95.0"
  /// in arrays. Stops before a row that is no longer there.
  std::vector<ReportJson> read(std::size_t from) const;

 private:
  struct Row {
    std::uint64_t offset = 0;  // of the line
    std::uint32_t bytes = 0;
    double steps = 0;
    double seconds = 0;
  };

  void begin_again();
  void add(const std::string& line, std::uint64_t offset);

  std::filesystem::path file_;
  std::uint64_t inode_ = 0;
  std::uint64_t read_ = 0;  // bytes of complete lines
  std::string last_;        // the last line of these, by which a file that was rewritten is known
  std::size_t step_ = 1;    // of the lines that existed at the beginning, every so manieth is a row
  std::vector<Row> rows_;
  bool replaced_ = false;
  std::uint64_t edition_ = 0;
};

}  // namespace faultline::web
