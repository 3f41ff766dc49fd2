// Reports: what a folder or a file of games holds, as one page that needs nothing else
// (docs/reports.md).
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "report/picture_table.h"
#include "report/report_json.h"

namespace faultline {

/// A folder or file of which no report can be made. The message names it and says what would be
/// right.
class ReportError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ReportOptions {
  std::size_t games = 8;  // to show, at most
};

/// A report in the making; sources fill it.
struct Report {
  std::string title;
  std::string subtitle;
  /// What is missing or damaged, one sentence each.
  std::vector<std::string> notices = {};
  ReportJson sections = ReportJson::array();
  PictureTable pictures = {};

  void add(const Section& section) { sections.push_back(to_json(section)); }
  /// Adds the document's notices and sections.
  void add(const Document& document);
};

/// A kind of folder or file that reports are made of. To add one, write these functions and add it
/// to report_sources().
struct ReportSource {
  std::string name;  // "run"
  /// What makes a folder one: "a run's folder (config.toml, state.json)".
  std::string description;
  bool (*is_one)(const std::filesystem::path& folder);
  void (*fill)(const std::filesystem::path& folder, const ReportOptions& options, Report& report);
};
const std::vector<ReportSource>& report_sources();

/// The folder that `text` names, as given or below runs/, tournaments/, studies/ or surveys/, or
/// the file. Throws ReportError if there is none, if it is none of report_sources(), or if several
/// of those four have a folder of that name.
std::filesystem::path find_report_folder(const std::string& text);

/// The name of a folder or, without its extension, of a file: a report's title and its page's name.
std::string report_name(const std::filesystem::path& folder);

/// What the page draws. Throws ReportError as above.
ReportJson report_json(const std::filesystem::path& folder, const ReportOptions& options);
/// The page: HTML with styles, scripts and the data inside.
std::string report_page(const ReportJson& report);
/// Whether report_page() made the file, in this version or a later one.
bool is_report_page(const std::filesystem::path& file);

}  // namespace faultline
