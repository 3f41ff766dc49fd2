// Documents as text.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/document.h"
#include "base/wrapped_text.h"

namespace faultline {
namespace {

constexpr std::size_t kWidth = 100;      // of paragraphs
constexpr std::size_t kMostWidth = 120;  // of tables that are not turned

using Row = std::vector<std::string>;

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string padding(width - std::min(width, columns_of(text)), ' ');
  return right ? padding + text : text + padding;
}

std::vector<std::size_t> widths_of(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 3);
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(row[i]));
  return widths;
}

/// `rows`: the headings first. `right`: which columns are aligned on the right.
std::string aligned(const std::vector<Row>& rows, const std::vector<bool>& right) {
  const std::vector<std::size_t> widths = widths_of(rows);
  std::string text;
  const auto add_line = [&](const Row& row) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      text += "| " + padded(row[i], widths[i], right[i]) + ' ';
    text += "|\n";
  };
  add_line(rows.front());
  for (std::size_t i = 0; i < widths.size(); ++i)
    text += '|' + std::string(widths[i] + 1, '-') + (right[i] ? ':' : '-');
  text += "|\n";
  std::for_each(rows.begin() + 1, rows.end(), add_line);
  return text;
}

std::size_t width_of(const std::vector<Row>& rows) {
  std::size_t width = 1;
  for (const std::size_t one : widths_of(rows))
    width += one + 3;
  return width;
}

/// A cell of a Markdown table, which `|` would end.
std::string escaped(const std::string& text) {
  std::string shown;
  for (const char c : text)
    shown += c == '|' ? std::string("\\|") : std::string(1, c);
  return shown;
}

/// Columns as rows: for wide tables of few rows.
std::vector<Row> turned(const std::vector<Row>& rows) {
  std::vector<Row> all(rows.front().size());
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      all[i].push_back(row[i]);
  return all;
}

std::string text_of(const Facts& facts) {
  std::size_t width = 0;
  for (const Fact& fact : facts)
    if (!fact.value.text.empty()) width = std::max(width, columns_of(fact.name));
  std::string text;
  for (const Fact& fact : facts)
    if (!fact.value.text.empty())
      text +=
          wrapped(fmt::format("- {} {}{}", padded(fact.name + ":", width + 1, false),
                              fact.value.text, fact.remark.empty() ? "" : " (" + fact.remark + ")"),
                  kWidth, width + 4) +
          '\n';
  return text;
}

std::string text_of(const Table& table) {
  if (table.rows.empty()) return "None.\n";
  std::vector<Row> rows(1);
  std::vector<bool> right;
  for (const Column& column : table.columns) {
    rows[0].push_back(escaped(column.title));
    right.push_back(column.kind >= Column::Kind::Number);
  }
  for (const auto& cells : table.rows) {
    rows.emplace_back();
    std::ranges::transform(cells, std::back_inserter(rows.back()),
                           [](const Cell& cell) { return escaped(cell.text); });
  }
  if (const std::size_t width = width_of(rows);
      width > kMostWidth && width_of(turned(rows)) < width) {
    rows = turned(rows);
    right.assign(rows.front().size(), true);
    right.front() = false;
  }
  return aligned(rows, right);
}

/// Some of the points: all, or those at 0, 8, 16, 32, …
std::string text_of(const Curves& curves) {
  constexpr std::size_t kMostPoints = 12;
  const Axis& axis = curves.axes.front();
  std::string text;
  for (const Chart& chart : curves.charts) {
    Table table{{{axis.name, Column::Kind::Number}}};
    for (const Series& series : chart.series)
      table.columns.push_back({series.name, Column::Kind::Number});
    const bool all = axis.values.size() <= kMostPoints;
    for (std::size_t i = 0; i < axis.values.size(); i = all ? i + 1 : i == 0 ? 8 : 2 * i) {
      table.rows.push_back({{fmt::format("{:g}", axis.values[i])}});
      for (const Series& series : chart.series) {
        const double value = series.values[i];
        table.rows.back().push_back(chart.unit == "share" ? share_cell(value)
                                                          : number_cell(value, 1));
      }
    }
    text += (text.empty() ? "" : "\n") + chart.title + ":\n\n" + text_of(table);
  }
  return text;
}

std::string text_of(const Matrix& matrix) {
  std::vector<Row> rows = {{"", ""}};
  for (std::size_t i = 0; i < matrix.names.size(); ++i) {
    rows.front().push_back(std::to_string(i + 1));
    rows.push_back({std::to_string(i + 1), escaped(matrix.names[i])});
    for (const Matrix::Entry& entry : matrix.cells[i])
      rows.back().push_back(entry.empty() ? "-"
                                          : fmt::format("{}{}{}", share_cell(entry.share, 0).text,
                                                        entry.note.text.empty() ? "" : ", ",
                                                        entry.note.text));
  }
  std::vector<bool> right(rows.front().size(), true);
  right[1] = false;
  return aligned(rows, right);
}

}  // namespace

std::string document_text(const Document& document) {
  std::string text;
  const auto add_paragraph = [&](const std::string& paragraph) {
    if (paragraph.empty()) return;
    if (!text.empty()) text += '\n';
    text += wrapped(paragraph, kWidth) + '\n';
  };
  add_paragraph(document.title.empty() ? "" : "# " + document.title);
  add_paragraph(document.subtitle);
  for (const std::string& notice : document.notices)
    add_paragraph("Note: " + notice);
  for (const Section& section : document.sections) {
    if (section.page_only) continue;
    add_paragraph(section.title.empty() ? "" : "## " + section.title);
    if (!text.empty()) text += '\n';
    text += std::visit([](const auto& content) { return text_of(content); }, section.content);
    add_paragraph(section.note);
  }
  return text;
}

}  // namespace faultline
