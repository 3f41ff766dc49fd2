// Lines from a file descriptor, of bounded length.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace faultline {

class LineReader {
 public:
  enum class Event {
    Line,     // `line` holds it, without its line feed
    TooLong,  // a line of more than the limit was skipped
    End       // of the input, a read error, or `interrupted`
  };

  /// `interrupted` is asked at least every 200 ms; may be null. A last line without a line feed
  /// counts.
  LineReader(int descriptor, std::size_t longest, std::function<bool()> interrupted)
      : descriptor_(descriptor), longest_(longest), interrupted_(std::move(interrupted)) {}

  Event next(std::string& line);

 private:
  void read_more();

  int descriptor_;
  std::size_t longest_;
  std::function<bool()> interrupted_;
  std::string buffer_;
  std::size_t begin_ = 0;    // of what has not been returned
  std::size_t scanned_ = 0;  // has no line feed before here
  bool is_skipping_ = false;
  bool at_end_ = false;
};

}  // namespace faultline
