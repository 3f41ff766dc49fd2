// Reads PGN's tokens.
#include "play/pgn_lexer.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <system_error>

#include "base/byte_order_mark.h"

namespace faultline {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";
/// What ends a symbol. Moves may hold anything else: "@+2", "1a1-1a3".
constexpr std::string_view kEnders = " \t\r\f\v{}();[]$!?\"*";
constexpr std::string_view kEffects =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=,";
/// A comment that reaches a line with this start was never closed.
constexpr std::string_view kFirstTag = "[Event \"";
constexpr std::size_t kLongestTagName = 255;
constexpr int kMostGlyphs = 255;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

PgnToken PgnLexer::token(PgnTokenKind kind, std::string_view text) const {
  PgnToken token;
  token.kind = kind;
  token.line = number_;
  token.text = text;
  return token;
}

/// False at the end of the input. Skips escaped lines, which begin with '%'.
bool PgnLexer::next_line() {
  at_ = 0;
  do {
    if (!lines_.next(line_)) {
      line_.clear();
      return false;
    }
    ++number_;
    // Also where files were put one after the other.
    line_.erase(0, line_.size() - without_byte_order_mark(line_).size());
  } while (line_.starts_with('%'));
  return true;
}

/// Goes to the next character that is not blank; false at the end of the input.
bool PgnLexer::skip_blanks() {
  empty_line_ = false;
  for (;;) {
    at_ = line_.find_first_not_of(kBlanks, at_);
    if (at_ != std::string::npos) return true;
    if (!next_line()) return false;
    if (line_.find_first_not_of(kBlanks) == std::string::npos) empty_line_ = true;
  }
}

PgnToken PgnLexer::next(bool comment_text) {
  bool after_empty_line = false;
  for (;;) {
    if (!skip_blanks()) return token(PgnTokenKind::End);
    after_empty_line = after_empty_line || empty_line_;
    PgnToken found = visible_token(comment_text);
    if (found.kind == PgnTokenKind::Symbol && found.text.empty()) continue;  // a move number
    found.after_empty_line = after_empty_line;
    return found;
  }
}

PgnToken PgnLexer::visible_token(bool comment_text) {
  const auto single = [&](PgnTokenKind kind, std::string_view text = {}) {
    ++at_;
    return token(kind, text);
  };
  switch (line_[at_]) {
    case '[':
      return tag();
    case '{':
    case ';':
      return comment(comment_text);
    case '(':
      return single(PgnTokenKind::VariationBegin);
    case ')':
      return single(PgnTokenKind::VariationEnd);
    case '$':
    case '!':
    case '?':
      return glyph();
    case '*':
      return single(PgnTokenKind::Result, "*");
    case '}':
    case ']':
    case '"':
      return single(PgnTokenKind::Malformed, "a bracket or quote without its partner");
    default:
      return symbol();
  }
}

/// Reads the value up to the quote that closes it, the bracket too. Some programs write quotes in
/// values as they are: a quote closes a value only if a bracket follows.
bool PgnLexer::tag_value() {
  value_.clear();
  for (++at_; at_ < line_.size(); ++at_) {
    const char next = at_ + 1 < line_.size() ? line_[at_ + 1] : ' ';
    if (line_[at_] == '"') {
      const std::size_t end = line_.find_first_not_of(kBlanks, at_ + 1);
      if (end != std::string::npos && line_[end] == ']') {
        at_ = end + 1;
        return true;
      }
    } else if (line_[at_] == '\\' && (next == '"' || next == '\\')) {
      ++at_;
    }
    value_ += line_[at_];
  }
  return false;
}

PgnToken PgnLexer::tag() {
  const auto skip = [&] { at_ = std::min(line_.find_first_not_of(kBlanks, at_), line_.size()); };
  ++at_;
  skip();
  const std::size_t begin = at_;
  while (at_ < line_.size() && is_name_character(line_[at_]))
    ++at_;
  const std::string_view name = std::string_view(line_).substr(begin, at_ - begin);
  skip();
  const bool has_value = !name.empty() && name.size() <= kLongestTagName && at_ < line_.size() &&
                         line_[at_] == '"' && tag_value();
  if (!has_value) at_ = line_.size();
  PgnToken found = has_value
                       ? token(PgnTokenKind::Tag, value_)
                       : token(PgnTokenKind::Malformed, "a tag must look like [Name \"value\"]");
  found.name = name;
  return found;
}

PgnToken PgnLexer::comment(bool keep) {
  if (line_[at_] == ';') {
    const std::string_view text = std::string_view(line_).substr(at_ + 1);
    at_ = line_.size();
    return token(PgnTokenKind::Comment, text);
  }
  const std::size_t first_line = number_;
  ++at_;
  value_.clear();
  for (;;) {
    const std::size_t end = line_.find('}', at_);
    if (keep) value_ += std::string_view(line_).substr(at_, std::min(end, line_.size()) - at_);
    if (end != std::string::npos) {
      at_ = end + 1;
      PgnToken found = token(PgnTokenKind::Comment, value_);
      found.line = first_line;
      return found;
    }
    const bool more = next_line();
    if (!more || line_.starts_with(kFirstTag)) {
      PgnToken found = token(PgnTokenKind::Malformed, "a comment that is not closed by }");
      found.line = first_line;
      return found;
    }
    if (keep) value_ += ' ';
  }
}

PgnToken PgnLexer::glyph() {
  const std::size_t begin = at_;
  const std::string_view line = line_;
  PgnToken found = token(PgnTokenKind::Glyph);
  if (line[begin] == '$') {
    const char* const end = line.data() + line.size();
    const auto [rest, error] = std::from_chars(line.data() + begin + 1, end, found.glyph);
    at_ = static_cast<std::size_t>(rest - line.data());
    if (error == std::errc() && found.glyph >= 0 && found.glyph <= kMostGlyphs) return found;
    at_ = std::max(at_, begin + 1);
    return token(PgnTokenKind::Malformed, "a glyph must be $0 to $255");
  }
  while (at_ < line.size() && (line[at_] == '!' || line[at_] == '?'))
    ++at_;
  for (std::size_t glyph = 1; glyph < kGlyphMarks.size(); ++glyph)
    if (line.substr(begin, at_ - begin) == kGlyphMarks[glyph])
      found.glyph = static_cast<int>(glyph);
  return found;  // other runs of marks say nothing
}

/// Skips what the board does in a move, "(1,f)", which follows the move without a blank, and marks
/// of check after it. Anything else in parentheses is a variation.
void PgnLexer::skip_effects() {
  const std::string_view rest = std::string_view(line_).substr(at_);
  if (!rest.starts_with('(')) return;
  const std::size_t end = rest.find_first_not_of(kEffects, 1);
  if (end == std::string_view::npos || end == 1 || rest[end] != ')') return;
  at_ = std::min(line_.find_first_of(kEnders, at_ + end + 1), line_.size());
}

/// A move or a result; an empty symbol for a move number.
PgnToken PgnLexer::symbol() {
  const std::size_t begin = at_;
  at_ = std::min(line_.find_first_of(kEnders, at_), line_.size());
  if (line_[at_ - 1] != '.') skip_effects();
  std::string_view text = std::string_view(line_).substr(begin, at_ - begin);
  for (const std::string_view result : {"1-0", "0-1", "1/2-1/2"})
    if (text == result) return token(PgnTokenKind::Result, result);
  if (text == "1/2") return token(PgnTokenKind::Result, "1/2-1/2");
  // "12.", "12...", "12.e4", "12": digits count only if a point or nothing follows them.
  const auto number =
      static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
  if (number == text.size() || text[number] == '.') text.remove_prefix(number);
  while (text.starts_with('.'))
    text.remove_prefix(1);
  return token(PgnTokenKind::Symbol, text);
}

}  // namespace faultline
