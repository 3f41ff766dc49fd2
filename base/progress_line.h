// The progress line: rewritten in place on a terminal, otherwise printed from time to time.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <vector>

namespace faultline {

/// Used by one thread at a time.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// `terminal`: `out` is a terminal, so that the line can be rewritten. `out` must outlive it.
  ProgressLine(std::ostream& out, bool terminal) : out_(&out), terminal_(terminal) {}

  /// Whether a line should be shown now, for callers that poll often: half a second after the last
  /// time this returned true on a terminal, half a minute elsewhere. The first interval starts at
  /// the first call.
  bool due(Clock::time_point now = Clock::now());
  /// Replaces the last line with those of `parts`, the most important first, that fit into the
  /// terminal's width; elsewhere prints all of them on a line of its own. They must not contain a
  /// newline.
  void show(const std::vector<std::string>& parts);
  /// Prints a line that stays, below the one in progress.
  void message(const std::string& text);
  /// Clears the line from the terminal.
  void clear();

 private:
  std::ostream* out_;
  bool terminal_;
  bool open_ = false;         // the cursor is at the end of an unterminated line
  Clock::time_point last_{};  // when due() last returned true, or was first called
};

/// "12:34": the time remaining at the same speed if the fraction `done` (above 0, at most 1) took
/// `seconds`.
std::string time_left(double seconds, double done);

}  // namespace faultline
