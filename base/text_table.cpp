// Aligns the columns of tables.
#include "base/text_table.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace faultline {
namespace {

/// Characters of a UTF-8 text.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](unsigned char c) { return (c & 0xc0U) != 0x80U; }));
}

}  // namespace

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], width_of(row[i]));
  fmt::memory_buffer text;
  const auto append = [&](std::string_view part) { text.append(part.begin(), part.end()); };
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width_of(row[i]), ' ');
      line += "  ";
      line += i < left_ ? row[i] : padding;
      line += i < left_ ? padding : row[i];
    }
    append(line.substr(0, line.find_last_not_of(' ') + 1));
    append("\n");
  }
  return fmt::to_string(text);
}

}  // namespace faultline
