// Reports: finding what a folder or file is, and putting the page together.
#include "report/report.h"

#include <chrono>
#include <fstream>
#include <ios>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/json_text.h"
#include "base/quote.h"
#include "report/page_template.h"
#include "report/sources.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// The mark of a report in its page's head.
constexpr std::string_view kGenerator = "<meta name=\"generator\" content=\"faultline report\">";

std::string descriptions() {
  std::string text;
  for (const ReportSource& source : report_sources())
    text += (text.empty() ? "" : " or ") + source.description;
  return text;
}

const ReportSource* source_of(const fs::path& folder) {
  for (const ReportSource& source : report_sources())
    if (source.is_one(folder)) return &source;
  return nullptr;
}

/// Escapes a text for an attribute or an element's content.
std::string as_html(std::string_view text) {
  std::string html;
  for (const char c : text) {
    if (c == '&')
      html += "&amp;";
    else if (c == '<')
      html += "&lt;";
    else if (c == '"')
      html += "&quot;";
    else
      html += c;
  }
  return html;
}

/// JSON inside a script element: a `<` in a string could end it.
std::string as_script(const ReportJson& json) {
  const std::string text = json_text(json, -1, true);
  std::string escaped;
  for (const char c : text) {
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  }
  return escaped;
}

void replace_mark(std::string& page, std::string_view mark, std::string_view text) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos)
    throw std::logic_error("the report's page has no " + std::string(mark));
  page.replace(at, mark.size(), text);
}

}  // namespace

void Report::add(const Document& document) {
  notices.insert(notices.end(), document.notices.begin(), document.notices.end());
  for (const Section& section : document.sections)
    add(section);
}

const std::vector<ReportSource>& report_sources() {
  static const std::vector<ReportSource> kSources = {
      tournament_report_source(), study_report_source(),      survey_report_source(),
      run_report_source(),        yardsticks_report_source(), games_report_source()};
  return kSources;
}

std::string report_name(const fs::path& folder) {
  if (fs::is_regular_file(folder)) return folder.stem().string();
  return fs::absolute(folder / ".").lexically_normal().parent_path().filename().string();
}

fs::path find_report_folder(const std::string& text) {
  std::error_code ignored;  // of names that are too long
  const bool exists = !text.empty() && fs::exists(text, ignored);
  if (exists && source_of(text) != nullptr) return text;
  std::vector<std::string> folders;
  for (const char* const below : {"runs", "tournaments", "studies", "surveys"})
    if (const fs::path folder = fs::path(below) / text;
        !text.empty() && fs::is_directory(folder, ignored) && source_of(folder) != nullptr)
      folders.push_back(folder.string());
  if (folders.size() == 1) return folders.front();
  if (folders.size() > 1)
    throw ReportError(
        fmt::format("{}: there are several: give {}", text, fmt::join(folders, " or ")));
  if (exists) throw ReportError(fmt::format("{}: is not {}", text, descriptions()));
  throw ReportError(
      fmt::format("{}: there is no such folder or file, here or below runs/, tournaments/, "
                  "studies/ or surveys/; a "
                  "report is made of {}",
                  quote(text, 200), descriptions()));
}

ReportJson report_json(const fs::path& folder, const ReportOptions& options) {
  const ReportSource* const source = source_of(folder);
  if (source == nullptr)
    throw ReportError(fmt::format("{}: is not {}", folder.string(), descriptions()));
  Report report;
  report.title = report_name(folder);
  source->fill(folder, options, report);
  for (ReportJson& section : report.sections)
    leave_out_folders_of_nets(section);
  return {{"format", 2},
          {"kind", source->name},
          {"title", report.title},
          {"subtitle", report.subtitle},
          {"program", "faultline " FAULTLINE_VERSION},
          {"made",
           fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::chrono::system_clock::to_time_t(
                                                    std::chrono::system_clock::now())))},
          {"notices", report.notices},
          {"sections", std::move(report.sections)},
          {"boards", report.pictures.boards()},
          {"shapes", report.pictures.shapes()}};
}

std::string report_page(const ReportJson& report) {
  std::string page(kReportPage);
  // The data first, which comes last in the page: both may contain anything.
  replace_mark(page, "FAULTLINE_DATA", as_script(report));
  replace_mark(page, "FAULTLINE_TITLE", as_html(report.at("title").get<std::string>()));
  return page;
}

bool is_report_page(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string head(1000, ' ');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.find(kGenerator) != std::string::npos;
}

}  // namespace faultline
