// Tables of text for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace faultline {

/// Rows of cells; the first columns are aligned on the left, all others on the right.
class TextTable {
 public:
  /// `left`: how many columns are aligned on the left.
  explicit TextTable(std::vector<std::string> headings, std::size_t left = 1)
      : left_(left), rows_{std::move(headings)} {}
  /// Adds a row, of at most as many cells as there are headings.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.size() == 1; }
  /// Every line is indented by two spaces.
  std::string text() const;

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace faultline
