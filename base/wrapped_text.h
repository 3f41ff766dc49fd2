// Text in lines of a given width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

/// Returns how many columns a terminal needs for UTF-8 text without wide characters.
std::size_t columns_of(std::string_view text);

/// Breaks each line of `text` that is longer than `width` between words; what follows is indented
/// by `indent` columns. A word that is longer is broken after a comma, or stands on a line of its
/// own.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

/// Joins the lines of each paragraph of `text` and wraps it. Indented lines are examples, and keep
/// their own: those that are too long are continued, indented further, after a backslash, as in a
/// shell.
std::string wrapped_paragraphs(std::string_view text, std::size_t width);

/// Joins those of `parts`, the most important first, that fit into `width` columns; the first one
/// is cut if need be.
std::string fitting(const std::vector<std::string>& parts, std::size_t width);

}  // namespace faultline
