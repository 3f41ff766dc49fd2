// Reading text line by line, whatever ends its lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <istream>
#include <string>

namespace faultline {

/// The lines of a stream, which end with LF, CR LF or CR.
class TextLines {
 public:
  /// `in` must outlive it.
  explicit TextLines(std::istream& in) : in_(&in) {}

  /// The next line without its end; false at the end of the stream.
  bool next(std::string& line) {
    if (next_ > text_.size() && !read()) return false;
    const std::size_t end = std::min(text_.find('\r', next_), text_.size());
    line.assign(text_, next_, end - next_);
    next_ = end + 1;
    return true;
  }

 private:
  bool read() {
    if (!std::getline(*in_, text_)) return false;
    if (text_.ends_with('\r')) text_.pop_back();
    next_ = 0;
    return true;
  }

  std::istream* in_;
  std::string text_;      // up to a LF
  std::size_t next_ = 1;  // where the next line begins in it; beyond its end: not read yet
};

}  // namespace faultline
