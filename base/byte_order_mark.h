// The mark that some programs write at the start of a UTF-8 text.
#pragma once

#include <istream>
#include <string_view>

namespace faultline {

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// `text` without a mark at its start.
constexpr std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

/// Skips the mark at the start of a stream, which need not be seekable. What begins like it is not
/// UTF-8 and may be skipped in part.
inline void skip_byte_order_mark(std::istream& in) {
  for (const char byte : kByteOrderMark) {
    if (in.peek() != std::istream::traits_type::to_int_type(byte)) return;
    in.get();
  }
}

}  // namespace faultline
