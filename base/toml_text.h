// What a text must be before toml++ parses it: small, and ASCII outside strings and comments.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace faultline {

/// A text that may not be parsed. The message begins with the source, and the line where there is
/// one.
class TomlTextError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Refuses input that toml++ (3.3) does not survive or that would take it much time or stack: it
/// destroys nested tables recursively, dotted keys nest without limit, and characters beyond ASCII
/// lead to undefined behaviour wherever it tests for white space: outside strings, behind escapes,
/// and in strings over several lines, which no key needs. Throws TomlTextError.
void check_toml_text(std::string_view text, const std::string& source);

}  // namespace faultline
