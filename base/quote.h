// Quoting user input in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace faultline {

/// `text` cut to `most` characters, with '?' for control and non-ASCII characters; characters in
/// `also` are kept.
inline std::string printable(std::string_view text, std::size_t most, std::string_view also = "") {
  std::string shown;
  for (const char c : text.substr(0, most))
    shown += (c >= ' ' && c <= '~') || also.find(c) != std::string_view::npos ? c : '?';
  return text.size() > most ? shown + "..." : shown;
}

/// `text` in quotes, cut and printable.
inline std::string quote(std::string_view text, std::size_t most = 40) {
  return "'" + printable(text, most) + "'";
}

}  // namespace faultline
