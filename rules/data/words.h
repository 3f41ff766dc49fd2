// Words, letters and figures of texts in a game's file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rules/types.h"

namespace faultline::data {

constexpr std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// Of ASCII, whatever the locale.
constexpr bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_small_letter(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_letter(char c) {
  return is_capital(c) || is_small_letter(c);
}
constexpr bool is_figure(char c) {
  return c >= '0' && c <= '9';
}
std::string in_capitals(std::string_view text);
std::string in_small_letters(std::string_view text);

/// Without white space at its ends.
std::string_view trimmed(std::string_view text);
/// A whole number without sign and of at most six figures, or -1.
int number_of(std::string_view figures);
/// What is between any of the separators; nothing is empty.
std::vector<std::string_view> words_of(std::string_view text, std::string_view separators = " \t");
/// What is between separators, also where that is empty.
std::vector<std::string_view> parts_of(std::string_view text, char separator);
/// "a, b or c"; `last` is between the last two.
std::string joined(const std::vector<std::string>& words, std::string_view last = " or ",
                   std::string_view between = ", ");
/// "no", "one" … "nine", "10".
std::string count_word(int count);
/// "White".
std::string side_name(Colour colour);

}  // namespace faultline::data
