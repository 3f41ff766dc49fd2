// The sections that a report consists of.
#include "report/report_json.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace faultline {
namespace {

std::string_view name(ReportColumn::Kind kind) {
  switch (kind) {
    case ReportColumn::Kind::Text:
      break;
    case ReportColumn::Kind::Code:
      return "code";
    case ReportColumn::Kind::Number:
      return "number";
    case ReportColumn::Kind::Interval:
      return "interval";
  }
  return "text";
}

}  // namespace

ReportJson shown_number(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::round(value) && std::abs(value) < 9e15)
    return static_cast<std::int64_t>(value);  // without ".0"
  const double rounded = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
  if (rounded == std::round(rounded) && std::abs(rounded) < 9e15)
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

ReportJson report_section(std::string_view type, std::string_view title, std::string_view note) {
  ReportJson section = {{"type", type}, {"title", title}};
  if (!note.empty()) section["note"] = note;
  return section;
}

ReportJson facts_section(std::string_view title, const std::vector<ReportFact>& facts,
                         std::string_view note) {
  ReportJson section = report_section("facts", title, note);
  section["items"] = ReportJson::array();
  for (const ReportFact& fact : facts) {
    ReportJson item = {{"name", fact.name}, {"value", fact.value}};
    if (!fact.remark.empty()) item["remark"] = fact.remark;
    section["items"].push_back(std::move(item));
  }
  return section;
}

ReportJson interval_cell(double value, double low, double high, std::string_view text) {
  return {{"value", shown_number(value)},
          {"low", shown_number(low)},
          {"high", shown_number(high)},
          {"text", text}};
}

ReportJson table_section(std::string_view title, const std::vector<ReportColumn>& columns,
                         ReportJson rows, std::string_view note) {
  ReportJson section = report_section("table", title, note);
  section["columns"] = ReportJson::array();
  for (const ReportColumn& column : columns) {
    ReportJson json = {{"title", column.title}, {"kind", name(column.kind)}};
    if (column.kind == ReportColumn::Kind::Interval)
      json["axis"] = {shown_number(column.low), shown_number(column.high)};
    if (column.reference) json["reference"] = *column.reference;
    section["columns"].push_back(std::move(json));
  }
  section["rows"] = std::move(rows);
  return section;
}

void leave_out_folders_of_nets(ReportJson& json) {
  if (json.is_structured()) {
    for (ReportJson& part : json)
      leave_out_folders_of_nets(part);
    return;
  }
  if (!json.is_string()) return;
  auto& text = json.get_ref<std::string&>();
  constexpr std::string_view kNets = "/nets/";
  for (std::size_t at = text.find(kNets); at != std::string::npos;) {
    const std::size_t end = text.find_first_of("/ ?,", at + kNets.size());
    const bool file = end == std::string::npos || text[end] != '/';  // not a folder "nets" above
    const std::size_t run = at == 0 ? std::string::npos : text.rfind('/', at - 1);
    if (file && run != std::string::npos) {
      const std::size_t before = text.find_last_of(" \t\n\",=", at);
      const std::size_t path = before == std::string::npos ? 0 : before + 1;
      if (path <= run && text[path] == '/') {
        text.erase(path, run + 1 - path);
        at -= run + 1 - path;
      }
    }
    at = text.find(kNets, at + kNets.size());
  }
}

std::string percent_text(double share, int decimals) {
  return fmt::format("{:.{}f} %", 100 * share, decimals);
}

}  // namespace faultline
