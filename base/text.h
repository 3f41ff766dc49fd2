// Text for people: words, counts, long numbers, durations.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

/// "1 game", "2 games"; `many` if the plural is not `one` + "s": "1 loss", "2 losses".
template <std::integral Count>
std::string counted(Count count, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(count) + ' ';
  if (count == 1 || many.empty())
    text += one;
  else
    text += many;
  if (count != 1 && many.empty()) text += 's';
  return text;
}

/// What is between blanks and ends of lines.
std::vector<std::string> split_words(std::string_view text);

/// `text` without blanks and ends of lines around it.
std::string_view trimmed(std::string_view text);

/// The parts of `text` between separators, without blanks around them; none if `text` is blank.
std::vector<std::string> split_list(std::string_view text, char separator);

/// "12,345".
std::string grouped(std::uint64_t value);

/// A duration as "12:34" or "2:05:00"; negative ones as "0:00".
std::string clock_text(double seconds);

/// "2.5 MiB", "250 MiB", "2.5 GiB".
std::string bytes_text(double bytes);

}  // namespace faultline
