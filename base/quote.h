// Quoting what a user wrote in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace faultline {

/// `text` in quotes, cut to `most` characters, without what a terminal would act on.
inline std::string quote(std::string_view text, std::size_t most = 40) {
  std::string shown = "'";
  for (const char c : text.substr(0, most))
    shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > most ? "...'" : "'");
}

}  // namespace faultline
