// The tokens of PGN (import format), read from a stream line by line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>

#include "base/text_lines.h"

namespace faultline {

/// The marks that are written for the first numeric annotation glyphs, by number.
inline constexpr std::array<std::string_view, 7> kGlyphMarks = {"",   "!",  "?", "!!",
                                                                "??", "!?", "?!"};

enum class PgnTokenKind : std::uint8_t {
  Tag,      // name and text: the value, unescaped
  Symbol,   // text: a move; move numbers are skipped
  Result,   // text: "1-0", "0-1", "1/2-1/2", "*"
  Comment,  // text: without braces or semicolon, line ends as spaces
  Glyph,    // glyph: of "$4", or of "!", "?" and their pairs
  VariationBegin,
  VariationEnd,
  Malformed,  // text: what is wrong; name: of the tag, if it is one that has a name
  End
};

struct PgnToken {
  PgnTokenKind kind = PgnTokenKind::End;
  std::size_t line = 0;   // from 1
  std::string_view text;  // valid until the next token is read
  std::string_view name;  // of a tag
  int glyph = 0;
  bool after_empty_line = false;  // an empty line is between this token and the one before
};

class PgnLexer {
 public:
  /// `in` must outlive it.
  explicit PgnLexer(std::istream& in) : lines_(in) {}

  /// Malformed tokens are followed by what can be read after them. Whole comments are kept in
  /// memory only if `comment_text`.
  PgnToken next(bool comment_text = true);

 private:
  bool next_line();
  bool skip_blanks();
  PgnToken visible_token(bool comment_text);
  PgnToken tag();
  bool tag_value();
  PgnToken comment(bool keep);
  PgnToken glyph();
  PgnToken symbol();
  void skip_effects();
  PgnToken token(PgnTokenKind kind, std::string_view text = {}) const;

  TextLines lines_;
  std::string line_;
  std::size_t at_ = 0;      // in line_
  std::size_t number_ = 0;  // of line_
  std::string value_;       // of a tag or a comment
  bool empty_line_ = false;
};

}  // namespace faultline
