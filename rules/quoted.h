// Quoting what a user wrote in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace faultline {

/// `text` in quotes, cut if it is long, without what a terminal would act on.
inline std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, kShown))
    shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > kShown ? "...'" : "'");
}

}  // namespace faultline
