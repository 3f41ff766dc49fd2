// Text in lines of a given width.
#include "base/wrapped_text.h"

#include <algorithm>

namespace faultline {
namespace {

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

/// Removes the first line from `text` and returns it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// The end of the word that begins at `begin`. Of a command, what is quoted belongs to one word.
std::size_t end_of_word(std::string_view line, std::size_t begin, bool is_command) {
  char open = 0;  // the quote
  for (std::size_t at = begin; at < line.size(); ++at) {
    const char c = line[at];
    if (c == ' ' && open == 0) return at;
    if (is_command && (c == '"' || c == '\'') && (open == 0 || open == c)) open = open == 0 ? c : 0;
  }
  return line.size();
}

/// `line` in lines of at most `width` columns, each but the last followed by `at_break`.
std::string wrapped_line(std::string_view line, std::size_t width, std::size_t indent,
                         std::string_view at_break) {
  std::string text;
  std::size_t used = 0;   // columns of the last line
  bool has_word = false;  // on the last line
  while (!line.empty()) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    std::size_t end = end_of_word(line, begin, !at_break.empty());
    std::string_view word = line.substr(begin, end - begin);
    if (at_break.empty() && columns_of(word) + indent > width) {  // "elo0=0,elo1=10,alpha=0.05,..."
      const std::size_t comma = word.substr(0, width - std::min(indent, width)).rfind(',');
      if (comma != std::string_view::npos) word = word.substr(0, comma + 1);
      end = begin + word.size();
    }
    const std::size_t room = end < line.size() ? at_break.size() : 0;
    if (has_word && used + begin + columns_of(word) + room > width) {
      text += std::string(at_break) + '\n' + std::string(indent, ' ');
      used = indent;
    } else {
      text += line.substr(0, begin);
      used += begin;
    }
    text += word;
    used += columns_of(word);
    has_word = true;
    line.remove_prefix(end);
  }
  return text;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  const bool ends = text.ends_with('\n');
  while (!text.empty()) {
    result += wrapped_line(take_line(text), width, indent, "");
    if (!text.empty() || ends) result += '\n';
  }
  return result;
}

std::string wrapped_paragraphs(std::string_view text, std::size_t width) {
  std::string result, paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) result += wrapped_line(paragraph, width, 0, "") + '\n';
    paragraph.clear();
  };
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.empty() || line.front() == ' ') {
      end_paragraph();
      constexpr std::size_t kFurther = 4;
      const std::size_t indent = std::min(line.find_first_not_of(' '), line.size()) + kFurther;
      result += wrapped_line(line, width, indent, " \\") + '\n';
    } else {
      if (!paragraph.empty()) paragraph += ' ';
      paragraph += line;
    }
  }
  end_paragraph();
  if (result.ends_with('\n')) result.pop_back();
  return result;
}

std::string fitting(const std::vector<std::string>& parts, std::size_t width) {
  std::string text;
  for (const std::string& part : parts)
    if (text.empty() || columns_of(text) + columns_of(part) <= width) text += part;
  std::size_t end = 0;
  for (std::size_t columns = 0; end < text.size(); ++end)
    if (begins_character(text[end]) && columns++ == width) break;
  return text.substr(0, end);
}

}  // namespace faultline
