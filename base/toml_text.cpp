// What a text must be before toml++ parses it: small, and ASCII outside strings and comments.
#include "base/toml_text.h"

#include <algorithm>
#include <cstddef>

#include <fmt/core.h>

#include "base/byte_order_mark.h"

namespace faultline {
namespace {

constexpr std::size_t kLargestFile = 1 << 20;
constexpr std::ptrdiff_t kMostDots = 100;

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

void require_few_dots(std::string_view text, const std::string& source) {
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::string_view words = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(words.size() + 1, text.size()));
    if (!words.starts_with('#') && std::ranges::count(words, '.') > kMostDots)
      throw TomlTextError(fmt::format("{}:{}: has more dots than any key or value", source, line));
  }
}

/// The end of the string that begins at text[at] with a quotation mark: behind its closing one, or
/// where it breaks off; npos if it is not on one line or has an escape that no string has.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char mark = text[at];
  if (text.substr(at).starts_with(mark == '"' ? "\"\"\"" : "'''")) return std::string_view::npos;
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == mark) return at + 1;
    if (mark != '"' || text[at] != '\\') continue;
    ++at;
    if (at < text.size() && !is_ascii(text[at])) return std::string_view::npos;
  }
  return at;
}

/// Whether a string may begin behind this character; elsewhere toml++ takes the quotation mark for
/// a part of a malformed word and reads on.
bool may_precede_string(char c) {
  constexpr std::string_view kSeparators = " \t\r\n=[{,.";
  return kSeparators.find(c) != std::string_view::npos;
}

void require_ascii_outside_strings(std::string_view text, const std::string& source) {
  const auto refuse = [&](std::size_t at, const char* what) {
    const auto line = 1 + std::ranges::count(text.substr(0, at), '\n');
    throw TomlTextError(fmt::format("{}:{}: not valid TOML: {}", source, line, what));
  };
  const std::size_t begin = text.size() - without_byte_order_mark(text).size();
  std::size_t at = begin;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      if (at > begin && !may_precede_string(text[at - 1])) refuse(at, "a misplaced quotation mark");
      const std::size_t end = end_of_string(text, at);
      if (end == std::string_view::npos)
        refuse(at, "a string that goes over several lines, or has an unknown escape");
      at = end;
    } else if (!is_ascii(c)) {
      refuse(at, "a character other than ASCII outside quotation marks");
    } else {
      ++at;
    }
  }
}

}  // namespace

void check_toml_text(std::string_view text, const std::string& source) {
  if (text.size() > kLargestFile)
    throw TomlTextError(fmt::format("{}: has {} bytes; such a file has at most {}", source,
                                    text.size(), kLargestFile));
  require_few_dots(text, source);
  require_ascii_outside_strings(text, source);
}

}  // namespace faultline
