// Tables of text for a terminal.
#pragma once

#include <string>
#include <vector>

namespace faultline {

/// Rows of cells; the first column is aligned on the left, all others on the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headings) : rows_{std::move(headings)} {}
  /// As many cells as there are headings.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.size() == 1; }
  /// Every line is indented by two spaces.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace faultline
