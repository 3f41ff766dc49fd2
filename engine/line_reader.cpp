// Lines from a file descriptor, of bounded length.
#include "engine/line_reader.h"

#include <array>
#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace faultline {

LineReader::Event LineReader::next(std::string& line) {
  for (;;) {
    if (interrupted_ && interrupted_()) return Event::End;
    const std::size_t end = buffer_.find('\n', scanned_);
    const bool is_complete = end != std::string::npos;
    if (is_complete || (at_end_ && (begin_ < buffer_.size() || is_skipping_))) {
      const std::size_t last = is_complete ? end : buffer_.size();
      const bool is_long = is_skipping_ || last - begin_ > longest_;
      line = is_long ? std::string() : buffer_.substr(begin_, last - begin_);
      begin_ = scanned_ = is_complete ? end + 1 : last;
      is_skipping_ = false;
      return is_long ? Event::TooLong : Event::Line;
    }
    if (at_end_) return Event::End;
    scanned_ = buffer_.size();
    if (scanned_ - begin_ > longest_) {
      is_skipping_ = true;
      begin_ = scanned_;
    }
    buffer_.erase(0, begin_);
    scanned_ -= begin_;
    begin_ = 0;
    read_more();
  }
}

void LineReader::read_more() {
  constexpr int kPatience = 200;  // ms; a signal between the check and poll() is noticed after that
  pollfd input{.fd = descriptor_, .events = POLLIN, .revents = 0};
  if (::poll(&input, 1, kPatience) <= 0) return;
  std::array<char, 1 << 16> bytes{};
  const ssize_t count = ::read(descriptor_, bytes.data(), bytes.size());
  if (count > 0)
    buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  else if (count == 0 || (errno != EINTR && errno != EAGAIN))
    at_end_ = true;
}

}  // namespace faultline
