// Writing and reading the comments of recorded games.
#include "play/game_comment.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <system_error>
#include <type_traits>

#include <fmt/format.h>

#include "base/signed_text.h"
#include "base/text.h"

namespace faultline {
namespace {

constexpr std::string_view kTextMark = ";";  // before a text that follows fields

std::string clean(std::string_view text) {
  std::string cleaned(trimmed(text));
  for (char& c : cleaned) {
    if (c == '{') c = '(';
    if (c == '}') c = ')';
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return std::string(trimmed(cleaned));
}

/// Takes the first word off `text`.
std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

/// The number that is all of `text`: digits, with a point in it for floating point.
template <class Number>
bool read_number(std::string_view text, Number& number) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return false;
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<Number>)
    result =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  else
    result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

/// "w0.512" after its letter; the word is consumed if it is that field.
template <class Number>
bool read_field(std::string_view& rest, char letter, Number& number) {
  std::string_view after = rest;
  const std::string_view word = take_word(after);
  if (word.empty() || word.front() != letter || !read_number(word.substr(1), number)) return false;
  rest = after;
  return true;
}

/// "+0.224": not used, since win and loss follow with more digits, but it must be a number.
bool read_value(std::string_view word) {
  float value = 0;
  return word.size() > 1 && (word.front() == '+' || word.front() == '-') &&
         read_number(word.substr(1), value);
}

/// The fields in front of a text, in the order in which they are written.
bool read_fields(std::string_view& rest, MoveComment& comment) {
  bool any = false;
  std::string_view after = rest;
  if (read_value(take_word(after))) {
    Evaluation value;
    if (!read_field(after, 'w', value.win) || !read_field(after, 'd', value.draw) ||
        !read_field(after, 'l', value.loss))
      return false;
    read_field(after, 'm', value.moves_left);
    comment.value = value;
    rest = after;
    any = true;
  }
  any = read_field(rest, 'v', comment.visits) || any;
  any = read_field(rest, 'n', comment.nodes) || any;
  any = read_field(rest, 'p', comment.depth) || any;
  after = rest;
  const std::string_view word = take_word(after);
  if (word.ends_with('s') && read_number(word.substr(0, word.size() - 1), comment.seconds)) {
    rest = after;
    any = true;
  }
  return any;
}

/// A probability with as many digits as are written.
double rounded(float probability) {
  constexpr double kUnits = 1e4;
  return std::isfinite(probability)
             ? std::round(std::clamp(probability, 0.0F, 1.0F) * kUnits) / kUnits
             : 0.0;
}

std::string fields_text(const MoveComment& comment) {
  std::string text;
  const auto add = [&](const std::string& field) {
    if (!text.empty()) text += ' ';
    text += field;
  };
  if (comment.value) {
    const Evaluation& value = *comment.value;
    // Rounded before they are subtracted, so that what was read is written as it was.
    const double win = rounded(value.win);
    const double loss = rounded(value.loss);
    add(fmt::format("{} w{:.4f} d{:.4f} l{:.4f}", signed_text(win - loss, 4), win,
                    rounded(value.draw), loss));
    if (std::isfinite(value.moves_left) && value.moves_left >= 0.05F)
      add(fmt::format("m{:.1f}", value.moves_left));
  }
  if (comment.visits > 0) add(fmt::format("v{}", comment.visits));
  if (comment.nodes > 0) add(fmt::format("n{}", comment.nodes));
  if (comment.depth > 0) add(fmt::format("p{}", comment.depth));
  if (std::isfinite(comment.seconds) && comment.seconds >= 0.0005)
    add(fmt::format("{:.3f}s", comment.seconds));
  return text;
}

}  // namespace

std::string comment_text(const MoveComment& comment) {
  std::string fields = fields_text(comment);
  std::string text = clean(comment.text);
  if (text.empty()) return fields;
  if (!fields.empty()) return fmt::format("{} {} {}", fields, kTextMark, text);
  if (parse_comment(text).text == text) return text;
  return fmt::format("{} {}", kTextMark, text);  // it would be read as something else
}

MoveComment parse_comment(std::string_view text) {
  text = trimmed(text);
  MoveComment comment;
  std::string_view rest = text;
  const bool fields = read_fields(rest, comment);
  if (trimmed(rest).empty() && fields) return comment;
  if (take_word(rest) == kTextMark) {
    comment.text = trimmed(rest);
    return comment;
  }
  MoveComment other;
  other.text = text;
  return other;
}

}  // namespace faultline
