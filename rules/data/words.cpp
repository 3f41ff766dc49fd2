// Words, letters and figures of texts in a game's file.
#include "rules/data/words.h"

#include <algorithm>
#include <array>

namespace faultline::data {

std::string in_capitals(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (is_small_letter(c)) c = static_cast<char>(c - 'a' + 'A');
  return result;
}

std::string in_small_letters(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (is_capital(c)) c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\n\r";
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

int number_of(std::string_view figures) {
  constexpr std::size_t kMostFigures = 6;
  if (figures.empty() || figures.size() > kMostFigures) return -1;
  int number = 0;
  for (const char c : figures) {
    if (!is_figure(c)) return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

std::vector<std::string_view> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
    if (text.empty()) return words;
    words.push_back(text.substr(0, text.find_first_of(separators)));
    text.remove_prefix(words.back().size());
  }
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string joined(const std::vector<std::string>& words, std::string_view last,
                   std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += std::string(i == 0 ? "" : i + 1 == words.size() ? last : between) + words[i];
  return text;
}

std::string count_word(int count) {
  constexpr std::array<std::string_view, 10> kWords = {"no",   "one", "two",   "three", "four",
                                                       "five", "six", "seven", "eight", "nine"};
  return count < 10 ? std::string(kWords[at(count)]) : std::to_string(count);
}

std::string side_name(Colour colour) {
  return colour == Colour::White ? "White" : "Black";
}

}  // namespace faultline::data
