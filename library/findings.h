// What a search found, in the structures of faultline.h with the texts that they point to.
#pragma once

#include <string>
#include <vector>

#include "library/faultline.h"
#include "play/analyser.h"
#include "play/game.h"

namespace faultline {

/// A line and its texts.
class FoundLine {
 public:
  FoundLine(const GamePosition& root, const AnalysisLine& line);
  /// The pointers are valid until the object is moved, changed or destroyed; `size` is 0.
  faultline_line line() const;

 private:
  std::string move_;
  std::string variation_;
  faultline_line line_{};
};

class Findings {
 public:
  /// Nothing was searched.
  Findings() = default;
  Findings(const GamePosition& root, const AnalysisReport& report);

  const std::vector<FoundLine>& lines() const { return lines_; }
  /// The report for callers, as FoundLine::line() is the line. There must be lines.
  faultline_report report() const;

 private:
  std::vector<FoundLine> lines_;
  faultline_report report_{};
};

}  // namespace faultline
