// What the sections of reports have in common.
#include "report/report_json.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/json_text.h"

namespace faultline {

ReportJson report_section(std::string_view type, std::string_view title, std::string_view note) {
  ReportJson section = {{"type", type}, {"title", title}};
  if (!note.empty()) section["note"] = note;
  return section;
}

Section settings_section(const SettingsRows& settings, std::string_view file) {
  using enum Column::Kind;
  Table table{{{"key", Code}, {"value", Code}}};
  for (const auto& [key, value] : settings)
    table.rows.push_back({{key}, {value}});
  return {"Settings", std::move(table), fmt::format("As in {}.", file)};
}

std::string setting_text(const ReportJson& value) {
  return value.is_string() ? value.get<std::string>() : json_text(value);
}

bool is_document(const ReportJson& json, std::string_view kind) {
  const auto list_of = [&](const char* key, bool (*fits)(const ReportJson&)) {
    const auto list = json.find(key);
    return list != json.end() && list->is_array() && std::ranges::all_of(*list, fits);
  };
  return json.is_object() && json.value("format", ReportJson()) == 2 &&
         json.value("kind", ReportJson()) == kind &&
         list_of("notices", [](const ReportJson& one) { return one.is_string(); }) &&
         list_of("sections", [](const ReportJson& one) {
           return one.is_object() && one.contains("type") && one.contains("title");
         });
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

}  // namespace faultline
