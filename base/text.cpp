// Text for people: words, counts, long numbers, durations.
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace faultline {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \t\r\n", at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

std::vector<std::string> split_list(std::string_view text, char separator) {
  std::vector<std::string> parts;
  if (trimmed(text).empty()) return parts;
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.emplace_back(trimmed(text.substr(at, end - at)));
    if (end == text.size()) return parts;
    at = end + 1;
  }
}

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3; at -= 3)
    text.insert(at - 3, ",");
  return text;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::max(0.0, std::round(seconds)));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string bytes_text(double bytes) {
  constexpr double kMiB = 1 << 20;
  if (bytes < 10 * kMiB) return fmt::format("{:.1f} MiB", bytes / kMiB);
  if (bytes < 1024 * kMiB) return fmt::format("{:.0f} MiB", bytes / kMiB);
  return fmt::format("{:.1f} GiB", bytes / (1024 * kMiB));
}

}  // namespace faultline
