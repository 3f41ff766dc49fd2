// The JSON that a report's page draws (docs/reports.md): a document's, with sections of games.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/document.h"

namespace faultline {

/// Keys stay in the order in which they are set.
using ReportJson = nlohmann::ordered_json;

/// A section that only pages draw: an object whose "type" says how; `note` is text below its title.
ReportJson report_section(std::string_view type, std::string_view title,
                          std::string_view note = "");

/// Keys and values of settings.
using SettingsRows = std::vector<std::pair<std::string, std::string>>;
/// A section with them, "As in FILE."
Section settings_section(const SettingsRows& settings, std::string_view file);
/// A value of a JSON file of settings.
std::string setting_text(const ReportJson& value);

/// Whether `json` is a document of this kind, as to_json() makes them.
bool is_document(const ReportJson& json, std::string_view kind);

/// Names networks by run and file in all texts: "/path/to/runs/a/nets/000500.pt" becomes
/// "a/nets/000500.pt". A page may be given to others, to whom the folders say nothing and whose
/// business they are not. Relative paths stay.
void leave_out_folders_of_nets(ReportJson& json);

}  // namespace faultline
