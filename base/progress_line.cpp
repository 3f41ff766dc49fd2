// The progress line: rewritten in place on a terminal, otherwise printed from time to time.
#include "base/progress_line.h"

#include <ostream>

#include "base/terminal.h"
#include "base/text.h"
#include "base/wrapped_text.h"

namespace faultline {
namespace {

constexpr const char* kClearToEnd = "\x1b[K";

}  // namespace

bool ProgressLine::due(Clock::time_point now) {
  if (last_ == Clock::time_point{}) last_ = now;
  const std::chrono::duration<double> interval(terminal_ ? 0.5 : 30);
  if (now - last_ < interval) return false;
  last_ = now;
  return true;
}

void ProgressLine::show(const std::vector<std::string>& parts) {
  if (!terminal_) {
    for (const std::string& part : parts)
      *out_ << part;
    *out_ << std::endl;
    return;
  }
  *out_ << '\r' << fitting(parts, terminal_width() - 1) << kClearToEnd << std::flush;
  open_ = true;
}

void ProgressLine::message(const std::string& text) {
  if (open_) *out_ << '\n';
  open_ = false;
  *out_ << text << std::endl;
}

void ProgressLine::clear() {
  if (open_) *out_ << '\r' << kClearToEnd << std::flush;
  open_ = false;
}

std::string time_left(double seconds, double done) {
  return clock_text(seconds * (1 / done - 1));
}

}  // namespace faultline
