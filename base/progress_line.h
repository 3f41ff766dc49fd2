// The line that tells how far something is: rewritten in place on a terminal, else added now and
// then.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

namespace faultline {

/// Used by one thread at a time.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// `terminal`: `out` is a terminal, so that the line can be rewritten. `out` must outlive it.
  ProgressLine(std::ostream& out, bool terminal) : out_(&out), terminal_(terminal) {}

  /// Whether a line is to be shown now, for callers that ask often: half a second after the last
  /// that this allowed on a terminal, half a minute elsewhere. The first waits as long, from the
  /// first question.
  bool due(Clock::time_point now = Clock::now());
  /// Shows `line` in place of the last one, cut to the terminal's width; elsewhere as a line of its
  /// own. It holds no newline.
  void show(std::string line);
  /// Prints a line that stays, below the one in progress.
  void message(const std::string& text);
  /// Takes the line off the terminal.
  void clear();

 private:
  std::ostream* out_;
  bool terminal_;
  bool open_ = false;         // the cursor stands behind a line without a newline
  Clock::time_point last_{};  // when due() was true, or first asked
};

/// "12:34": what remains at the same speed when `done` (above 0, at most 1) took `seconds`.
std::string time_left(double seconds, double done);

}  // namespace faultline
