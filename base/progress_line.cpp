// The progress line: rewritten in place on a terminal, otherwise printed from time to time.
#include "base/progress_line.h"

#include <algorithm>
#include <cstddef>
#include <ostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

namespace faultline {
namespace {

constexpr const char* kClearToEnd = "\x1b[K";

/// Of whichever stream is a terminal.
std::size_t terminal_width() {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    winsize size{};
    if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  }
  return 80;
}

}  // namespace

bool ProgressLine::due(Clock::time_point now) {
  if (last_ == Clock::time_point{}) last_ = now;
  const std::chrono::duration<double> interval(terminal_ ? 0.5 : 30);
  if (now - last_ < interval) return false;
  last_ = now;
  return true;
}

void ProgressLine::show(std::string line) {
  if (!terminal_) {
    *out_ << line << std::endl;
    return;
  }
  line.resize(std::min(line.size(), terminal_width() - 1));
  *out_ << '\r' << line << kClearToEnd << std::flush;
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
