// Cells and columns, and documents as JSON.
#include "base/document.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/signed_text.h"
#include "base/text.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kAxisDigits = 9;   // so that the steps of long runs differ
constexpr int kChartDigits = 4;  // finer than a page can draw

bool has_interval(const Cell& cell) {
  return !std::isnan(cell.low) || !std::isnan(cell.high);
}

Json to_json(const Cell& cell) {
  if (std::isnan(cell.value)) return cell.text;
  Json number = json_number(cell.value);
  if (has_interval(cell))
    return {{"value", std::move(number)},
            {"low", json_number(cell.low)},
            {"high", json_number(cell.high)},
            {"text", cell.text}};
  if (number.is_number_integer() && cell.value >= 0 &&
      cell.text == grouped(static_cast<std::uint64_t>(cell.value)))
    return number;
  return {{"value", std::move(number)}, {"text", cell.text}};
}

std::string_view name(Column::Kind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"text", "code", "number", "interval"};
  return kNames.at(static_cast<std::size_t>(kind));
}

Json to_json(const Column& column) {
  Json json = {{"title", column.title}, {"kind", name(column.kind)}};
  if (!std::isnan(column.low)) json["axis"] = {json_number(column.low), json_number(column.high)};
  if (!std::isnan(column.reference)) json["reference"] = json_number(column.reference);
  return json;
}

Json values_json(const std::vector<double>& values, int digits) {
  Json json = Json::array();
  for (const double value : values)
    json.push_back(json_number(value, digits));
  return json;
}

Json to_json(const Series& series) {
  Json json = {{"name", series.name}, {"values", values_json(series.values, kChartDigits)}};
  if (!series.low.empty()) {
    json["low"] = values_json(series.low, kChartDigits);
    json["high"] = values_json(series.high, kChartDigits);
  }
  if (!series.style.empty()) json["style"] = series.style;
  return json;
}

Json to_json(const Chart& chart) {
  Json json = {{"title", chart.title}, {"unit", chart.unit}};
  if (!chart.note.empty()) json["note"] = chart.note;
  json["series"] = Json::array();
  for (const Series& series : chart.series)
    json["series"].push_back(to_json(series));
  return json;
}

/// Adds what is in a section.
struct ContentWriter {
  Json& json;

  void operator()(const Facts& facts) const {
    json["items"] = Json::array();
    for (const Fact& fact : facts) {
      if (fact.value.text.empty()) continue;
      json["items"].push_back({{"name", fact.name}, {"value", to_json(fact.value)}});
      if (!fact.remark.empty()) json["items"].back()["remark"] = fact.remark;
    }
  }
  void operator()(const Table& table) const {
    json["columns"] = Json::array();
    for (const Column& column : table.columns)
      json["columns"].push_back(to_json(column));
    json["rows"] = Json::array();
    for (const auto& row : table.rows) {
      Json cells = Json::array();
      for (const Cell& cell : row)
        cells.push_back(to_json(cell));
      json["rows"].push_back(std::move(cells));
    }
  }
  void operator()(const Curves& curves) const {
    json["axes"] = Json::array();
    for (const Axis& axis : curves.axes)
      json["axes"].push_back(
          {{"name", axis.name}, {"values", values_json(axis.values, kAxisDigits)}});
    json["charts"] = Json::array();
    for (const Chart& chart : curves.charts)
      json["charts"].push_back(to_json(chart));
  }
  void operator()(const Matrix& matrix) const {
    json["names"] = matrix.names;
    json["cells"] = Json::array();
    for (const auto& row : matrix.cells) {
      Json cells = Json::array();
      for (const Matrix::Entry& entry : row)
        if (entry.empty())
          cells.push_back(nullptr);
        else
          cells.push_back({{"share", json_number(entry.share)},
                           {"note", to_json(entry.note)},
                           {"title", entry.title}});
      json["cells"].push_back(std::move(cells));
    }
  }
};

}  // namespace

Cell count_cell(std::int64_t count) {
  return {(count < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::abs(count))),
          static_cast<double>(count)};
}

Cell number_cell(double value, int decimals) {
  if (!std::isfinite(value)) return {"-"};
  return {fmt::format("{:.{}f}", value, decimals), value};
}

Cell share_cell(double share, int decimals) {
  if (!std::isfinite(share)) return {"-"};
  return {fmt::format("{:.{}f} %", 100 * share, decimals), share};
}

Cell share_cell(double share, double low, double high) {
  if (!std::isfinite(share)) return {"-"};
  return {fmt::format("{:.1f} % ({:.1f} to {:.1f})", 100 * share, 100 * low, 100 * high), share,
          low, high};
}

Cell elo_cell(double elo, double low, double high) {
  if (std::isnan(elo)) return {"-"};
  if (std::isinf(elo))
    return {elo > 0 ? "at least " + signed_text(low) : "at most " + signed_text(high), elo, low,
            high};
  return {fmt::format("{} ({} to {})", signed_text(elo), signed_text(low), signed_text(high)), elo,
          low, high};
}

Column share_column(std::string title, double reference) {
  return {std::move(title), Column::Kind::OnAxis, 0, 1, reference};
}

Column elo_column(std::string title) {
  return {.title = std::move(title), .kind = Column::Kind::OnAxis, .reference = 0};
}

Json json_number(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::round(value) && std::abs(value) < 9e15)
    return static_cast<std::int64_t>(value);  // without ".0"
  const double rounded = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
  if (rounded == std::round(rounded) && std::abs(rounded) < 9e15)
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

Json to_json(const Section& section) {
  constexpr std::array<std::string_view, 4> kTypes = {"facts", "table", "curves", "matrix"};
  Json json = {{"type", kTypes.at(section.content.index())}, {"title", section.title}};
  if (!section.note.empty()) json["note"] = section.note;
  std::visit(ContentWriter{json}, section.content);
  return json;
}

Json to_json(const Document& document) {
  Json json = {{"format", 2},
               {"kind", document.kind},
               {"title", document.title},
               {"subtitle", document.subtitle},
               {"notices", document.notices},
               {"sections", Json::array()}};
  for (const Section& section : document.sections)
    json["sections"].push_back(to_json(section));
  return json;
}

}  // namespace faultline
